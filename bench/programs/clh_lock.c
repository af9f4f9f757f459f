// N threads acquire and release a queue lock of Craig, Landin and Hagersten once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif

struct waiter {
    atomic_int waits;
};

// The last one stands for the free lock.
static struct waiter waiters[N + 1];
static _Atomic(struct waiter *) last = &waiters[N];
static int inside;

static void lock(struct waiter *me) {
    atomic_store_explicit(&me->waits, 1, memory_order_relaxed);
    struct waiter *before = atomic_exchange_explicit(&last, me, memory_order_acq_rel);
    while (atomic_load_explicit(&before->waits, memory_order_acquire))
        ;
}

static void unlock(struct waiter *me) {
    atomic_store_explicit(&me->waits, 0, RELEASE);
}

static void *process(void *arg) {
    struct waiter *me = &waiters[(intptr_t)arg];
    lock(me);
    inside++;
    assert(inside == 1);
    inside--;
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, process, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

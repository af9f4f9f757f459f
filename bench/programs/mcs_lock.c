// N threads acquire and release a queue lock of Mellor-Crummey and Scott once each.
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
#ifndef LINK
#define LINK memory_order_release
#endif

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_int waits;
};

static struct waiter waiters[N];
static _Atomic(struct waiter *) last;
static int inside;

static void lock(void *arg) {
    struct waiter *me = &waiters[(intptr_t)arg];
    struct waiter *before = atomic_exchange_explicit(&last, me, memory_order_acq_rel);
    if (before != NULL) {
        atomic_store_explicit(&me->waits, 1, memory_order_relaxed);
        atomic_store_explicit(&before->next, me, LINK);
        while (atomic_load_explicit(&me->waits, memory_order_acquire))
            ;
    }
}

static void unlock(void *arg) {
    struct waiter *me = &waiters[(intptr_t)arg];
    struct waiter *after = atomic_load_explicit(&me->next, memory_order_acquire);
    if (after == NULL) {
        struct waiter *expected = me;
        if (atomic_compare_exchange_strong_explicit(&last, &expected, NULL, memory_order_release,
                                                    memory_order_relaxed))
            return;
        while ((after = atomic_load_explicit(&me->next, memory_order_acquire)) == NULL)
            ;
    }
    atomic_store_explicit(&after->waits, 0, RELEASE);
}

static void *process(void *arg) {
    lock(arg);
    inside++;
    assert(inside == 1);
    inside--;
    unlock(arg);
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

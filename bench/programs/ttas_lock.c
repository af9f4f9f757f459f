// N threads acquire and release a test-and-test-and-set lock once each.
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

static atomic_int locked;
static int inside;

static void lock(void *arg) {
    (void)arg;
    do {
        while (atomic_load_explicit(&locked, memory_order_relaxed))
            ;
    } while (atomic_exchange_explicit(&locked, 1, memory_order_acquire));
}

static void unlock(void *arg) {
    (void)arg;
    atomic_store_explicit(&locked, 0, RELEASE);
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

// One thread writes two words under a sequence lock with fences, and N threads read them. A reader tries
// again until no writer has interfered.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif

static atomic_int sequence, a, b;

static void *writer(void *arg) {
    int before = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, before + 1, memory_order_relaxed);
    atomic_thread_fence(RELEASE);
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, before + 2, memory_order_release);
    return arg;
}

static void *reader(void *arg) {
    int before, after, x, y;
    do {
        do
            before = atomic_load_explicit(&sequence, memory_order_acquire);
        while (before % 2 == 1);
        x = atomic_load_explicit(&a, memory_order_relaxed);
        y = atomic_load_explicit(&b, memory_order_relaxed);
        atomic_thread_fence(ACQUIRE);
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before != after);
    assert(x == y);
    return arg;
}

int main(void) {
    pthread_t writes, reads[N];
    pthread_create(&writes, NULL, writer, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&reads[i], NULL, reader, NULL);
    pthread_join(writes, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(reads[i], NULL);
    return 0;
}

// One thread stores, and N threads load, by relaxed accesses. There are 2^N graphs.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 10
#endif

static atomic_int x;

static void *writer(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return arg;
}

static void *reader(void *arg) {
    (void)arg;
    return (void *)(intptr_t)atomic_load_explicit(&x, memory_order_relaxed);
}

int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, writer, NULL);
    for (int i = 1; i <= N; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
    return 0;
}

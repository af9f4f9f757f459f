// One thread looks for the last zero in an array that N threads fill, by release and acquire.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 8
#endif

static atomic_int a[N + 1];

static void *search(void *arg) {
    int last = N;
    while (atomic_load_explicit(&a[last], memory_order_acquire) != 0)
        last--;
    return arg;
}

static void *fill(void *arg) {
    int j = (int)(intptr_t)arg;
    int before = atomic_load_explicit(&a[j - 1], memory_order_acquire);
    atomic_store_explicit(&a[j], before + 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, search, NULL);
    for (intptr_t j = 1; j <= N; j++)
        pthread_create(&thread, NULL, fill, (void *)j);
    return 0;
}

// Thread i of N does one relaxed compare-exchange of x from i - 1 to i.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 8
#endif

static atomic_int x;

static void *rotate(void *arg) {
    int i = (int)(intptr_t)arg, expected = i - 1;
    atomic_compare_exchange_strong_explicit(&x, &expected, i, memory_order_relaxed, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 1; i <= N; i++)
        pthread_create(&thread, NULL, rotate, (void *)i);
    return 0;
}

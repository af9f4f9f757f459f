// Two threads add up two variables, N times each, by relaxed accesses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int i = 1, j = 1;

static void add(atomic_int *to, atomic_int *from) {
    for (int k = 0; k < N; k++) {
        int sum = atomic_load_explicit(to, memory_order_relaxed);
        sum += atomic_load_explicit(from, memory_order_relaxed);
        atomic_store_explicit(to, sum, memory_order_relaxed);
    }
}

static void *first(void *arg) {
    add(&i, &j);
    return arg;
}

static void *second(void *arg) {
    add(&j, &i);
    return arg;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}

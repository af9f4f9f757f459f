// An array of N+1 zeros; thread 0 walks down from index N until it reads a zero; thread j (1..N) does
// a[j] = a[j-1] + 1. Nobody is joined.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

atomic_int a[N + 1];

static void *search(void *arg) {
    int last = N;
    while (a[last] != 0)
        last--;
    return arg;
}

static void *fill(void *arg) {
    int j = (int)(intptr_t)arg;
    a[j] = a[j - 1] + 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, search, NULL);
    for (intptr_t j = 1; j <= N; j++)
        pthread_create(&thread, NULL, fill, (void *)j);
    return 0;
}

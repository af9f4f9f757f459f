// N threads store to x; main joins them all, then reads x.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

atomic_int x;

static void *writer(void *arg) {
    x = (int)(intptr_t)arg;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, writer, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    int last = x;
    assert(1 <= last && last <= N);
    return 0;
}

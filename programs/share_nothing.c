// N threads store to and load from a variable of their own; main joins them all.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

atomic_int own[N];

static void *worker(void *arg) {
    int i = (int)(intptr_t)arg;
    own[i] = i;
    assert(own[i] == i);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

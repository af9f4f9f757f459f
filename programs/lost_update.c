// N threads load a counter, then store one more; main joins them and asserts that it is N.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

atomic_int counter;

static void *add(void *arg) {
    int seen = counter;
    counter = seen + 1;
    return arg;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(counter == N);
    return 0;
}

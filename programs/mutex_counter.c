// N threads each increment a counter under one mutex; main joins them and asserts that it is N.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *increment(void *arg) {
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(counter == N);
    return 0;
}

// Two threads increment a counter N times each, every time under one mutex.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *increment(void *arg) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2 * N);
    return 0;
}

// Two producers add 1 and 2 to a counter while it is below 6, a consumer subtracts 1 while it is above 0:
// for ever, every time under one mutex.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *producer(void *arg) {
    int amount = (int)(intptr_t)arg;
    while (1) {
        pthread_mutex_lock(&mutex);
        if (count < 6)
            count += amount;
        assert(count <= 7);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *consumer(void *arg) {
    while (1) {
        pthread_mutex_lock(&mutex);
        if (count > 0)
            count -= 1;
        assert(count >= 0);
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, (void *)1);
    pthread_create(&thread, NULL, producer, (void *)2);
    pthread_create(&thread, NULL, consumer, NULL);
    return 0;
}

// Two producers add 1 and 2 to a counter while it is below 6, a consumer subtracts 1 while it is above 0,
// every time under one mutex: N times each, or for ever if there is no N.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifdef N
#define ROUNDS for (int round = 0; round < N; round++)
#else
#define ROUNDS while (1)
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *producer(void *arg) {
    int amount = (int)(intptr_t)arg;
    ROUNDS {
        pthread_mutex_lock(&mutex);
        if (count < 6)
            count += amount;
        assert(count <= 7);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *consumer(void *arg) {
    ROUNDS {
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

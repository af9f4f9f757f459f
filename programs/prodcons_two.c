// As prodcons, with two counters, each under a mutex of its own: one for each producer. The consumer takes
// from them by turns. N times each, or for ever if there is no N.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifdef N
#define ROUNDS for (int round = 0; round < N; round++)
#else
#define ROUNDS while (1)
#endif

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int count[2];

static void *producer(void *arg) {
    int which = (int)(intptr_t)arg, amount = which + 1;
    ROUNDS {
        pthread_mutex_lock(&mutex[which]);
        if (count[which] < 6)
            count[which] += amount;
        assert(count[which] <= 7);
        pthread_mutex_unlock(&mutex[which]);
    }
    return NULL;
}

static void *consumer(void *arg) {
    ROUNDS {
        for (int which = 0; which < 2; which++) {
            pthread_mutex_lock(&mutex[which]);
            if (count[which] > 0)
                count[which] -= 1;
            assert(count[which] >= 0);
            pthread_mutex_unlock(&mutex[which]);
        }
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, (void *)0);
    pthread_create(&thread, NULL, producer, (void *)1);
    pthread_create(&thread, NULL, consumer, NULL);
    return 0;
}

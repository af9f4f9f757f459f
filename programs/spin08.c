// Two threads under one mutex: one adds i, from 0 in steps of 5 below 12; the other subtracts j, in steps
// of 2.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *add(void *arg) {
    for (int i = 0; i < 12; i += 5) {
        pthread_mutex_lock(&mutex);
        balance += i;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

static void *subtract(void *arg) {
    for (int j = 0; j < 12; j += 2) {
        pthread_mutex_lock(&mutex);
        balance -= j;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void) {
    pthread_t adder, subtracter;
    pthread_create(&adder, NULL, add, NULL);
    pthread_create(&subtracter, NULL, subtract, NULL);
    pthread_join(adder, NULL);
    pthread_join(subtracter, NULL);
    assert(balance == (0 + 5 + 10) - (0 + 2 + 4 + 6 + 8 + 10));
    return 0;
}

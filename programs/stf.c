// Two threads update ma twice each, every time under one mutex.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ma;

static void *worker(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        ma = ma + 1;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(ma == 4);
    return 0;
}

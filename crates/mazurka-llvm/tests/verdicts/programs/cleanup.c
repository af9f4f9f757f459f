// correct
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void unlock(void *unused) { pthread_mutex_unlock(&mutex); }
static void note(void *digit) { order = 10 * order + *(int *)digit; }

static void *run(void *unused) {
    int one = 1, two = 2;
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &two);
    pthread_exit((void *)5);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    void *result;
    pthread_create(&threads[0], NULL, run, NULL);
    pthread_create(&threads[1], NULL, run, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], &result);
        assert(result == (void *)5);
    }
    assert(order == 2121);
}

// correct
// A thread that waits on a condition variable is cancelled. Its handler runs with the mutex.
// mistake: deadlock
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void clean(void *unused) {
    cleaned = 1;
    pthread_mutex_unlock(&mutex);
}

static void *wait_for_ever(void *unused) {
#ifdef MISTAKE
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(clean, NULL);
    for (;;) pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, wait_for_ever, NULL);
    assert(pthread_cancel(thread) == 0);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    assert(cleaned == 1);
}

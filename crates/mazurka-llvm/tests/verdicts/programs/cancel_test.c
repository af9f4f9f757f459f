// correct
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int rounds;

static void *spin(void *unused) {
    int old;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    rounds++;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
    pthread_testcancel();
    rounds++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, spin, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(rounds == 1 + (result == NULL));
}

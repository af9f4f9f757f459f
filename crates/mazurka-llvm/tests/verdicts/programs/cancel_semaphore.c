// wrong: assertion: assertion `taken == 1` failed
// A thread may be cancelled before it takes the semaphore, or after.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static atomic_int taken;

static void *take(void *unused) {
    sem_wait(&semaphore);
    taken = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_init(&semaphore, 0, 1);
    pthread_create(&thread, NULL, take, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert((result == PTHREAD_CANCELED) == (taken == 0));
    assert(taken == 1);
}

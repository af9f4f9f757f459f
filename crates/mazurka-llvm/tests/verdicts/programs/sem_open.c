// correct
//
// mistake: deadlock
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static void *post(void *unused) {
    sem_t *semaphore = sem_open("/ready", 0);
    assert(semaphore != SEM_FAILED);
#ifndef MISTAKE
    sem_post(semaphore);
#endif
    sem_close(semaphore);
    return NULL;
}

int main(void) {
    pthread_t thread;
    assert(sem_open("/ready", 0) == SEM_FAILED && errno == ENOENT);
    sem_t *semaphore = sem_open("/ready", O_CREAT | O_EXCL, 0600, 0);
    assert(semaphore != SEM_FAILED);
    assert(sem_open("/ready", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
    pthread_create(&thread, NULL, post, NULL);
    sem_wait(semaphore);
    pthread_join(thread, NULL);
    assert(sem_unlink("/ready") == 0 && sem_unlink("/ready") == -1);
    assert(sem_close(semaphore) == 0);
}

// wrong: unsupported: a thread waits in the middle of an atomic section
#include <pthread.h>
#include <semaphore.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static sem_t semaphore;
static int x;

static void *run(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    sem_wait(&semaphore);
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
}

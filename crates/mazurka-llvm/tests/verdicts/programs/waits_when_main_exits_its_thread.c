// wrong: deadlock: 
#include <pthread.h>
#include <semaphore.h>

sem_t never;

void *waits(void *arg) {
  sem_wait(&never);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&never, 0, 0);
  pthread_create(&t, 0, waits, 0);
  pthread_exit(0);
}

// wrong: unsupported: SIGUSR1 is sent to another thread, which would be interrupted by its handler
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t sent;
static void handle(int signal) {}
static void *run(void *unused) {
  sem_wait(&sent);
  return 0;
}

int main() {
  signal(SIGUSR1, handle);
  sem_init(&sent, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_kill(thread, SIGUSR1);
  sem_post(&sent);
  pthread_join(thread, 0);
}

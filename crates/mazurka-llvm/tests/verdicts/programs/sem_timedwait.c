// correct
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t s;

void *posts(void *arg) {
  sem_post(&s);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, posts, 0);
  struct timespec until, now;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 2;
  if (sem_timedwait(&s, &until) != 0) {
    assert(errno == ETIMEDOUT);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec >= until.tv_sec);
  }
  pthread_join(t, 0);
  return 0;
}

// correct
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

atomic_int ready;

void *sets(void *arg) {
  ready = 1;
  return arg;
}

long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sets, 0);
  long until = now() + 1000000, rounds = 0, last = 0;
  while (!ready && now() < until) {
    rounds++;
    long time = now();
    assert(time >= last);
    last = time;
  }
  pthread_join(t, 0);
  return 0;
}

// wrong: assertion: assertion `ready` failed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

atomic_int ready;

void *sets(void *arg) {
  ready = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sets, 0);
  time_t until = time(0) + 5;
  while (!ready && time(0) < until)
    ;
  assert(ready);
  pthread_join(t, 0);
  return 0;
}

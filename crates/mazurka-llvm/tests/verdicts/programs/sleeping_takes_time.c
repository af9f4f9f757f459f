// correct
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

void *sleeps(void *arg) {
  time_t before = time(0);
  sleep(3);
  assert(time(0) >= before + 3);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sleeps, 0);
  sleeps(0);
  pthread_join(t, 0);
  return 0;
}

// wrong: livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *reader(void *arg) {
  static void *const next[] = {&&wait, &&go};
wait:
  goto *next[atomic_load(&ready)];
go:
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  pthread_join(thread, 0);
  return 0;
}

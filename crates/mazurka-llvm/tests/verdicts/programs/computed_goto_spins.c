// correct
// A loop that waits by computed jumps. Both the iteration that waits and the one that ends are jumps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, data;

static void *writer(void *arg) {
  data = 42;
  ready = 1;
  return arg;
}

static void *reader(void *arg) {
  static void *const next[] = {&&wait, &&go};
wait:
  goto *next[atomic_load(&ready)];
go:
  assert(data == 42);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}

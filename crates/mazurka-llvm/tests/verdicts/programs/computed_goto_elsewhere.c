// wrong: undefined-behaviour: `goto *` jumps to an address that is no label of `second`
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *_Atomic label;

static void *first(void *arg) {
  label = &&here;
here:
  return arg;
}

static void *second(void *arg) {
  void *to = label;
  if (!to) to = &&own;
  goto *to;
own:
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}

// correct
// Functions that are `inline` by the rules of C99, without an external definition, as in headers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct { atomic_int value; } counter;

inline int add(counter *counter, int by) { return atomic_fetch_add(&counter->value, by) + by; }
inline int increment(counter *counter) { return add(counter, 1); }

static counter shared;

static void *thread(void *arg) {
  int (*function)(counter *) = increment;
  int now = function(&shared);
  assert(now == 1 || now == 2);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, thread, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(add(&shared, 0) == 2);
  return 0;
}

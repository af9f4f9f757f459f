// wrong: assertion
// The destructor need not run: the key may be deleted before the thread ends.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int calls;
static void destroy(void *value) { calls++; }

static void *run(void *ready) {
  pthread_setspecific(key, &calls);
  pthread_barrier_wait(ready);
  return 0;
}

int main() {
  pthread_barrier_t ready;
  pthread_barrier_init(&ready, 0, 2);
  pthread_key_create(&key, destroy);
  pthread_t thread;
  pthread_create(&thread, 0, run, &ready);
  pthread_barrier_wait(&ready);
  pthread_key_delete(key);
  pthread_join(thread, 0);
  assert(calls == 1);
}

// correct
// The destructor of a deleted key does not run.
#include <assert.h>
#include <pthread.h>

static int calls;
static void destroy(void *value) { calls++; }

static void *run(void *unused) {
  pthread_key_t deleted, kept;
  pthread_key_create(&deleted, destroy);
  pthread_key_create(&kept, destroy);
  pthread_setspecific(deleted, &calls);
  pthread_setspecific(kept, &calls);
  pthread_key_delete(deleted);
  return 0;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  assert(calls == 1);
}

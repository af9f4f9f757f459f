// wrong: undefined-behaviour: `pthread_getspecific` is called with a key that was deleted
// The main thread may delete the key before the other thread uses it.
#include <pthread.h>

static pthread_key_t key;

static void *run(void *unused) { return pthread_getspecific(key); }

int main() {
  pthread_key_create(&key, 0);
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_key_delete(key);
  pthread_join(thread, 0);
}

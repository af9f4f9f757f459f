// wrong: undefined-behaviour: `pthread_setspecific` is called with a key that was deleted
#include <pthread.h>

int main() {
  pthread_key_t key;
  pthread_key_create(&key, 0);
  pthread_key_delete(key);
  pthread_setspecific(key, &key);
}

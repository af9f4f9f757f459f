// wrong: lock-misuse: a reader-writer lock is unlocked
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *reads(void *arg) {
  pthread_rwlock_rdlock(&l);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reads, 0);
  pthread_join(t, 0);
  pthread_rwlock_unlock(&l);
  return 0;
}

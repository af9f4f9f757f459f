// correct
// with: leaks
// mistake: deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *ends(void *unused) {
  pthread_mutex_lock(&lock);
  return 0;
}

static void *unlocks(void *unused) {
  assert(pthread_mutex_unlock(&lock) == EPERM);
  return 0;
}

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
#ifndef MISTAKE
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#endif
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&lock, &attributes);
  pthread_t first, second, third;
  pthread_create(&first, 0, ends, 0);
  int before = pthread_mutex_lock(&lock);
  assert(before == 0 || before == EOWNERDEAD);
  if (before == EOWNERDEAD) {
    assert(pthread_mutex_consistent(&lock) == 0);
    assert(pthread_mutex_consistent(&lock) == EINVAL);
  }
#ifndef MISTAKE
  pthread_create(&second, 0, unlocks, 0);
  pthread_join(second, 0);
#endif
  assert(pthread_mutex_unlock(&lock) == 0);
  pthread_join(first, 0);
  pthread_create(&third, 0, ends, 0);
  pthread_join(third, 0);
  assert(pthread_mutex_lock(&lock) == EOWNERDEAD);
  assert(pthread_mutex_unlock(&lock) == 0);
  assert(pthread_mutex_lock(&lock) == ENOTRECOVERABLE);
  assert(pthread_mutex_trylock(&lock) == ENOTRECOVERABLE);
}

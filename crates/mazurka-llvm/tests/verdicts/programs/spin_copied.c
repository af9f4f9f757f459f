// correct
// A copy of an initialised lock is not an initialised lock.
#include <pthread.h>

struct counter {
  pthread_spinlock_t lock;
  int value;
};

int main() {
  struct counter first, second;
  pthread_spin_init(&first.lock, 0);
  first.value = 1;
  second = first;
  pthread_spin_init(&second.lock, 0);
  pthread_spin_lock(&second.lock);
  pthread_spin_unlock(&second.lock);
  pthread_spin_destroy(&second.lock);
  pthread_spin_init(&second.lock, 0);
}

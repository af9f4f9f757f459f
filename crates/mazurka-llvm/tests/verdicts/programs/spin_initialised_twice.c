// wrong: lock-misuse: a spin lock is initialised twice
#include <pthread.h>

int main() {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_spin_unlock(&lock);
  pthread_spin_init(&lock, 0);
}

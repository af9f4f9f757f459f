// wrong: lock-misuse: a barrier is waited at that was never initialised
#include <pthread.h>

int main() {
  pthread_barrier_t barrier;
  pthread_barrier_wait(&barrier);
}

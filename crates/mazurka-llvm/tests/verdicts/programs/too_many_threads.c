// wrong: unsupported: the program creates more than 2045 threads
#include <pthread.h>

void *nothing(void *arg) { return arg; }

int main(void) {
  for (int i = 0; i < 5000; i++) {
    pthread_t t;
    if (pthread_create(&t, 0, nothing, 0))
      return 1;
    pthread_join(t, 0);
  }
  return 0;
}

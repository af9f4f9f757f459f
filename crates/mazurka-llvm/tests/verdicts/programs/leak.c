// wrong: leak: the memory allocated at 
// with: leaks
#include <pthread.h>
#include <stdlib.h>

int *_Atomic shared;

void *puts_one(void *arg) {
  shared = malloc(sizeof(int));
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, puts_one, 0);
  puts_one(0);
  pthread_join(t, 0);
  free(shared);
  return 0;
}

// wrong: invalid-memory: 
#include <pthread.h>
#include <stdlib.h>

int *data;

void release(void) { free(data); }

void *uses(void *arg) {
  *data = 1;
  return arg;
}

int main(void) {
  data = malloc(sizeof *data);
  atexit(release);
  pthread_t t;
  pthread_create(&t, 0, uses, 0);
  pthread_detach(t);
  return 0;
}

// correct
// with: races
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x;

void __VERIFIER_atomic_add(int n) { x += n; }

void *adds(void *arg) {
  __VERIFIER_atomic_begin();
  x++;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_add(2);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, adds, 0);
  adds(0);
  pthread_join(t, 0);
  assert(x == 6);
  return 0;
}

// wrong: assertion: assertion `!(atomic_load(&x) == 1 && y == 0)` failed
// An allocation does not start an atomic section: the other thread can run before it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, y;

static void *run(void *unused) {
    atomic_store(&x, 1);
    __VERIFIER_atomic_begin();
    int *p = malloc(sizeof *p);
    atomic_store(&y, 1);
    __VERIFIER_atomic_end();
    free(p);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    assert(!(atomic_load(&x) == 1 && y == 0));
    pthread_join(thread, NULL);
}

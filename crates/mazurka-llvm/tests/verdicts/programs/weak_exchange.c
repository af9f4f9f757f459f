// correct
// with: spurious
// mistake: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *unused) {
    int old = atomic_load(&x);
#ifdef MISTAKE
    if (old == 0) {
        int expected = 0;
        if (!atomic_compare_exchange_weak(&x, &expected, 1)) assert(expected != 0);
    }
#else
    while (!atomic_compare_exchange_weak(&x, &old, old + 1));
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(x >= 1);
}

// correct
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int);

static atomic_int flag;

static void *run(void *unused) {
    atomic_store(&flag, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    __VERIFIER_loop_begin();
    for (;;) {
        __VERIFIER_spin_start();
        int stop = atomic_load(&flag);
        __VERIFIER_spin_end(stop);
        if (stop) break;
    }
    pthread_join(thread, NULL);
    assert(flag == 1);
}

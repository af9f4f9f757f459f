// N threads acquire and release Lamport's second fast mutex once each. Where it would wait, it assumes
// that it need not: a thread whose assumption fails stops there.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

void __VERIFIER_assume(int);

atomic_int x, y;
atomic_int b[N + 1]; // by thread; the first one is number 1

static void *acquire_and_release(void *arg) {
    int i = (int)(intptr_t)arg;
start:
    b[i] = 1;
    x = i;
    if (y != 0) {
        b[i] = 0;
        __VERIFIER_assume(y == 0);
        goto start;
    }
    y = i;
    if (x != i) {
        b[i] = 0;
        for (int j = 1; j <= N; j++)
            __VERIFIER_assume(b[j] == 0);
        if (y != i) {
            __VERIFIER_assume(y == 0);
            goto start;
        }
    }
    // The critical section.
    y = 0;
    b[i] = 0;
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 1; i <= N; i++)
        pthread_create(&thread, NULL, acquire_and_release, (void *)i);
    return 0;
}

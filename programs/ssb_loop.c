// As ssb, but s does what it does N times: while y < N, and then y = y + 1 through a local copy. Nobody is
// joined.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1
#endif

atomic_int x, y, z;

static void *p(void *arg) {
    x = 1;
    return arg;
}

static void *q(void *arg) {
    y = 1;
    return arg;
}

static void *r(void *arg) {
    if (y == 0)
        z = 1;
    return arg;
}

static void *s(void *arg) {
    while (y < N) {
        if (z == 1)
            x = 2;
        int aux = y;
        y = aux + 1;
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, p, NULL);
    pthread_create(&thread, NULL, q, NULL);
    pthread_create(&thread, NULL, r, NULL);
    pthread_create(&thread, NULL, s, NULL);
    return 0;
}

// p: x = 1. q: y = 1. r: if y is 0, z = 1. s: if z is 1, x = 2. Nobody is joined.
#include <pthread.h>
#include <stdatomic.h>

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
    if (z == 1)
        x = 2;
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

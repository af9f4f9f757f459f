// Threads that create threads and objects, in both orders.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int total;

static void *grandchild(void *object) {
    for (int i = 0; i < STEPS; i++) atomic_fetch_add((atomic_int *)object, 1);
    atomic_fetch_add(&total, 1);
    return 0;
}

static void *child(void *unused) {
    (void)unused;
    atomic_int *object = malloc(sizeof *object);
    atomic_init(object, 0);
    atomic_fetch_add(&total, 1);
    pthread_t thread;
    pthread_create(&thread, 0, grandchild, object);
    atomic_fetch_add(object, 1);
    pthread_join(thread, 0);
    free(object);
    return 0;
}

int main(void) {
    pthread_t threads[CHILDREN];
    for (int i = 0; i < CHILDREN; i++) pthread_create(&threads[i], 0, child, 0);
    for (int i = 0; i < CHILDREN; i++) pthread_join(threads[i], 0);
    return 0;
}

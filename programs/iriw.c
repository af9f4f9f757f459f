// One thread stores to x, another to y; two threads load both, in opposite orders. Main joins these two.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int x, y;

static void *store(void *arg) {
    *(atomic_int *)arg = 1;
    return NULL;
}

static void *x_then_y(void *arg) {
    (void)arg;
    int seen_x = x, seen_y = y;
    return (void *)(intptr_t)(seen_x == 1 && seen_y == 0);
}

static void *y_then_x(void *arg) {
    (void)arg;
    int seen_y = y, seen_x = x;
    return (void *)(intptr_t)(seen_y == 1 && seen_x == 0);
}

int main(void) {
    pthread_t writer, first, second;
    pthread_create(&writer, NULL, store, &x);
    pthread_create(&writer, NULL, store, &y);
    pthread_create(&first, NULL, x_then_y, NULL);
    pthread_create(&second, NULL, y_then_x, NULL);
    void *x_came_first, *y_came_first;
    pthread_join(first, &x_came_first);
    pthread_join(second, &y_came_first);
    assert(!(x_came_first && y_came_first)); // else the stores came in two orders
    return 0;
}

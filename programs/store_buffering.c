// Two threads; each stores to its own variable, then loads the other's. Main joins both.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int x, y;

static void *first(void *arg) {
    (void)arg;
    x = 1;
    return (void *)(intptr_t)y;
}

static void *second(void *arg) {
    (void)arg;
    y = 1;
    return (void *)(intptr_t)x;
}

int main(void) {
    pthread_t threads[2];
    void *seen_y, *seen_x;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], &seen_y);
    pthread_join(threads[1], &seen_x);
    assert(seen_y != NULL || seen_x != NULL); // else both stores came after both loads
    return 0;
}

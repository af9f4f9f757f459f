// Each thread sets its flag, and then looks at the flag of the other thread. Under sequential
// consistency at least one of them sees the other's flag. With release and acquire, both may miss it.
//
//     mazurka check examples/c/store_buffering.c --memory-model rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *first(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_release);
    a = atomic_load_explicit(&y, memory_order_acquire);
    return 0;
}

static void *second(void *arg) {
    atomic_store_explicit(&y, 1, memory_order_release);
    b = atomic_load_explicit(&x, memory_order_acquire);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(a || b);
}

// N threads acquire and release a test-and-test-and-set lock once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int locked;
static int inside;

static void *process(void *arg) {
    do {
        while (locked)
            ;
    } while (atomic_exchange(&locked, 1));
    inside++;
    assert(inside == 1);
    inside--;
    locked = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, process, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

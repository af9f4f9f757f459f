// Two threads; each at most N times: stores its id to x, stores 1 to y, and if it still reads its own id
// from x, reads y and stops. Nobody is joined. As a lock, it does not exclude.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

atomic_int x, y;

static void *worker(void *arg) {
    int id = (int)(intptr_t)arg;
    int seen = 0;
    for (int i = 0; i < N; i++) {
        x = id;
        y = 1;
        if (x == id) {
            seen = y;
            break;
        }
    }
    return (void *)(intptr_t)seen;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, (void *)1);
    pthread_create(&second, NULL, worker, (void *)2);
    return 0;
}

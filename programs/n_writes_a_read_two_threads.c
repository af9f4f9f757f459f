// Two threads; each stores N times to x, then loads it. Nobody is joined.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

atomic_int x;

static void *worker(void *arg) {
    int id = (int)(intptr_t)arg;
    for (int i = 0; i < N; i++)
        x = id * 1000 + i;
    return (void *)(intptr_t)x;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, (void *)1);
    pthread_create(&second, NULL, worker, (void *)2);
    return 0;
}

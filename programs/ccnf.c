// N-1 threads write pairwise one variable: threads 2i and 2i+1 write variable i. Nobody is joined.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 5
#endif

atomic_int x[(N + 1) / 2];

static void *writer(void *arg) {
    int id = (int)(intptr_t)arg;
    x[id / 2] = id;
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t id = 0; id < N - 1; id++)
        pthread_create(&thread, NULL, writer, (void *)id);
    return 0;
}

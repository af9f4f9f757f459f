// One thread writes x, N threads read it; nobody is joined.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

atomic_int x;

static void *writer(void *arg) {
    (void)arg;
    x = 1;
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    return (void *)(intptr_t)x;
}

int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, writer, NULL);
    for (int i = 1; i <= N; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
    return 0;
}

// A writer stores 1 to N, and a reader spins until it sees N.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *writer(void *arg) {
    for (int i = 1; i <= N; i++)
        x = i;
    return NULL;
}

static void *reader(void *arg) {
    while (x != N)
        ;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}

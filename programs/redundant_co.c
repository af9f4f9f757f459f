// Two threads store N times each to x; a third loads x twice. Nobody is joined.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

atomic_int x;

static void *writer(void *arg) {
    int id = (int)(intptr_t)arg;
    for (int i = 0; i < N; i++)
        x = id * 1000 + i;
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    int first = x;
    int second = x;
    return (void *)(intptr_t)(first + second);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, (void *)1);
    pthread_create(&thread, NULL, writer, (void *)2);
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}

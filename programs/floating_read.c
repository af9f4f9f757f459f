// N threads store to x, one more reads it; nobody is joined.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

atomic_int x;

static void *writer(void *arg) {
    x = (int)(intptr_t)arg;
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    return (void *)(intptr_t)x;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 1; i <= N; i++)
        pthread_create(&thread, NULL, writer, (void *)i);
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}

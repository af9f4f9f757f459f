// N threads write two words under a sequence lock, and R threads read them, once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 1
#endif
#ifndef R
#define R 1
#endif

static atomic_int sequence, a, b;

static void *writer(void *arg) {
    int value = (int)(intptr_t)arg;
    int before;
    do {
        while ((before = sequence) & 1)
            ;
    } while (!atomic_compare_exchange_strong(&sequence, &before, before + 1));
    a = value;
    b = value;
    sequence = before + 2;
    return NULL;
}

static void *reader(void *arg) {
    int before, x, y;
    do {
        while ((before = sequence) & 1)
            ;
        x = a;
        y = b;
    } while (sequence != before);
    assert(x == y);
    return NULL;
}

int main(void) {
    pthread_t writers[N], readers[R];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, writer, (void *)(i + 1));
    for (int i = 0; i < R; i++)
        pthread_create(&readers[i], NULL, reader, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    for (int i = 0; i < R; i++)
        pthread_join(readers[i], NULL);
    return 0;
}

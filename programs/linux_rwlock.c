// R threads acquire a reader-writer lock for reading and N for writing, once each. The lock counts
// down from BIAS, as Linux's did: a writer takes all of it, and a reader takes 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1
#endif
#ifndef R
#define R 1
#endif
#define BIAS 0x100000

static atomic_int lock = BIAS;
static int shared;

static void *reader(void *arg) {
    while (atomic_fetch_sub(&lock, 1) <= 0) {
        atomic_fetch_add(&lock, 1);
        while (lock <= 0)
            ;
    }
    int seen = shared;
    assert(seen == shared);
    atomic_fetch_add(&lock, 1);
    return NULL;
}

static void *writer(void *arg) {
    while (atomic_fetch_sub(&lock, BIAS) != BIAS) {
        atomic_fetch_add(&lock, BIAS);
        while (lock != BIAS)
            ;
    }
    shared++;
    atomic_fetch_add(&lock, BIAS);
    return NULL;
}

int main(void) {
    pthread_t readers[R], writers[N];
    for (int i = 0; i < R; i++)
        pthread_create(&readers[i], NULL, reader, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, writer, NULL);
    for (int i = 0; i < R; i++)
        pthread_join(readers[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    return 0;
}

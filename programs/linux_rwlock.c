// N threads read and N threads write under a reader-writer lock as in Linux: a counter from which a reader
// subtracts 1, and a writer everything.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif
#define FREE 0x100000

static atomic_int counter = FREE;
static int data;

static void read_lock(void) {
    while (atomic_fetch_sub(&counter, 1) <= 0) {
        atomic_fetch_add(&counter, 1);
        while (counter <= 0)
            ;
    }
}

static void read_unlock(void) {
    atomic_fetch_add(&counter, 1);
}

static void write_lock(void) {
    while (atomic_fetch_sub(&counter, FREE) != FREE) {
        atomic_fetch_add(&counter, FREE);
        while (counter != FREE)
            ;
    }
}

static void write_unlock(void) {
    atomic_fetch_add(&counter, FREE);
}

static void *reader(void *arg) {
    read_lock();
    assert(data % 2 == 0);
    read_unlock();
    return arg;
}

static void *writer(void *arg) {
    write_lock();
    data++;
    data++;
    write_unlock();
    return arg;
}

int main(void) {
    pthread_t readers[N], writers[N];
    for (int i = 0; i < N; i++)
        pthread_create(&readers[i], NULL, reader, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, writer, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(readers[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    return 0;
}

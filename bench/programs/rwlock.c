// N threads read and N threads write under a reader-writer lock as in Linux: a counter from which a reader
// subtracts 1, and a writer everything.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 1
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#define FREE 0x100000

static atomic_int counter = FREE;
static int data;

static void read_lock(void) {
    while (atomic_fetch_sub_explicit(&counter, 1, memory_order_acquire) <= 0) {
        atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
        while (atomic_load_explicit(&counter, memory_order_relaxed) <= 0)
            ;
    }
}

static void read_unlock(void) {
    atomic_fetch_add_explicit(&counter, 1, memory_order_release);
}

static void write_lock(void) {
    while (atomic_fetch_sub_explicit(&counter, FREE, memory_order_acquire) != FREE) {
        atomic_fetch_add_explicit(&counter, FREE, memory_order_relaxed);
        while (atomic_load_explicit(&counter, memory_order_relaxed) != FREE)
            ;
    }
}

static void write_unlock(void) {
    atomic_fetch_add_explicit(&counter, FREE, RELEASE);
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

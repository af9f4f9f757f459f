// N threads enqueue to a bounded queue with sequence numbers, and N threads dequeue, once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#define SIZE 2

struct cell {
    atomic_int sequence;
    int value;
};

static struct cell cells[SIZE];
static atomic_int writes, reads;

static void *enqueue(void *arg) {
    int mine = atomic_fetch_add_explicit(&writes, 1, memory_order_relaxed);
    struct cell *cell = &cells[mine % SIZE];
    while (atomic_load_explicit(&cell->sequence, memory_order_acquire) != mine)
        ;
    cell->value = (int)(intptr_t)arg;
    atomic_store_explicit(&cell->sequence, mine + 1, RELEASE);
    return NULL;
}

static void *dequeue(void *arg) {
    int mine = atomic_fetch_add_explicit(&reads, 1, memory_order_relaxed);
    struct cell *cell = &cells[mine % SIZE];
    while (atomic_load_explicit(&cell->sequence, memory_order_acquire) != mine + 1)
        ;
    assert(cell->value > 0);
    atomic_store_explicit(&cell->sequence, mine + SIZE, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t writers[N], readers[N];
    for (int i = 0; i < SIZE; i++)
        atomic_init(&cells[i].sequence, i);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, enqueue, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_create(&readers[i], NULL, dequeue, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_join(readers[i], NULL);
    return 0;
}

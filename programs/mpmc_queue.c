// N threads enqueue to a bounded queue, and N threads dequeue from it, once each. Every cell has a
// sequence number that says whose turn it is; threads spin until it is theirs.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 1
#endif
#define SIZE 2

struct cell {
    atomic_int sequence;
    int value;
};

static struct cell cells[SIZE];
static atomic_int writes, reads;
static int taken[N + 1];

static void enqueue(int value) {
    int mine = atomic_fetch_add(&writes, 1);
    struct cell *cell = &cells[mine % SIZE];
    while (cell->sequence != mine)
        ;
    cell->value = value;
    cell->sequence = mine + 1;
}

static int dequeue(void) {
    int mine = atomic_fetch_add(&reads, 1);
    struct cell *cell = &cells[mine % SIZE];
    while (cell->sequence != mine + 1)
        ;
    int value = cell->value;
    cell->sequence = mine + SIZE;
    return value;
}

static void *writer(void *arg) {
    enqueue((int)(intptr_t)arg);
    return NULL;
}

static void *reader(void *arg) {
    return (void *)(intptr_t)dequeue();
}

int main(void) {
    pthread_t writers[N], readers[N];
    for (int i = 0; i < SIZE; i++)
        cells[i].sequence = i;
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, writer, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_create(&readers[i], NULL, reader, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    for (int i = 0; i < N; i++) {
        void *value;
        pthread_join(readers[i], &value);
        assert(taken[(intptr_t)value]++ == 0);
    }
    return 0;
}

// N threads each insert 4 values w = 11k + tid (k = 1..4) into a table of 128 cells, at cell 7w mod 128,
// moving on by one at a collision. A cell is tested and set under its own mutex.
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef N
#define N 12
#endif
#define CELLS 128
#define VALUES 4

static int table[CELLS];
static pthread_mutex_t locks[CELLS];

static bool set_if_empty(int cell, int value) {
    bool was_empty = false;
    pthread_mutex_lock(&locks[cell]);
    if (table[cell] == 0) {
        table[cell] = value;
        was_empty = true;
    }
    pthread_mutex_unlock(&locks[cell]);
    return was_empty;
}

static void *insert(void *arg) {
    int id = (int)(intptr_t)arg;
    for (int k = 1; k <= VALUES; k++) {
        int value = 11 * k + id;
        int cell = 7 * value % CELLS;
        while (!set_if_empty(cell, value))
            cell = (cell + 1) % CELLS;
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < CELLS; i++)
        pthread_mutex_init(&locks[i], NULL);
    pthread_t thread;
    for (intptr_t id = 0; id < N; id++)
        pthread_create(&thread, NULL, insert, (void *)id);
    return 0;
}

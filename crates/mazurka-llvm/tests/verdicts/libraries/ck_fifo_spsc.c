// correct
// with: needs=ck_fifo.h
// mistake: assertion
#include <assert.h>
#include <ck_fifo.h>
#include <pthread.h>

static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t stub, entries[2];
static int values[2] = {1, 2};

static void *produce(void *unused) {
    ck_fifo_spsc_enqueue(&fifo, &entries[0], &values[0]);
    ck_fifo_spsc_enqueue(&fifo, &entries[1], &values[1]);
    return NULL;
}

int main(void) {
    pthread_t thread;
    ck_fifo_spsc_init(&fifo, &stub);
    pthread_create(&thread, NULL, produce, NULL);
    int *value, sum = 0;
    for (int i = 0; i < 2; i++)
        if (ck_fifo_spsc_dequeue(&fifo, &value)) sum = 10 * sum + *value;
#ifdef MISTAKE
    assert(sum != 12);
#else
    assert(sum == 0 || sum == 1 || sum == 12);
#endif
    pthread_join(thread, NULL);
}

// correct
// with: needs=ck_fifo.h
// mistake: assertion
#include <assert.h>
#include <ck_fifo.h>
#include <pthread.h>

static ck_fifo_mpmc_t fifo;
static ck_fifo_mpmc_entry_t stub, entries[2];
static int values[2] = {1, 2};

static void *produce(void *unused) {
    ck_fifo_mpmc_enqueue(&fifo, &entries[0], &values[0]);
    return NULL;
}

int main(void) {
    pthread_t thread;
    ck_fifo_mpmc_init(&fifo, &stub);
    pthread_create(&thread, NULL, produce, NULL);
    ck_fifo_mpmc_enqueue(&fifo, &entries[1], &values[1]);
    ck_fifo_mpmc_entry_t *garbage;
    int *value;
    assert(ck_fifo_mpmc_dequeue(&fifo, &value, &garbage));
#ifdef MISTAKE
    assert(*value == 2);
#endif
    int sum = *value;
    pthread_join(thread, NULL);
    assert(ck_fifo_mpmc_dequeue(&fifo, &value, &garbage));
    assert(sum + *value == 3);
}

// correct
// with: needs=ck_ring.h
// mistake: assertion
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int values[2] = {1, 2};

static void *produce(void *value) {
#ifdef MISTAKE
    ck_ring_enqueue_spsc(&ring, buffer, value);
#else
    ck_ring_enqueue_mpsc(&ring, buffer, value);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    ck_ring_init(&ring, 4);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, produce, &values[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int *value, sum = 0;
    while (ck_ring_dequeue_mpsc(&ring, buffer, &value)) sum += *value;
    assert(sum == 3);
}

// correct
// with: needs=urcu/wfcqueue.h
// mistake: assertion
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/wfcqueue.h>

/* Two producers of a wait-free queue; the consumer takes both nodes after they have ended. */
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[2];

static void *produce(void *node) {
    cds_wfcq_enqueue(&head, &tail, node);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    cds_wfcq_init(&head, &tail);
    for (int i = 0; i < 2; i++) {
        cds_wfcq_node_init(&nodes[i]);
        pthread_create(&threads[i], NULL, produce, &nodes[i]);
    }
#ifdef MISTAKE
    struct cds_wfcq_node *early = __cds_wfcq_dequeue_nonblocking(&head, &tail);
    assert(early == NULL);
#endif
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    struct cds_wfcq_node *first = __cds_wfcq_dequeue_blocking(&head, &tail);
    struct cds_wfcq_node *second = __cds_wfcq_dequeue_blocking(&head, &tail);
    assert(first && second && first != second);
    assert(cds_wfcq_empty(&head, &tail));
}

// correct
// with: needs=urcu/wfstack.h
// mistake: assertion
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/wfstack.h>

static struct cds_wfs_stack stack;
static struct cds_wfs_node nodes[2];

static void *run(void *node) {
    cds_wfs_push(&stack, node);
    return NULL;
}

int main(void) {
    pthread_t thread;
    cds_wfs_init(&stack);
    cds_wfs_node_init(&nodes[0]);
    cds_wfs_node_init(&nodes[1]);
    pthread_create(&thread, NULL, run, &nodes[0]);
    run(&nodes[1]);
#ifndef MISTAKE
    pthread_join(thread, NULL);
#endif
    struct cds_wfs_head *all = __cds_wfs_pop_all(&stack);
    struct cds_wfs_node *node;
    int count = 0;
    cds_wfs_for_each_blocking(all, node) count++;
    assert(count == 2);
}

// correct
// with: needs=urcu/lfstack.h
// mistake: assertion
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/lfstack.h>

static struct cds_lfs_stack stack;
static struct cds_lfs_node nodes[2];

static void *run(void *node) {
    cds_lfs_push(&stack, node);
#ifdef MISTAKE
    return __cds_lfs_pop_all(&stack);
#else
    return cds_lfs_pop_blocking(&stack);
#endif
}

int main(void) {
    pthread_t thread;
    cds_lfs_init(&stack);
    cds_lfs_node_init(&nodes[0]);
    cds_lfs_node_init(&nodes[1]);
    pthread_create(&thread, NULL, run, &nodes[0]);
    void *mine = run(&nodes[1]), *other;
    pthread_join(thread, &other);
    assert(mine && other && mine != other && cds_lfs_empty(&stack));
}

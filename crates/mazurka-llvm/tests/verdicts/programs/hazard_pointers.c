// correct
//
// mistake: invalid-memory
#include <genmc.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
};

static _Atomic(struct node *) top;

static void *reader(void *unused) {
    __VERIFIER_hp_t *hp = __VERIFIER_hp_alloc();
#ifdef MISTAKE
    struct node *node = atomic_load(&top);
#else
    struct node *node = __VERIFIER_hp_protect(hp, &top);
#endif
    if (node) assert(node->value == 42);
    __VERIFIER_hp_clear(hp);
    __VERIFIER_hp_free(hp);
    return NULL;
}

int main(void) {
    struct node *node = malloc(sizeof *node);
    node->value = 42;
    atomic_init(&top, node);
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    __VERIFIER_final_write(atomic_store(&top, NULL));
    __VERIFIER_hp_retire(node);
    pthread_join(thread, NULL);
}

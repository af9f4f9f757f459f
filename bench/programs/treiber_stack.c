// N threads push to a stack of Treiber, and one thread pops from it, once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif

struct node {
    int value;
    struct node *next;
};

static struct node nodes[N + 1];
static _Atomic(struct node *) top;

static void *push(void *arg) {
    struct node *node = &nodes[(intptr_t)arg];
    node->value = (int)(intptr_t)arg;
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        node->next = old;
    while (!atomic_compare_exchange_strong_explicit(&top, &old, node, RELEASE,
                                                    memory_order_relaxed));
    return NULL;
}

static void *pop(void *arg) {
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    while (old != NULL)
        if (atomic_compare_exchange_strong_explicit(&top, &old, old->next, memory_order_acquire,
                                                    memory_order_acquire)) {
            assert(old->value > 0);
            break;
        }
    return arg;
}

int main(void) {
    pthread_t writers[N], reader;
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, push, (void *)(i + 1));
    pthread_create(&reader, NULL, pop, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    pthread_join(reader, NULL);
    return 0;
}

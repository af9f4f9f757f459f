// N threads enqueue to a queue of Michael and Scott, and one thread dequeues, once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[N + 1];
static _Atomic(struct node *) head = &nodes[0], tail = &nodes[0];

static void *enqueue(void *arg) {
    struct node *node = &nodes[(intptr_t)arg];
    node->value = (int)(intptr_t)arg;
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next != NULL) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&last->next, &next, node, RELEASE,
                                                    memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release,
                                                    memory_order_relaxed);
            return NULL;
        }
    }
}

static void *dequeue(void *arg) {
    struct node *first = atomic_load_explicit(&head, memory_order_acquire);
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (next != NULL) {
        assert(next->value > 0);
        atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release,
                                                memory_order_relaxed);
    }
    return arg;
}

int main(void) {
    pthread_t writers[N], reader;
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, enqueue, (void *)(i + 1));
    pthread_create(&reader, NULL, dequeue, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    pthread_join(reader, NULL);
    return 0;
}

// N threads enqueue to a queue of Michael and Scott, and R threads dequeue from it, once each. A dequeue fails if
// the queue is empty.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef R
#define R 1
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[N + 1];
static _Atomic(struct node *) head = &nodes[0], tail = &nodes[0];
static int taken[R];

static void *enqueue(void *arg) {
    struct node *node = &nodes[(intptr_t)arg];
    node->value = (int)(intptr_t)arg;
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
        if (last != atomic_load(&tail))
            continue;
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return NULL;
        }
    }
}

static void *dequeue(void *arg) {
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (first != atomic_load(&head))
            continue;
        if (first == last) {
            if (next == NULL)
                return NULL;
            atomic_compare_exchange_strong(&tail, &last, next);
        } else {
            int value = next->value;
            if (atomic_compare_exchange_strong(&head, &first, next)) {
                taken[(intptr_t)arg] = value;
                return NULL;
            }
        }
    }
}

int main(void) {
    pthread_t writers[N], readers[R];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, enqueue, (void *)(i + 1));
    for (intptr_t i = 0; i < R; i++)
        pthread_create(&readers[i], NULL, dequeue, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    for (int i = 0; i < R; i++)
        pthread_join(readers[i], NULL);
    for (int i = 0; i < R; i++)
        for (int j = 0; j < i; j++)
            assert(taken[i] == 0 || taken[i] != taken[j]);
    return 0;
}

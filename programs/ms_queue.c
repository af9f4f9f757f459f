// N threads enqueue to a queue of Michael and Scott, and R threads dequeue from it, once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 1
#endif
#ifndef R
#define R N
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[N + 1];
static _Atomic(struct node *) head, tail;
static int taken[N + 1];

static void enqueue(struct node *node) {
    while (1) {
        struct node *end = tail;
        struct node *next = end->next;
        if (end != tail)
            continue;
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &end, next);
        } else if (atomic_compare_exchange_strong(&end->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &end, node);
            return;
        }
    }
}

static int dequeue(void) {
    while (1) {
        struct node *start = head;
        struct node *end = tail;
        struct node *next = start->next;
        if (start != head)
            continue;
        if (next == NULL)
            return 0;
        if (start == end)
            atomic_compare_exchange_strong(&tail, &end, next);
        else if (atomic_compare_exchange_strong(&head, &start, next))
            return next->value;
    }
}

static void *writer(void *arg) {
    struct node *node = &nodes[(intptr_t)arg];
    node->value = (int)(intptr_t)arg;
    enqueue(node);
    return NULL;
}

static void *reader(void *arg) {
    return (void *)(intptr_t)dequeue();
}

int main(void) {
    pthread_t writers[N], readers[R];
    head = tail = &nodes[0];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, writer, (void *)(i + 1));
    for (int i = 0; i < R; i++)
        pthread_create(&readers[i], NULL, reader, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    for (int i = 0; i < R; i++) {
        void *value;
        pthread_join(readers[i], &value);
        if (value != NULL)
            assert(taken[(intptr_t)value]++ == 0);
    }
    return 0;
}

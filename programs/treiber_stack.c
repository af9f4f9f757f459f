// N threads push to a stack of Treiber, and R threads pop from it, once each.
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
    struct node *next;
};

static struct node nodes[N + 1];
static _Atomic(struct node *) top;
static int taken[N + 1];

static void push(struct node *node) {
    struct node *old = top;
    do
        node->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

static int pop(void) {
    struct node *old = top;
    while (old != NULL)
        if (atomic_compare_exchange_strong(&top, &old, old->next))
            return old->value;
    return 0;
}

static void *writer(void *arg) {
    struct node *node = &nodes[(intptr_t)arg];
    node->value = (int)(intptr_t)arg;
    push(node);
    return NULL;
}

static void *reader(void *arg) {
    return (void *)(intptr_t)pop();
}

int main(void) {
    pthread_t writers[N], readers[R];
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

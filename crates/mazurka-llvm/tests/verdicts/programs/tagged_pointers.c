// correct
// with: races
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* A stack whose head has a version in its upper 16 bits, and nodes with a mark in their lowest bit. */
struct node {
    uintptr_t next;
    int value;
};

static _Atomic uint64_t head;

static struct node *pointer(uint64_t word) { return (struct node *)(word & 0xffffffffffff); }

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    uint64_t old = atomic_load(&head), new;
    do {
        node->next = (uintptr_t)pointer(old) | 1;
        new = (uint64_t)(uintptr_t)node | ((old >> 48) + 1) << 48;
    } while (!atomic_compare_exchange_strong(&head, &old, new));
}

static void *run(void *argument) {
    push((int)(intptr_t)argument);
    return NULL;
}

int main(void) {
    static char large[100000];
    char *end = large + sizeof large - 1;
    *end = 7;
    assert((uintptr_t)end < (uintptr_t)1 << 47 && large[99999] == 7);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, run, (void *)1);
    pthread_create(&threads[1], NULL, run, (void *)2);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    uint64_t word = atomic_load(&head);
    struct node *first = pointer(word), *second = (struct node *)(first->next & ~(uintptr_t)1);
    assert(word >> 48 == 2);
    assert(first->value + second->value == 3 && second->next == 1);
    free(second);
    free(first);
}

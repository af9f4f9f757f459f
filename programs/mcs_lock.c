// N threads acquire and release a queue lock of Mellor-Crummey and Scott once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_int waits;
};

static struct waiter waiters[N];
static _Atomic(struct waiter *) last;
static int inside;

static void lock(struct waiter *me) {
    struct waiter *before = atomic_exchange(&last, me);
    if (before != NULL) {
        me->waits = 1;
        before->next = me;
        while (me->waits)
            ;
    }
}

static void unlock(struct waiter *me) {
    struct waiter *after = me->next;
    if (after == NULL) {
        struct waiter *expected = me;
        if (atomic_compare_exchange_strong(&last, &expected, NULL))
            return;
        while ((after = me->next) == NULL)
            ;
    }
    after->waits = 0;
}

static void *process(void *arg) {
    struct waiter *me = &waiters[(intptr_t)arg];
    lock(me);
    inside++;
    assert(inside == 1);
    inside--;
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, process, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

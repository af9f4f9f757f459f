// N threads acquire and release a ticket lock once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif

static atomic_int next_ticket, now_serving;
static int inside;

static void lock(void *arg) {
    (void)arg;
    int mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine)
        ;
}

static void unlock(void *arg) {
    (void)arg;
    int mine = atomic_load_explicit(&now_serving, memory_order_relaxed);
    atomic_store_explicit(&now_serving, mine + 1, RELEASE);
}

static void *process(void *arg) {
    lock(arg);
    inside++;
    assert(inside == 1);
    inside--;
    unlock(arg);
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

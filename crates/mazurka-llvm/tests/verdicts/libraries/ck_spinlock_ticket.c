// correct
// with: needs=ck_spinlock.h races
// mistake: data-race
#include <ck_spinlock.h>
#include <assert.h>
#include <pthread.h>

static ck_spinlock_ticket_t lock;
static int counter;

static void *run(void *unused) {
    
    ck_spinlock_ticket_lock(&lock);
    counter++;
#ifndef MISTAKE
    ck_spinlock_ticket_unlock(&lock);
#else
    ck_spinlock_ticket_unlock(&lock);
    counter++;
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    ck_spinlock_ticket_init(&lock);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counter == 2);
}

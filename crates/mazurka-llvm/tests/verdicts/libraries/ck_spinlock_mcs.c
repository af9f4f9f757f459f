// correct
// with: needs=ck_spinlock.h races
// mistake: data-race
#include <ck_spinlock.h>
#include <assert.h>
#include <pthread.h>

static ck_spinlock_mcs_t lock;
static int counter;

static void *run(void *unused) {
    ck_spinlock_mcs_context_t context;
    
    ck_spinlock_mcs_lock(&lock, &context);
    counter++;
#ifndef MISTAKE
    ck_spinlock_mcs_unlock(&lock, &context);
#else
    ck_spinlock_mcs_unlock(&lock, &context);
    counter++;
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counter == 2);
}

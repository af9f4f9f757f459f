// correct
// with: needs=ck_rwlock.h races
// mistake: data-race
#include <ck_rwlock.h>
#include <assert.h>
#include <pthread.h>

static ck_rwlock_t lock;
static int counter;

static void *run(void *unused) {
    
    ck_rwlock_write_lock(&lock);
    counter++;
#ifndef MISTAKE
    ck_rwlock_write_unlock(&lock);
#else
    ck_rwlock_write_unlock(&lock);
    counter++;
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    ck_rwlock_init(&lock);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counter == 2);
}

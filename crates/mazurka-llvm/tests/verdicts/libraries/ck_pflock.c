// correct
// with: needs=ck_pflock.h races
// mistake: data-race
#include <ck_pflock.h>
#include <assert.h>
#include <pthread.h>

static ck_pflock_t lock;
static int counter;

static void *run(void *unused) {
    
    ck_pflock_write_lock(&lock);
    counter++;
#ifndef MISTAKE
    ck_pflock_write_unlock(&lock);
#else
    ck_pflock_write_unlock(&lock);
    counter++;
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    ck_pflock_init(&lock);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counter == 2);
}

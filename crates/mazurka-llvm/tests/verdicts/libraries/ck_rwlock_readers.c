// correct
// with: needs=ck_rwlock.h races rc11
// mistake: data-race
#include <assert.h>
#include <ck_rwlock.h>
#include <pthread.h>

static ck_rwlock_t lock;
static int a, b;

static void *write(void *unused) {
#ifdef MISTAKE
    ck_rwlock_read_lock(&lock);
#else
    ck_rwlock_write_lock(&lock);
#endif
    a = 1;
    b = 1;
#ifdef MISTAKE
    ck_rwlock_read_unlock(&lock);
#else
    ck_rwlock_write_unlock(&lock);
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    ck_rwlock_init(&lock);
    pthread_create(&thread, NULL, write, NULL);
    ck_rwlock_read_lock(&lock);
    assert(a == b);
    ck_rwlock_read_unlock(&lock);
    pthread_join(thread, NULL);
}

// correct
// with: needs=ck_brlock.h races rc11
// mistake: data-race
#include <assert.h>
#include <ck_brlock.h>
#include <pthread.h>

static ck_brlock_t lock = CK_BRLOCK_INITIALIZER;
static int a, b;

static void *write(void *unused) {
    ck_brlock_write_lock(&lock);
    a = 1;
    b = 1;
    ck_brlock_write_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    ck_brlock_reader_t reader;
    ck_brlock_read_register(&lock, &reader);
    pthread_create(&thread, NULL, write, NULL);
    ck_brlock_read_lock(&lock, &reader);
#ifdef MISTAKE
    ck_brlock_read_unlock(&reader);
#endif
    assert(a == b);
#ifndef MISTAKE
    ck_brlock_read_unlock(&reader);
#endif
    pthread_join(thread, NULL);
}

// A reader-writer lock in one word, with two readers and two writers, which spin until they get it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WRITER -1

static atomic_int lock; // how many readers there are, or WRITER
static int value;       // what it protects

static void *reader(void *arg) {
    for (;;) {
        int readers = lock;
        if (readers != WRITER && atomic_compare_exchange_strong(&lock, &readers, readers + 1))
            break;
    }
    int first = value, second = value;
    assert(first == second);
    atomic_fetch_sub(&lock, 1);
    return arg;
}

static void *writer(void *arg) {
    for (;;) {
        int nobody = 0;
        if (atomic_compare_exchange_strong(&lock, &nobody, WRITER))
            break;
    }
    value++;
    lock = 0;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_create(&thread, NULL, reader, NULL);
    pthread_create(&thread, NULL, writer, NULL);
    pthread_create(&thread, NULL, writer, NULL);
    return 0;
}

// One thread stores data, then a flag; another loads the flag, and if that is set, the data. Nobody is
// joined.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data, flag;

static void *sender(void *arg) {
    data = 42;
    flag = 1;
    return arg;
}

static void *receiver(void *arg) {
    if (flag == 1)
        assert(data == 42);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    pthread_create(&thread, NULL, receiver, NULL);
    return 0;
}

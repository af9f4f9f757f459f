// A reference counter that is not counted down in one go: both owners may find that they are not the last
// one, or one may look at the counter after the other has freed it.
//
//     mazurka check examples/c/use_after_free.c
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int owners;
    int value;
};

static void *owner(void *arg) {
    struct shared *shared = arg;
    atomic_fetch_sub(&shared->owners, 1);
    if (shared->owners == 0) // too late: the other owner may have freed it by now
        free(shared);
    return NULL;
}

int main(void) {
    struct shared *shared = malloc(sizeof *shared);
    shared->owners = 2;
    shared->value = 7;
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, owner, shared);
    pthread_create(&threads[1], NULL, owner, shared);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}

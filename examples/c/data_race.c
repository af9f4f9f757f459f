// A message and a flag that says that it is there. The flag is atomic; but it is set too early, so that
// the message may be read while it is being written.
//
//     mazurka check --races error examples/c/data_race.c
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_bool ready;
static int message;

static void *sender(void *arg) {
    ready = 1;
    message = 42;
    return arg;
}

static void *receiver(void *arg) {
    if (ready)
        printf("received %d\n", message);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, sender, NULL);
    pthread_create(&threads[1], NULL, receiver, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}

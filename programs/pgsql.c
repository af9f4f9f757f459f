// Two workers hand a token to each other for ever, each with a latch that it waits for: how PostgreSQL's
// processes wake each other. Who finds its latch set must find its flag set too.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static volatile int latch[2] = {1, 0}, flag[2] = {1, 0};

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg, other = 1 - me;
    for (;;) {
        while (!latch[me])
            ;
        latch[me] = 0;
        assert(flag[me]);
        flag[me] = 0;
        flag[other] = 1;
        latch[other] = 1;
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, (void *)0);
    pthread_create(&second, NULL, worker, (void *)1);
    return 0;
}

// Peterson's mutex for two threads, which spin on plain variables.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static volatile int interested[2], turn;

static int inside;

static void critical_section(void) {
    inside++;
    assert(inside == 1);
    inside--;
}

static void *process(void *arg) {
    int me = (int)(intptr_t)arg, other = 1 - me;
    interested[me] = 1;
    turn = other;
    while (interested[other] && turn == other)
        ;
    critical_section();
    interested[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, process, (void *)0);
    pthread_create(&second, NULL, process, (void *)1);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}

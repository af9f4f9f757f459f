// Dekker's mutex for two threads, which spin on plain variables.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static volatile int wants[2], turn;

static int inside;

static void critical_section(void) {
    inside++;
    assert(inside == 1);
    inside--;
}

static void *process(void *arg) {
    int me = (int)(intptr_t)arg, other = 1 - me;
    wants[me] = 1;
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
    }
    critical_section();
    turn = other;
    wants[me] = 0;
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

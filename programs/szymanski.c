// Szymanski's mutex for two threads, which spin on plain variables.
//
// A flag is 0 outside, 1 when its thread wants to come in, 3 when it stands in the doorway, 2 when it waits
// there for others to come in too, and 4 when the door behind it is closed.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static volatile int flag[2];

static int inside;

static void critical_section(void) {
    inside++;
    assert(inside == 1);
    inside--;
}

static void *process(void *arg) {
    int me = (int)(intptr_t)arg, other = 1 - me;
    flag[me] = 1;
    while (flag[other] >= 3)
        ;
    flag[me] = 3;
    if (flag[other] == 1) {
        flag[me] = 2;
        while (flag[other] != 4)
            ;
    }
    flag[me] = 4;
    if (me > other) {
        while (flag[other] >= 2)
            ;
    }
    critical_section();
    if (me < other) {
        for (;;) {
            int seen = flag[other];
            if (seen < 2 || seen > 3)
                break;
        }
    }
    flag[me] = 0;
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

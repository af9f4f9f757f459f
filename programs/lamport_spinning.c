// Lamport's second fast mutex for N threads, once each, which spin on plain variables.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static volatile int x, y;
static volatile int b[N + 1]; // by thread; the first one is number 1

static int inside;

static void critical_section(void) {
    inside++;
    assert(inside == 1);
    inside--;
}

static void *process(void *arg) {
    int i = (int)(intptr_t)arg;
start:
    b[i] = 1;
    x = i;
    if (y != 0) {
        b[i] = 0;
        while (y != 0)
            ;
        goto start;
    }
    y = i;
    if (x != i) {
        b[i] = 0;
        for (int j = 1; j <= N; j++)
            while (b[j])
                ;
        if (y != i) {
            while (y != 0)
                ;
            goto start;
        }
    }
    critical_section();
    y = 0;
    b[i] = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, process, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

// x = 0; thread i (1..N) does one compare-exchange of x from i-1 to i.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

atomic_int x;

static void *rotate(void *arg) {
    int i = (int)(intptr_t)arg;
    int expected = i - 1;
    atomic_compare_exchange_strong(&x, &expected, i);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 1; i <= N; i++)
        pthread_create(&thread, NULL, rotate, (void *)i);
    return 0;
}

// i = j = 1; one thread does N times i = i + j, the other N times j = j + i. Main joins both, then reads
// i and j.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int i = 1, j = 1;

static void *grow_i(void *arg) {
    for (int k = 0; k < N; k++)
        i = i + j; // reads i, reads j, writes i
    return arg;
}

static void *grow_j(void *arg) {
    for (int k = 0; k < N; k++)
        j = j + i;
    return arg;
}

// Neither sum can get above what they get to by turns.
static int fibonacci(int n) {
    int this = 0, next = 1;
    for (int k = 0; k < n; k++) {
        int sum = this + next;
        this = next;
        next = sum;
    }
    return this;
}

int main(void) {
    int bound = fibonacci(2 * N + 2);
    pthread_t first, second;
    pthread_create(&first, NULL, grow_i, NULL);
    pthread_create(&second, NULL, grow_j, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    int seen_i = i, seen_j = j;
    assert(seen_i <= bound && seen_j <= bound);
    return 0;
}

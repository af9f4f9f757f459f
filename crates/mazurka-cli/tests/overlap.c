// A byte of an integer is compared, but only in few executions.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, order[4], word;

static void *run(void *arg) {
    int me = (int)(long)arg;
    int place = atomic_fetch_add(&count, 1);
    atomic_store(&order[place], me);
    atomic_load(&order[(place + 1) % 4]);
    atomic_store(&word, me);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, run, (void *)i);
    char expected = 9;
    if (atomic_load(&order[1]) == 0 && atomic_load(&order[0]) == 2)
        atomic_compare_exchange_strong((atomic_char *)&word, &expected, 1);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}

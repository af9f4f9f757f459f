// N philosophers in a ring lock the fork to the left, then that to the right; main joins them all.
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t forks[N];

static void *philosopher(void *arg) {
    int left = (int)(intptr_t)arg;
    int right = (left + 1) % N;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

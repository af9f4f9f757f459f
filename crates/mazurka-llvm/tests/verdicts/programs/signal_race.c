// wrong: data-race
// with: races
// The handler writes what another thread reads.
#include <pthread.h>
#include <signal.h>

static int x;

static void handle(int signal) { x = 1; }

static void *run(void *unused) {
    raise(SIGUSR1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, run, NULL);
    int seen = x;
    pthread_join(thread, NULL);
    return seen;
}

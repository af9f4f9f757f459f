// correct
// with: races
// mistake: data-race
#include <pthread.h>
#include <stdlib.h>

#ifdef MISTAKE
#define SECOND first
#else
#define SECOND second
#endif

// `free` accesses the whole object, and two of its members are still apart.
static struct pair { int first, second; } *pair;

static void *write_first(void *unused) {
    pair->first = 1;
    return unused;
}

int main(void) {
    pair = malloc(sizeof *pair);
    pthread_t thread;
    pthread_create(&thread, NULL, write_first, NULL);
    pair->SECOND = 2;
    pthread_join(thread, NULL);
    free(pair);
    return 0;
}

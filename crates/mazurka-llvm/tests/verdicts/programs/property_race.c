// correct
// with: property=G!data-race
// mistake: data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef MISTAKE
static int x;
#else
static atomic_int x;
#endif

static void *run(void *unused) {
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    assert(x == 1);
    pthread_join(thread, NULL);
}

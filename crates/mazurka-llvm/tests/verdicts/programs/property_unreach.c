// correct
// with: property=G!call(reach_error())
// mistake: assertion: the program has reached an error
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}
void assume_abort_if_not(int condition) {
    if (!condition) abort();
}
int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *run(void *unused) {
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n != 0);
    if (n == 1) abort();
    int most = INT_MAX;
    most++; // wraps around: this is not what is checked
    if (n == 0 || most > 0) reach_error();
    if (x == 0) assert(0);
#ifdef MISTAKE
    reach_error();
#endif
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    reach_error();
}

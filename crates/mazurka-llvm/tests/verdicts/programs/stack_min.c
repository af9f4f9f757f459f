// correct
// With `_GNU_SOURCE`, the least size of a stack is asked for by a call of the C library. Handlers for `fork`,
// which a library registers, have no effect.
#define _GNU_SOURCE
#include <assert.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int done;

static void *work(void *arg) {
    done = 1;
    return arg;
}

int main(void) {
    assert(pthread_atfork(0, 0, 0) == 0);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    assert(PTHREAD_STACK_MIN > 0 && PTHREAD_STACK_MIN == sysconf(_SC_THREAD_STACK_MIN));
    assert(pthread_attr_setstacksize(&attributes, 4 * PTHREAD_STACK_MIN) == 0);
    pthread_t thread;
    pthread_create(&thread, &attributes, work, 0);
    pthread_join(thread, 0);
    assert(done == 1 && strchr(gnu_get_libc_version(), '.'));
}

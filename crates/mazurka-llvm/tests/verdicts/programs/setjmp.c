// correct
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int count;

static void fail(jmp_buf out, int depth) {
    volatile int local = depth;
    if (local == 0) longjmp(out, 7);
    fail(out, depth - 1);
}

static void *run(void *unused) {
    jmp_buf out;
    volatile int tries = 0;
    int result = setjmp(out);
    atomic_fetch_add(&count, 1);
    if (tries++ == 0) fail(out, 3);
    assert(result == 7 && tries == 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    run(NULL);
    pthread_join(thread, NULL);
    assert(count == 4);
}

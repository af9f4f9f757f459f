// correct
// with: needs=ck_sequence.h
// mistake: assertion
#include <assert.h>
#include <ck_sequence.h>
#include <pthread.h>

/* A sequence lock: a reader sees both fields of one version. */
static ck_sequence_t lock = CK_SEQUENCE_INITIALIZER;
static int a, b;

static void *write(void *unused) {
    ck_sequence_write_begin(&lock);
    ck_pr_store_int(&a, 1);
    ck_pr_store_int(&b, 1);
    ck_sequence_write_end(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    unsigned version;
    int x, y;
    pthread_create(&thread, NULL, write, NULL);
    do {
        version = ck_sequence_read_begin(&lock);
        x = ck_pr_load_int(&a);
        y = ck_pr_load_int(&b);
#ifdef MISTAKE
        break;
#endif
    } while (ck_sequence_read_retry(&lock, version));
    assert(x == y);
    pthread_join(thread, NULL);
}

// wrong: livelock
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_load_await_aint(atomic_int *, int condition, int operand);

static atomic_int x;

static void *wait(void *unused) {
    __VERIFIER_load_await_aint(&x, 2, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_join(thread, NULL);
}

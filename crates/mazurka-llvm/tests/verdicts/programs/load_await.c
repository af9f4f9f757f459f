// correct
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_load_await_aint(atomic_int *, int condition, int operand);
int __VERIFIER_xchg_await_aint(atomic_int *, int value, int condition, int operand);
enum { EQ = 2, NE = 5, SLT = 12, SGE = 11 };

static atomic_int x, lock;

static void *count(void *unused) {
    __VERIFIER_xchg_await_aint(&lock, 1, EQ, 0);
    atomic_store_explicit(&x, x + 1, memory_order_seq_cst);
    atomic_store(&lock, 0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, NULL);
    assert(__VERIFIER_load_await_aint(&x, NE, 0) >= 1);
    assert(__VERIFIER_load_await_aint(&x, SGE, 2) == 2);
    assert(__VERIFIER_xchg_await_aint(&x, -1, SLT, 3) == 2);
    assert(__VERIFIER_load_await_aint(&x, SLT, 0) == -1);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

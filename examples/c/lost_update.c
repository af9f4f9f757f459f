// Two tellers book a payment each. Each reads the balance, and writes it back with the payment added:
// if both read before either writes, a payment is lost.
//
//     mazurka check examples/c/lost_update.c
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int balance = 100;

static void *teller(void *arg) {
    int payment = (int)(intptr_t)arg;
    int before = balance;
    balance = before + payment;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, teller, (void *)20);
    pthread_create(&second, NULL, teller, (void *)50);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(balance == 170);
    return 0;
}

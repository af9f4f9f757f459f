// Two tellers book a payment each. Each reads the balance, and writes it back with the payment added:
// if both read before either writes, a payment is lost.
//
//     mazurka check examples/c/lost_update.c
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int balance = 100;

static void *teller(void *arg) {
    int payment = *(int *)arg;
    int before = balance;
    balance = before + payment;
    return NULL;
}

int main(void) {
    static int payments[] = {20, 50};
    pthread_t tellers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&tellers[i], NULL, teller, &payments[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(tellers[i], NULL);
    assert(balance == 170);
    return 0;
}

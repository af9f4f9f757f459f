// Two transfers between the same two accounts, in opposite directions. Each locks the account that it takes
// from, then the one that it gives to: each may get its first lock, and wait for the other's for ever.
//
//     mazurka check examples/c/deadlock.c
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *save(void *arg) {
    transfer(&checking, &savings, 10);
    return arg;
}

static void *spend(void *arg) {
    transfer(&savings, &checking, 25);
    return arg;
}

int main(void) {
    pthread_t saver, spender;
    pthread_create(&saver, NULL, save, NULL);
    pthread_create(&spender, NULL, spend, NULL);
    pthread_join(saver, NULL);
    pthread_join(spender, NULL);
    return 0;
}

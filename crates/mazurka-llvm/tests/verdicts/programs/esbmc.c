// correct
#include <pthread.h>

void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
int nondet_int(void);
unsigned char nondet_uchar(void);

static int counter;

static void *count(void *unused) {
    __ESBMC_atomic_begin();
    counter++;
    __ESBMC_atomic_end();
    return 0;
}

int main(void) {
    int n = nondet_int();
    __ESBMC_assume(n > 0);
    __ESBMC_assert(nondet_uchar() <= 2, "the range");
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    count(0);
    pthread_join(thread, 0);
    __ESBMC_assert(counter == 2 && n >= 1, "both have counted");
}

// correct
// with: needs=urcu/uatomic.h
// mistake: assertion
#include <assert.h>
#include <pthread.h>
#include <urcu/arch.h>
#include <urcu/uatomic.h>

static unsigned long count;
static unsigned flag, other;

static void *run(void *unused) {
    uatomic_inc(&count);
    uatomic_set(&flag, 1);
#ifndef MISTAKE
    cmm_smp_mb();
#endif
    return (void *)(unsigned long)uatomic_read(&other);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    uatomic_set(&other, 1);
    cmm_smp_mb();
    unsigned long mine = uatomic_read(&flag);
#ifdef MISTAKE
    uatomic_set(&count, uatomic_read(&count) + 1);
#else
    assert(uatomic_add_return(&count, 1) >= 1);
#endif
    void *theirs;
    pthread_join(thread, &theirs);
    assert(count == 2);
    assert(mine || theirs);
    assert(uatomic_cmpxchg(&count, 2, 5) == 2 && uatomic_xchg(&count, 6) == 5);
    uatomic_or(&flag, 6);
    uatomic_and(&flag, 3);
    uatomic_dec(&flag);
    assert(flag == 2);
    caa_cpu_relax();
}

// correct
// with: rc11
// mistake: deadlock
// A thread that sleeps on a futex goes on only when it is woken.
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready;

static void *run(void *unused) {
  while (!ready)
    syscall(SYS_futex, &ready, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  return 0;
}

int main() {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, run, 0);
  ready = 1;
#ifdef MISTAKE
  syscall(SYS_futex, &ready, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
#else
  syscall(SYS_futex, &ready, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
#endif
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
}

// wrong: deadlock
// with: rc11
// The thread sleeps if it looks before the number changes. Then the wake-up may have come before.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int number;

static void *wait(void *arg) {
  syscall(SYS_futex, &number, FUTEX_WAIT, 0, 0, 0, 0);
  return arg;
}

static void *wake(void *arg) {
  syscall(SYS_futex, &number, FUTEX_WAKE, 1, 0, 0, 0);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, wake, 0);
  pthread_create(&threads[1], 0, wait, 0);
  number = 2;
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}

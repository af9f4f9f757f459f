// correct
// The kernel's numbers of threads differ, and there is no membarrier.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t number;

static void *run(void *unused) {
  number = syscall(SYS_gettid);
  assert(number == gettid());
  return 0;
}

int main() {
  pthread_t thread;
  assert(gettid() == getpid());
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  assert(number > 0 && number != gettid());
  assert(syscall(SYS_membarrier, 0, 0) == -1 && errno == ENOSYS);
}

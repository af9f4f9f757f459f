// correct
// A new thread blocks what its creator blocks. The handler runs when the thread unblocks the signal.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static __thread int calls;
static void handle(int signal) { calls++; }

static void *run(void *signals) {
  raise(SIGUSR1);
  raise(SIGUSR1);
  assert(calls == 0);
  pthread_sigmask(SIG_UNBLOCK, signals, 0);
  assert(calls == 1);
  raise(SIGUSR1);
  assert(calls == 2);
  return 0;
}

int main() {
  signal(SIGUSR1, handle);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, 0);
  pthread_t thread;
  pthread_create(&thread, 0, run, &signals);
  pthread_join(thread, 0);
}

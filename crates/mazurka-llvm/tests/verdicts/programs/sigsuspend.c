// correct
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static int calls;
static void handle(int signal) { calls++; }

static void *wait_for_signal(void *unused) {
  sigset_t none;
  sigemptyset(&none);
  assert(sigsuspend(&none) == -1 && errno == EINTR);
  assert(calls == 1);
  return 0;
}

int main() {
  signal(SIGUSR1, handle);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, 0);
  pthread_t thread;
  pthread_create(&thread, 0, wait_for_signal, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
}

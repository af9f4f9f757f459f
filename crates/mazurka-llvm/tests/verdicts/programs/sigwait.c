// correct
// A thread takes the signals that all threads block, whether they are for the process or for it.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static sigset_t signals;
static int received;

static void *take(void *unused) {
  for (int i = 0; i < 2; i++) {
    int signal = 0;
    assert(sigwait(&signals, &signal) == 0);
    assert(signal == SIGUSR1 || signal == SIGTERM);
    received |= 1 << signal;
  }
  return 0;
}

int main() {
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, 0);
  pthread_t thread;
  pthread_create(&thread, 0, take, 0);
  pthread_kill(thread, SIGUSR1);
  kill(getpid(), SIGTERM);
  pthread_join(thread, 0);
  assert(received == (1 << SIGUSR1 | 1 << SIGTERM));
}

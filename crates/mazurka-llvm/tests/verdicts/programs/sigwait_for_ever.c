// wrong: deadlock
// The second signal is lost if the first one is still pending.
#include <pthread.h>
#include <signal.h>

static sigset_t signals;

static void *take(void *unused) {
  for (int i = 0, signal; i < 2; i++) sigwait(&signals, &signal);
  return 0;
}

int main() {
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, 0);
  pthread_t thread;
  pthread_create(&thread, 0, take, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
}

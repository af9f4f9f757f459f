// correct
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t got, nested;
static sigjmp_buf back;

static void count(int signal) {
    got++;
    if (signal == SIGUSR1 && got == 1) {
        raise(SIGUSR1);
        assert(got == 1); // blocked while its handler runs
    }
}

static void leave(int signal) { siglongjmp(back, signal); }

static void informed(int signal, siginfo_t *info, void *context) {
    assert(info->si_signo == signal);
    nested++;
}

int main(void) {
    assert(signal(SIGUSR1, count) == SIG_DFL);
    assert(raise(SIGUSR1) == 0);
    assert(got == 2);
    assert(signal(SIGUSR1, SIG_IGN) == count);
    kill(getpid(), SIGUSR1);
    assert(got == 2);

    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = informed;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    assert(sigaction(SIGUSR2, &action, &old) == 0 && old.sa_handler == SIG_DFL);
    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_kill(pthread_self(), SIGUSR2);
    sigpending(&pending);
    assert(nested == 0 && sigismember(&pending, SIGUSR2) == 1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    assert(nested == 1);
    sigaction(SIGUSR2, NULL, &old);
    assert(old.sa_handler == SIG_DFL);

    signal(SIGTERM, leave);
    for (int i = 0; i < 2; i++) {
        int how = sigsetjmp(back, 1);
        if (how == 0) raise(SIGTERM);
        assert(how == SIGTERM);
    }
    assert(raise(SIGCHLD) == 0);
    assert(raise(1000) == -1);
}

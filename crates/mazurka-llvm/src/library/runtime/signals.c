/* Signals that a program sends to itself. A handler runs in the thread that sends the signal, when the
   signal is not blocked. */

typedef unsigned long size_t;

void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
int *__errno_location(void);
unsigned long pthread_self(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
/* The signals that the thread blocks, and behind them those that it has got while they were blocked. */
unsigned long *__mazurka_signals(void);
/* A signal ends the program. */
void __mazurka_killed(int);
/* A signal is sent to another thread. */
void __mazurka_signal_other(int);

#define LOAD(at) __atomic_load_n(at, __ATOMIC_SEQ_CST)
#define STORE(at, value) __atomic_store_n(at, value, __ATOMIC_SEQ_CST)

enum { ESRCH = 3, EINVAL = 22 };
enum { SIGKILL = 9, SIGCHLD = 17, SIGCONT = 18, SIGSTOP = 19, SIGURG = 23, SIGWINCH = 28, MOST = 64 };
enum { SIGINFO = 4, NODEFER = 0x40000000 };
#define RESETHAND 0x80000000u
#define DEFAULT ((void *)0)
#define IGNORE ((void *)1)
#define ERROR ((void *)-1)

typedef struct {
  unsigned long words[16];
} set;

/* `struct sigaction` of Linux. */
struct action {
  void *handler;
  set mask;
  unsigned flags;
  void *restorer;
};
static struct action actions[MOST + 1];

static int fails(int error) {
  *__errno_location() = error;
  return -1;
}

static unsigned long bit(int signal) { return 1ul << (signal - 1); }

static void deliver(int signal);

/* Delivers the signals that the thread has got and does not block any more. */
static void deliver_all(void) {
  unsigned long *own = __mazurka_signals();
  for (int signal = 1; signal <= MOST; signal++)
    if (own[1] & ~own[0] & bit(signal)) {
      own[1] &= ~bit(signal);
      deliver(signal);
    }
}

static void deliver(int signal) {
  unsigned long *own = __mazurka_signals();
  __VERIFIER_atomic_begin();
  void *handler = LOAD(&actions[signal].handler);
  unsigned flags = LOAD(&actions[signal].flags);
  unsigned long mask = LOAD(&actions[signal].mask.words[0]);
  if (flags & RESETHAND && handler != DEFAULT && handler != IGNORE)
    STORE(&actions[signal].handler, DEFAULT);
  __VERIFIER_atomic_end();
  if (handler == IGNORE)
    return;
  if (handler == DEFAULT) {
    if (signal != SIGCHLD && signal != SIGCONT && signal != SIGURG && signal != SIGWINCH)
      __mazurka_killed(signal);
    return;
  }
  unsigned long before = own[0];
  own[0] = before | mask | (flags & NODEFER ? 0 : bit(signal));
  if (flags & SIGINFO) {
    int info[32];
    memset(info, 0, sizeof info);
    info[0] = signal;
    ((void (*)(int, void *, void *))handler)(signal, info, 0);
  } else
    ((void (*)(int))handler)(signal);
  own[0] = before;
  deliver_all();
}

static int send(int signal) {
  if (signal < 0 || signal > MOST)
    return EINVAL;
  unsigned long *own = __mazurka_signals();
  if (signal == 0)
    return 0;
  if (own[0] & bit(signal))
    own[1] |= bit(signal);
  else
    deliver(signal);
  return 0;
}

__attribute__((weak)) int raise(int signal) {
  int error = send(signal);
  return error ? fails(error) : 0;
}

__attribute__((weak)) int kill(int process, int signal) {
  if (process != 0 && process != 1 && process != -1)
    return fails(ESRCH);
  return raise(signal);
}

__attribute__((weak)) int pthread_kill(unsigned long thread, int signal) {
  if (thread == pthread_self())
    return send(signal);
  if (signal < 0 || signal > MOST)
    return EINVAL;
  if (signal)
    __mazurka_signal_other(signal);
  return 0;
}

__attribute__((weak)) int sigaction(int signal, const struct action *new, struct action *old) {
  if (signal < 1 || signal > MOST || (new && (signal == SIGKILL || signal == SIGSTOP)))
    return fails(EINVAL);
  struct action before, copy;
  memset(&before, 0, sizeof before);
  if (new)
    memcpy(&copy, new, sizeof copy);
  __VERIFIER_atomic_begin();
  before.handler = LOAD(&actions[signal].handler);
  before.flags = LOAD(&actions[signal].flags);
  before.mask.words[0] = LOAD(&actions[signal].mask.words[0]);
  if (new) {
    STORE(&actions[signal].handler, copy.handler);
    STORE(&actions[signal].flags, copy.flags);
    STORE(&actions[signal].mask.words[0], copy.mask.words[0]);
  }
  __VERIFIER_atomic_end();
  if (old)
    memcpy(old, &before, sizeof before);
  return 0;
}

__attribute__((weak)) void *signal(int number, void *handler) {
  struct action new, old;
  memset(&new, 0, sizeof new);
  new.handler = handler;
  return sigaction(number, &new, &old) ? ERROR : old.handler;
}

/* Sets of signals. */

__attribute__((weak)) int sigemptyset(set *signals) {
  memset(signals, 0, sizeof *signals);
  return 0;
}

__attribute__((weak)) int sigfillset(set *signals) {
  memset(signals, 0xff, sizeof *signals);
  return 0;
}

__attribute__((weak)) int sigaddset(set *signals, int signal) {
  if (signal < 1 || signal > MOST)
    return fails(EINVAL);
  signals->words[0] |= bit(signal);
  return 0;
}

__attribute__((weak)) int sigdelset(set *signals, int signal) {
  if (signal < 1 || signal > MOST)
    return fails(EINVAL);
  signals->words[0] &= ~bit(signal);
  return 0;
}

__attribute__((weak)) int sigismember(const set *signals, int signal) {
  if (signal < 1 || signal > MOST)
    return fails(EINVAL);
  return (signals->words[0] & bit(signal)) != 0;
}

__attribute__((weak)) int pthread_sigmask(int how, const set *new, set *old) {
  unsigned long *own = __mazurka_signals(), before = own[0];
  if (new) {
    unsigned long mask = new->words[0] & ~(bit(SIGKILL) | bit(SIGSTOP));
    if (how == 0)
      own[0] |= mask;
    else if (how == 1)
      own[0] &= ~mask;
    else if (how == 2)
      own[0] = mask;
    else
      return EINVAL;
  }
  if (old) {
    sigemptyset(old);
    old->words[0] = before;
  }
  deliver_all();
  return 0;
}

__attribute__((weak)) int sigprocmask(int how, const set *new, set *old) {
  int error = pthread_sigmask(how, new, old);
  return error ? fails(error) : 0;
}

__attribute__((weak)) int sigpending(set *signals) {
  sigemptyset(signals);
  signals->words[0] = __mazurka_signals()[1];
  return 0;
}

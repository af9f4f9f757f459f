/* Signals that a program sends to itself. A handler runs in the thread that sends the signal, or in the
   thread that unblocks it. A signal for a thread that blocks it is pending, and `sigwait` can take it. A
   handler that would interrupt another thread is not supported. */

typedef unsigned long size_t;

void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
int *__errno_location(void);
unsigned long pthread_self(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
/* The signals that a thread blocks, and those that are pending for it. Null if there is no such thread. */
unsigned long *__mazurka_signal_mask(unsigned long thread);
unsigned long *__mazurka_signals_pending(unsigned long thread);
/* The number of the last thread; there may be none of a smaller number. */
unsigned long __mazurka_thread_count(void);
/* Waits until a word has another value. */
void __mazurka_wait_while(unsigned long *, unsigned long value);
/* A signal ends the program. */
void __mazurka_killed(int);
/* A signal is sent to another thread. */
void __mazurka_signal_other(int);

#define LOAD(at) __atomic_load_n(at, __ATOMIC_SEQ_CST)
#define STORE(at, value) __atomic_store_n(at, value, __ATOMIC_SEQ_CST)

enum { ESRCH = 3, EINTR = 4, EINVAL = 22 };
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

/* Signals for the process, which all threads block. */
static unsigned long of_process;
/* How many signals have become pending for another thread or for the process. */
static unsigned long arrivals;

static int fails(int error) {
  *__errno_location() = error;
  return -1;
}

static unsigned long bit(int signal) { return 1ul << (signal - 1); }

static unsigned long *mask_of_self(void) { return __mazurka_signal_mask(pthread_self()); }

/* Takes one pending signal out of a set, or returns 0. */
static int take(unsigned long wanted) {
  unsigned long *pending = __mazurka_signals_pending(pthread_self());
  int taken = 0;
  __VERIFIER_atomic_begin();
  unsigned long own = LOAD(pending), shared = LOAD(&of_process);
  if ((own | shared) & wanted) {
    for (taken = 1; !((own | shared) & wanted & bit(taken)); taken++) {
    }
    if (own & bit(taken))
      STORE(pending, own & ~bit(taken));
    else
      STORE(&of_process, shared & ~bit(taken));
  }
  __VERIFIER_atomic_end();
  return taken;
}

static void deliver(int signal);

/* Delivers the pending signals that the thread does not block any more. */
static void deliver_all(void) {
  for (int signal; (signal = take(~LOAD(mask_of_self()))) != 0;)
    deliver(signal);
}

/* What a signal without a handler does. */
static int is_harmless(int signal) {
  return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}

static void deliver(int signal) {
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
    if (!is_harmless(signal))
      __mazurka_killed(signal);
    return;
  }
  unsigned long *blocked = mask_of_self(), before = LOAD(blocked);
  STORE(blocked, before | mask | (flags & NODEFER ? 0 : bit(signal)));
  if (flags & SIGINFO) {
    int info[32];
    memset(info, 0, sizeof info);
    info[0] = signal;
    ((void (*)(int, void *, void *))handler)(signal, info, 0);
  } else
    ((void (*)(int))handler)(signal);
  STORE(blocked, before);
  deliver_all();
}

/* Makes a signal pending. */
static void arrive(unsigned long *pending, int signal) {
  __VERIFIER_atomic_begin();
  STORE(pending, LOAD(pending) | bit(signal));
  STORE(&arrivals, LOAD(&arrivals) + 1);
  __VERIFIER_atomic_end();
}

static int send(int signal) {
  if (signal < 0 || signal > MOST)
    return EINVAL;
  if (signal == 0)
    return 0;
  if (LOAD(mask_of_self()) & bit(signal)) {
    unsigned long *pending = __mazurka_signals_pending(pthread_self());
    STORE(pending, LOAD(pending) | bit(signal));
  } else
    deliver(signal);
  return 0;
}

/* Sends a signal to another thread. Returns 0 if that thread does not block it and ignores it. */
static int send_to(unsigned long thread, unsigned long *pending, int signal) {
  unsigned long *blocked = __mazurka_signal_mask(thread);
  if (!blocked)
    return 0;
  __VERIFIER_atomic_begin();
  unsigned long mask = LOAD(blocked);
  void *handler = LOAD(&actions[signal].handler);
  int is_blocked = (mask & bit(signal)) != 0;
  if (is_blocked && pending)
    arrive(pending, signal);
  __VERIFIER_atomic_end();
  if (is_blocked)
    return 1;
  if (handler == DEFAULT && !is_harmless(signal))
    __mazurka_killed(signal);
  if (handler != DEFAULT && handler != IGNORE)
    __mazurka_signal_other(signal);
  return 0;
}

__attribute__((weak)) int raise(int signal) {
  int error = send(signal);
  return error ? fails(error) : 0;
}

/* A signal for the process goes to the caller, unless the caller blocks it. */
__attribute__((weak)) int kill(int process, int signal) {
  if (process != 0 && process != 1 && process != -1)
    return fails(ESRCH);
  if (signal < 1 || signal > MOST || !(LOAD(mask_of_self()) & bit(signal)))
    return raise(signal);
  unsigned long count = __mazurka_thread_count(), self = pthread_self();
  for (unsigned long thread = 1; thread <= count; thread++)
    if (thread != self)
      send_to(thread, 0, signal);
  arrive(&of_process, signal);
  return 0;
}

__attribute__((weak)) int pthread_kill(unsigned long thread, int signal) {
  if (thread == pthread_self())
    return send(signal);
  if (signal < 0 || signal > MOST)
    return EINVAL;
  if (signal)
    send_to(thread, __mazurka_signals_pending(thread), signal);
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
  unsigned long *blocked = mask_of_self(), before = LOAD(blocked);
  if (new) {
    unsigned long mask = new->words[0] & ~(bit(SIGKILL) | bit(SIGSTOP));
    if (how < 0 || how > 2)
      return EINVAL;
    STORE(blocked, how == 0 ? before | mask : how == 1 ? before & ~mask : mask);
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
  signals->words[0] = LOAD(__mazurka_signals_pending(pthread_self())) | LOAD(&of_process);
  return 0;
}

/* Waits for a signal out of a set, which the thread must block, and takes it. */
static int take_next(unsigned long wanted) {
  for (;;) {
    unsigned long before = LOAD(&arrivals);
    int signal = take(wanted);
    if (signal)
      return signal;
    __mazurka_wait_while(&arrivals, before);
  }
}

__attribute__((weak)) int sigwait(const set *signals, int *signal) {
  *signal = take_next(signals->words[0]);
  return 0;
}

__attribute__((weak)) int sigwaitinfo(const set *signals, void *info) {
  int signal = take_next(signals->words[0]);
  if (info) {
    memset(info, 0, 128);
    *(int *)info = signal;
  }
  return signal;
}

/* Blocks the signals of a set only, and waits until a handler has run. */
__attribute__((weak)) int sigsuspend(const set *signals) {
  unsigned long *blocked = mask_of_self(), before = LOAD(blocked);
  unsigned long mask = signals->words[0] & ~(bit(SIGKILL) | bit(SIGSTOP));
  for (;;) {
    /* The thread takes signals only here, and therefore blocks them all for others. */
    STORE(blocked, ~0ul);
    int signal = take_next(~mask);
    void *handler = LOAD(&actions[signal].handler);
    STORE(blocked, mask);
    deliver(signal);
    if (handler != IGNORE && handler != DEFAULT)
      break;
  }
  STORE(blocked, before);
  deliver_all();
  return fails(EINTR);
}

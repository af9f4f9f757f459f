/* What libstdc++ keeps in its library, as far as threads need it, in terms of pthreads. The names
   are the mangled ones.

   The VM runs this as a part of the program, from cpp.ll, which is made of it by `cargo xtask runtime`. */

typedef unsigned long size_t;
typedef unsigned long pthread_t;
struct timespec {
  long seconds, nanoseconds;
};

void *malloc(size_t);
void free(void *);
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_detach(pthread_t);
int pthread_cond_init(void *, const void *);
int pthread_cond_destroy(void *);
int pthread_cond_signal(void *);
int pthread_cond_broadcast(void *);
int pthread_cond_wait(void *, void *);
int pthread_mutex_unlock(void *);
int pthread_key_create(unsigned *, void (*)(void *));
int pthread_once(int *, void (*)(void));
int pthread_setspecific(unsigned, const void *);
void _ZSt20__throw_system_errori(int);

#define WEAK __attribute__((weak))

/* Whether there is one thread only: never, so that reference counts are atomic. */
WEAK char __libc_single_threaded = 0;

/* Virtual tables that programs refer to, but that nobody looks into: they tell the sort of a type. */

WEAK void *_ZTVN10__cxxabiv117__class_type_infoE[5];
WEAK void *_ZTVN10__cxxabiv120__si_class_type_infoE[5];
WEAK void *_ZTVN10__cxxabiv121__vmi_class_type_infoE[5];
WEAK void *_ZTVN10__cxxabiv123__fundamental_type_infoE[5];
WEAK void *_ZTVN10__cxxabiv119__pointer_type_infoE[5];
WEAK void *_ZTVN10__cxxabiv117__array_type_infoE[5];
WEAK void *_ZTVN10__cxxabiv120__function_type_infoE[5];
WEAK void *_ZTVN10__cxxabiv116__enum_type_infoE[5];
WEAK void *_ZTVN10__cxxabiv129__pointer_to_member_type_infoE[5];

/* Descriptions of types: the sort, the mangled name, and for pointers flags (1: to const) and what
   they point to. The compiler leaves those of the fundamental types, and of pointers to them, to the
   library. */

struct type_info {
  void **table;
  const char *name;
};
struct pointer_info {
  struct type_info type;
  unsigned flags;
  const struct type_info *to;
};

#define FUNDAMENTAL(n)                                                                             \
  WEAK const struct type_info _ZTI##n = {&_ZTVN10__cxxabiv123__fundamental_type_infoE[2], #n};     \
  WEAK const struct pointer_info _ZTIP##n = {                                                      \
      {&_ZTVN10__cxxabiv119__pointer_type_infoE[2], "P" #n}, 0, &_ZTI##n};                         \
  WEAK const struct pointer_info _ZTIPK##n = {                                                     \
      {&_ZTVN10__cxxabiv119__pointer_type_infoE[2], "PK" #n}, 1, &_ZTI##n};

FUNDAMENTAL(v)
FUNDAMENTAL(b)
FUNDAMENTAL(w)
FUNDAMENTAL(c)
FUNDAMENTAL(a)
FUNDAMENTAL(h)
FUNDAMENTAL(s)
FUNDAMENTAL(t)
FUNDAMENTAL(i)
FUNDAMENTAL(j)
FUNDAMENTAL(l)
FUNDAMENTAL(m)
FUNDAMENTAL(x)
FUNDAMENTAL(y)
FUNDAMENTAL(n)
FUNDAMENTAL(o)
FUNDAMENTAL(f)
FUNDAMENTAL(d)
FUNDAMENTAL(e)
FUNDAMENTAL(g)
FUNDAMENTAL(Dn)
FUNDAMENTAL(Di)
FUNDAMENTAL(Ds)
FUNDAMENTAL(Du)

WEAK void *_ZTVNSt6thread6_StateE[5];
WEAK const struct type_info _ZTINSt6thread6_StateE = {&_ZTVN10__cxxabiv117__class_type_infoE[2],
                                                      "NSt6thread6_StateE"};

/* std::thread: the number of a thread is all that it is made of. */

typedef void method(void *);

static void *__mazurka_run_state(void *state) {
  method **table = *(method ***)state;
  table[2](state); /* _M_run */
  table[1](state); /* the destructor that also frees it */
  return 0;
}

WEAK void
_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    pthread_t *self, void **state, void (*unused)(void)) {
  void *own = *state;
  *state = 0;
  int error = pthread_create(self, 0, __mazurka_run_state, own);
  if (error)
    _ZSt20__throw_system_errori(error);
}

WEAK void _ZNSt6thread6_StateD0Ev(void *state) {}
WEAK void _ZNSt6thread6_StateD1Ev(void *state) {}
WEAK void _ZNSt6thread6_StateD2Ev(void *state) {}

WEAK void _ZNSt6thread4joinEv(pthread_t *self) {
  int error = 22; /* EINVAL: there is nothing to join */
  if (*self)
    error = pthread_join(*self, 0);
  if (error)
    _ZSt20__throw_system_errori(error);
  *self = 0;
}

WEAK void _ZNSt6thread6detachEv(pthread_t *self) {
  int error = 22;
  if (*self)
    error = pthread_detach(*self);
  if (error)
    _ZSt20__throw_system_errori(error);
  *self = 0;
}

WEAK unsigned _ZNSt6thread20hardware_concurrencyEv(void) { return 2; }

/* std::condition_variable: a pthread_cond_t. A lock starts with the address of its mutex. */

WEAK void _ZNSt18condition_variableC1Ev(void *self) { pthread_cond_init(self, 0); }
WEAK void _ZNSt18condition_variableC2Ev(void *self) { pthread_cond_init(self, 0); }
WEAK void _ZNSt18condition_variableD1Ev(void *self) { pthread_cond_destroy(self); }
WEAK void _ZNSt18condition_variableD2Ev(void *self) { pthread_cond_destroy(self); }
WEAK void _ZNSt18condition_variable10notify_oneEv(void *self) { pthread_cond_signal(self); }
WEAK void _ZNSt18condition_variable10notify_allEv(void *self) { pthread_cond_broadcast(self); }
WEAK void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void *self, void **lock) {
  pthread_cond_wait(self, *lock);
}

/* Clocks: 0 is that of the calendar, 1 the steady one. */

long __mazurka_now(int clock);
void __mazurka_time_out(int clock, long seconds, long nanoseconds);

WEAK long _ZNSt6chrono3_V212steady_clock3nowEv(void) { return __mazurka_now(1); }
WEAK long _ZNSt6chrono3_V212system_clock3nowEv(void) { return __mazurka_now(0); }

/* std::call_once */

WEAK _Thread_local void *_ZSt15__once_callable;
WEAK _Thread_local void (*_ZSt11__once_call)(void);
WEAK void __once_proxy(void) { _ZSt11__once_call(); }

/* std::future: a value that is waited for. A wait with a time limit looks once, whenever that is. */

static _Bool wait_until(int clock, unsigned *address, unsigned value, _Bool limited, long seconds,
                        long nanoseconds) {
  if (limited) {
    if (__atomic_load_n(address, __ATOMIC_ACQUIRE) != value)
      return 1;
    __mazurka_time_out(clock, seconds, nanoseconds);
    return 0;
  }
  while (__atomic_load_n(address, __ATOMIC_ACQUIRE) == value)
    ;
  return 1;
}

WEAK _Bool
_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
    void *self, unsigned *address, unsigned value, _Bool limited, long seconds, long nanoseconds) {
  return wait_until(0, address, value, limited, seconds, nanoseconds);
}
WEAK _Bool
_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
    void *self, unsigned *address, unsigned value, _Bool limited, long seconds, long nanoseconds) {
  return wait_until(1, address, value, limited, seconds, nanoseconds);
}
/* Whoever waits looks again and again. */
WEAK void _ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(unsigned *address) {}

WEAK const struct type_info _ZTINSt13__future_base12_Result_baseE = {
    &_ZTVN10__cxxabiv117__class_type_infoE[2], "NSt13__future_base12_Result_baseE"};
WEAK void _ZNSt13__future_base12_Result_baseC2Ev(void **self) { self[1] = 0; }
void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **);
WEAK void _ZNSt13__future_base12_Result_baseD2Ev(void **self) {
  _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(&self[1]);
}
/* Casts to derived classes: the part of an object that is of some class, where there is one. An
   object starts with the address of its virtual table, in front of which stand where the whole
   object begins, and what its class is. */

struct class_info {
  void **table;
  const char *name;
  union {
    struct class_info *base; /* of a class with a single base */
    struct {
      unsigned flags, count;
      struct {
        struct class_info *class;
        long offset; /* and flags, in the lowest byte */
      } bases[];
    };
  };
};

static void *part(void *object, struct class_info *class, struct class_info *wanted) {
  if (class == wanted)
    return object;
  if (class->table == &_ZTVN10__cxxabiv120__si_class_type_infoE[2])
    return part(object, class->base, wanted);
  if (class->table != &_ZTVN10__cxxabiv121__vmi_class_type_infoE[2])
    return 0;
  for (unsigned i = 0; i < class->count; i++) {
    long offset = class->bases[i].offset >> 8;
    if (class->bases[i].offset & 1) /* virtual: the table knows where it is */
      offset = *(long *)(*(char **)object + offset);
    void *found = part((char *)object + offset, class->bases[i].class, wanted);
    if (found)
      return found;
  }
  return 0;
}

WEAK void *__dynamic_cast(void *object, struct class_info *from, struct class_info *to, long hint) {
  void **table = *(void ***)object;
  return part((char *)object + (long)table[-2], table[-1], to);
}

/* Static variables in functions: the first byte of a guard says that the variable is there, the
   second one that somebody is making it. */

WEAK int __cxa_guard_acquire(char *guard) {
  for (;;) {
    if (__atomic_load_n(guard, __ATOMIC_ACQUIRE))
      return 0;
    char free = 0;
    if (__atomic_compare_exchange_n(guard + 1, &free, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      /* It may have come to be since we looked. */
      if (!__atomic_load_n(guard, __ATOMIC_ACQUIRE))
        return 1;
      __atomic_store_n(guard + 1, 0, __ATOMIC_RELEASE);
      return 0;
    }
    while (__atomic_load_n(guard + 1, __ATOMIC_ACQUIRE))
      ;
  }
}

WEAK void __cxa_guard_release(char *guard) {
  __atomic_store_n(guard, 1, __ATOMIC_RELEASE);
  __atomic_store_n(guard + 1, 0, __ATOMIC_RELEASE);
}

WEAK void __cxa_guard_abort(char *guard) { __atomic_store_n(guard + 1, 0, __ATOMIC_RELEASE); }

/* What is to be done at the end of a thread, for its thread-local variables. */

struct at_thread_exit {
  struct at_thread_exit *next;
  void (*run)(void *);
  void *arg;
};
static _Thread_local struct at_thread_exit *at_thread_exit_list;
static unsigned at_thread_exit_key;
static int at_thread_exit_once;

/* What is to be done when these variables are gone. */
static _Thread_local struct at_thread_exit *at_thread_end_list;

static void run_all(struct at_thread_exit **list) {
  while (*list) {
    struct at_thread_exit *last = *list;
    *list = last->next;
    last->run(last->arg);
    free(last);
  }
}

static void run_at_thread_exit(void *unused) {
  run_all(&at_thread_exit_list);
  run_all(&at_thread_end_list);
}

static void make_at_thread_exit_key(void) {
  pthread_key_create(&at_thread_exit_key, run_at_thread_exit);
}

static void add(struct at_thread_exit **list, void (*run)(void *), void *arg) {
  pthread_once(&at_thread_exit_once, make_at_thread_exit_key);
  struct at_thread_exit *new = malloc(sizeof *new);
  new->next = *list;
  new->run = run;
  new->arg = arg;
  *list = new;
  pthread_setspecific(at_thread_exit_key, &at_thread_exit_list);
}

WEAK int __cxa_thread_atexit(void (*run)(void *), void *arg, void *library) {
  add(&at_thread_exit_list, run, arg);
  return 0;
}

WEAK void __mazurka_at_thread_end(void (*run)(void *), void *arg) { add(&at_thread_end_list, run, arg); }

/* A condition, and a lock that is unlocked before. */
struct notified {
  void *condition, *lock;
};

static void notify(struct notified *notified) {
  pthread_mutex_unlock(notified->lock);
  pthread_cond_broadcast(notified->condition);
  free(notified);
}

/* The lock is a `std::unique_lock`, which does not own the mutex any more. */
WEAK void _ZSt25notify_all_at_thread_exitRSt18condition_variableSt11unique_lockISt5mutexE(void *condition,
                                                                                            void **lock) {
  struct notified *new = malloc(sizeof *new);
  new->condition = condition;
  new->lock = lock[0];
  lock[0] = 0;
  *(char *)(lock + 1) = 0;
  __mazurka_at_thread_end((void (*)(void *))notify, new);
}

/* Streams, as far as `std::cout << x` goes. An ostream is the address of a table, in front of which
   stands where the rest of it is, and that rest: how numbers are to be written. */

struct format {
  void **table;
  long precision, width;
  int flags;
  char unused[240];
};
struct ostream {
  long *table;
  struct format format;
};

long mazurka_print(int file, const char *text, long length);
int mazurka_print_long(int file, const struct format *, long, int is_signed);
int mazurka_print_double(int file, const struct format *, double);

static long ostream_table[4] = {8, 0, 0, 0};
#define OSTREAM {&ostream_table[3], {0, 6, 0, 0x1002, ""}}
WEAK struct ostream _ZSt4cout = OSTREAM;
WEAK struct ostream _ZSt4cerr = OSTREAM;
WEAK struct ostream _ZSt4clog = OSTREAM;

WEAK void _ZNSt8ios_base4InitC1Ev(void *self) {}
WEAK void _ZNSt8ios_base4InitD1Ev(void *self) {}

static int file(struct ostream *to) { return to == &_ZSt4cout ? 1 : 2; }

static void pad(struct ostream *to, long length) {
  long width = to->format.width;
  if (width) {
    for (; width > length; width--)
      mazurka_print(file(to), " ", 1);
    to->format.width = 0;
  }
}

static struct ostream *put_text(struct ostream *to, const char *text, long length) {
  int left = to->format.flags & 0x20;
  if (!left)
    pad(to, length);
  mazurka_print(file(to), text, length);
  if (left)
    pad(to, length);
  return to;
}

static struct ostream *put_long(struct ostream *to, long number, int is_signed) {
  mazurka_print_long(file(to), &to->format, number, is_signed);
  if (to->format.width)
    to->format.width = 0;
  return to;
}

static struct ostream *put_double(struct ostream *to, double number) {
  mazurka_print_double(file(to), &to->format, number);
  if (to->format.width)
    to->format.width = 0;
  return to;
}

size_t strlen(const char *);

typedef struct ostream *ostream_change(struct ostream *);
typedef void *format_change(struct format *);

#define PUT(name, type, expression)                                                                \
  WEAK struct ostream *name(struct ostream *to, type x) { return expression; }

PUT(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc, const char *, put_text(to, x, strlen(x)))
PUT(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c, char, put_text(to, &x, 1))
PUT(_ZNSolsEi, int, put_long(to, to->format.flags & 0x48 ? (long)(unsigned)x : (long)x, 1))
PUT(_ZNSolsEj, unsigned, put_long(to, x, 0))
PUT(_ZNSolsEs, short, put_long(to, to->format.flags & 0x48 ? (long)(unsigned short)x : (long)x, 1))
PUT(_ZNSolsEt, unsigned short, put_long(to, x, 0))
PUT(_ZNSolsEl, long, put_long(to, x, 1))
PUT(_ZNSolsEm, unsigned long, put_long(to, x, 0))
PUT(_ZNSolsEx, long, put_long(to, x, 1))
PUT(_ZNSolsEy, unsigned long, put_long(to, x, 0))
PUT(_ZNSo9_M_insertIbEERSoT_, _Bool,
    to->format.flags & 1 ? put_text(to, x ? "true" : "false", x ? 4 : 5) : put_long(to, x, 0))
PUT(_ZNSolsEb, _Bool,
    to->format.flags & 1 ? put_text(to, x ? "true" : "false", x ? 4 : 5) : put_long(to, x, 0))
PUT(_ZNSolsEd, double, put_double(to, x))
PUT(_ZNSolsEf, float, put_double(to, x))
PUT(_ZNSo3putEc, char, (mazurka_print(file(to), &x, 1), to))
PUT(_ZNSolsEPFRSoS_E, ostream_change *, x(to))
PUT(_ZNSolsEPFRSt8ios_baseS0_E, format_change *, (x(&to->format), to))

PUT(_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St5_Setw, int, (to->format.width = x, to))
PUT(_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St13_Setprecision, int,
    (to->format.precision = x, to))

WEAK struct ostream *_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l(
    struct ostream *to, const char *text, long length) {
  return put_text(to, text, length);
}
WEAK struct ostream *_ZNSo5writeEPKcl(struct ostream *to, const char *text, long length) {
  mazurka_print(file(to), text, length);
  return to;
}
/* A string is an address, a length, and more. */
WEAK struct ostream *
_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE(
    struct ostream *to, const void *string) {
  return put_text(to, *(const char *const *)string, ((const long *)string)[1]);
}
WEAK struct ostream *_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(struct ostream *to) {
  mazurka_print(file(to), "\n", 1);
  return to;
}
WEAK struct ostream *_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(struct ostream *to) {
  return to;
}
WEAK struct ostream *_ZNSo5flushEv(struct ostream *to) { return to; }

/* The locks behind atomic operations on `std::shared_ptr`, chosen by its address. */

int pthread_mutex_lock(void *);

static long locks[16][5];

struct locker {
  unsigned char first, second;
};

WEAK void _ZNSt10_Sp_lockerC1EPKvS1_(struct locker *self, const void *a, const void *b) {
  unsigned char one = (unsigned long)a / 16 % 16, other = (unsigned long)b / 16 % 16;
  self->first = one < other ? one : other;
  self->second = one < other ? other : one;
  pthread_mutex_lock(locks[self->first]);
  if (self->second != self->first) pthread_mutex_lock(locks[self->second]);
}
WEAK void _ZNSt10_Sp_lockerC1EPKv(struct locker *self, const void *a) {
  _ZNSt10_Sp_lockerC1EPKvS1_(self, a, a);
}
WEAK void _ZNSt10_Sp_lockerD1Ev(struct locker *self) {
  if (self->second != self->first) pthread_mutex_unlock(locks[self->second]);
  pthread_mutex_unlock(locks[self->first]);
}

/* Exceptions of C++: what the compiler calls to throw and to catch them, and the classes of
   exceptions that libstdc++ keeps in its library. The names are the mangled ones.

   The VM runs this as a part of the program, from exceptions.ll, which is made of it by `cargo xtask runtime`.
   To look for a handler, and to leave functions for it, is up to the VM: `__mazurka_unwind`. */

typedef unsigned long size_t;
typedef __builtin_va_list va_list;

void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
size_t strlen(const char *);
char *strcat(char *, const char *);
const void *_ZNSt3_V216generic_categoryEv(void);
const void *_ZSt15future_categoryv(void);
char *strerror(int);
int vsnprintf(char *, size_t, const char *, va_list);
void _ZSt9terminatev(void);

#define WEAK __attribute__((weak))

/* What is thrown, in front of the object. */
struct exception {
  const void *type;
  void (*destroy)(void *);
  struct exception *next;   /* what was caught before, by a handler that this one's is within */
  struct exception *origin; /* whose object it is: itself, or what is thrown anew */
  long handlers;            /* how many are at it; negative while it is thrown again */
  long references;
  void *object;
  void *unused; /* the object behind this needs addresses that are divisible by 16 */
};

/* Goes to the handler of an exception that is described by `type`, with `thrown`. The VM notes which part
   of `object` the handler asks for. */
void __mazurka_unwind(void *thrown, const void *type, void *object);

/* Returns the part of the object that the handler asks for to which this thread has gone. The VM keeps it
   outside of the program's memory: under a memory model, every write to that is an event. `forgets` if the
   handler does not ask again. */
void *__mazurka_caught(_Bool forgets);

static _Thread_local struct exception *handled;
static _Thread_local unsigned uncaught;

static struct exception *header(void *thrown) { return (struct exception *)thrown - 1; }

static void unwind(struct exception *e) {
  __mazurka_unwind(e + 1, e->type, e->object);
}

WEAK void *__cxa_allocate_exception(size_t size) {
  struct exception *e = malloc(sizeof *e + size);
  memset(e, 0, sizeof *e);
  e->origin = e;
  e->object = e + 1;
  return e->object;
}

WEAK void __cxa_free_exception(void *object) { free(header(object)); }

WEAK void *__cxa_init_primary_exception(void *object, const void *type, void (*destroy)(void *)) {
  header(object)->type = type;
  header(object)->destroy = destroy;
  return header(object);
}

static void release(struct exception *e) {
  if (__atomic_sub_fetch(&e->references, 1, __ATOMIC_ACQ_REL))
    return;
  if (e->destroy)
    e->destroy(e->object);
  free(e);
}

WEAK void __cxa_throw(void *object, const void *type, void (*destroy)(void *)) {
  __cxa_init_primary_exception(object, type, destroy);
  header(object)->references = 1;
  uncaught++;
  unwind(header(object));
}

/* The unwinding goes on behind code that cleans up. */
WEAK void __mazurka_resume(void *thrown) { unwind(header(thrown)); }

WEAK void *__cxa_get_exception_ptr(void *thrown) { return __mazurka_caught(0); }

WEAK void *__cxa_begin_catch(void *thrown) {
  struct exception *e = header(thrown);
  void *caught = __mazurka_caught(1);
  e->handlers = (e->handlers < 0 ? -e->handlers : e->handlers) + 1;
  if (handled != e) {
    e->next = handled;
    handled = e;
  }
  uncaught--;
  return caught;
}

WEAK void __cxa_end_catch(void) {
  struct exception *e = handled;
  if (!e)
    return;
  if (e->handlers < 0) {
    if (++e->handlers == 0)
      handled = e->next;
    return;
  }
  if (--e->handlers)
    return;
  handled = e->next;
  if (e->origin != e) {
    release(e->origin);
    free(e);
  } else {
    release(e);
  }
}

WEAK void __cxa_rethrow(void) {
  struct exception *e = handled;
  if (!e)
    _ZSt9terminatev();
  e->handlers = -e->handlers;
  uncaught++;
  unwind(e);
}

WEAK _Bool _ZSt18uncaught_exceptionv(void) { return uncaught > 0; }
WEAK int _ZSt19uncaught_exceptionsv(void) { return uncaught; }

/* std::exception_ptr: the address of the object. */

static void refer(void *object) {
  if (object)
    __atomic_add_fetch(&header(object)->references, 1, __ATOMIC_ACQ_REL);
}

WEAK void _ZNSt15__exception_ptr13exception_ptrC1EPv(void **self, void *object) {
  *self = object;
  refer(object);
}
WEAK void _ZNSt15__exception_ptr13exception_ptrC2EPv(void **self, void *object) {
  *self = object;
  refer(object);
}
WEAK void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **self) { refer(*self); }
WEAK void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **self) {
  if (*self)
    release(header(*self));
  *self = 0;
}

WEAK void _ZSt17current_exceptionv(void **result) {
  *result = handled ? handled->origin->object : 0;
  refer(*result);
}

WEAK void _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(void **kept) {
  struct exception *origin = header(*kept);
  struct exception *e = header(__cxa_allocate_exception(0));
  refer(*kept);
  e->type = origin->type;
  e->origin = origin;
  e->object = origin->object;
  uncaught++;
  unwind(e);
}

/* Descriptions of types: which sort it is, the mangled name, and the base. Those of `int` and the like
   are known by what they are called. */

extern void *_ZTVN10__cxxabiv117__class_type_infoE[];
extern void *_ZTVN10__cxxabiv120__si_class_type_infoE[];

struct type {
  void **table;
  const char *name;
  const struct type *base;
};

/* Exceptions that are nothing but their type. */

void _ZdlPv(void *);

#define CLASS(n, parent)                                                                           \
  WEAK const struct type _ZTISt##n = {                                                             \
      &_ZTVN10__cxxabiv120__si_class_type_infoE[2], "St" #n, &_ZTISt##parent};

#define WITHOUT_TEXT(n, text)                                                                      \
  WEAK void _ZNSt##n##D1Ev(void *self) {}                                                          \
  WEAK void _ZNSt##n##D2Ev(void *self) {}                                                          \
  WEAK void _ZNSt##n##D0Ev(void *self) { _ZdlPv(self); }                                           \
  WEAK const char *_ZNKSt##n##4whatEv(void *self) { return text; }                                 \
  WEAK void *const _ZTVSt##n[5] = {0, (void *)&_ZTISt##n, _ZNSt##n##D1Ev, _ZNSt##n##D0Ev,          \
                                   _ZNKSt##n##4whatEv};

static void throw_without_text(const struct type *type, void *const *table) {
  void *const **e = __cxa_allocate_exception(16);
  *e = table;
  __cxa_throw(e, type, 0);
}

#define THROWS_NOTHING_ELSE(function, n)                                                           \
  WEAK void function(void) { throw_without_text(&_ZTISt##n, &_ZTVSt##n[2]); }

WEAK const struct type _ZTISt9exception = {&_ZTVN10__cxxabiv117__class_type_infoE[2],
                                           "St9exception", 0};
WITHOUT_TEXT(9exception, "std::exception")
CLASS(9bad_alloc, 9exception)
WITHOUT_TEXT(9bad_alloc, "std::bad_alloc")
CLASS(20bad_array_new_length, 9bad_alloc)
WITHOUT_TEXT(20bad_array_new_length, "std::bad_array_new_length")
CLASS(8bad_cast, 9exception)
WITHOUT_TEXT(8bad_cast, "std::bad_cast")
CLASS(10bad_typeid, 9exception)
WITHOUT_TEXT(10bad_typeid, "std::bad_typeid")
CLASS(13bad_exception, 9exception)
WITHOUT_TEXT(13bad_exception, "std::bad_exception")
CLASS(17bad_function_call, 9exception)
WITHOUT_TEXT(17bad_function_call, "bad_function_call")
CLASS(12bad_weak_ptr, 9exception)
WITHOUT_TEXT(12bad_weak_ptr, "bad_weak_ptr")

/* What `std::throw_with_nested` adds to an exception: the exception that was handled then. */

struct nested {
  void *const *table;
  void *kept;
};

WEAK const struct type _ZTISt16nested_exception = {&_ZTVN10__cxxabiv117__class_type_infoE[2],
                                                   "St16nested_exception", 0};
WEAK void _ZNSt16nested_exceptionD1Ev(struct nested *self) {
  _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(&self->kept);
}
WEAK void _ZNSt16nested_exceptionD2Ev(struct nested *self) { _ZNSt16nested_exceptionD1Ev(self); }
WEAK void _ZNSt16nested_exceptionD0Ev(struct nested *self) {
  _ZNSt16nested_exceptionD1Ev(self);
  _ZdlPv(self);
}
WEAK void *const _ZTVSt16nested_exception[4] = {0, (void *)&_ZTISt16nested_exception,
                                                _ZNSt16nested_exceptionD1Ev,
                                                _ZNSt16nested_exceptionD0Ev};

THROWS_NOTHING_ELSE(_ZSt17__throw_bad_allocv, 9bad_alloc)
THROWS_NOTHING_ELSE(_ZSt28__throw_bad_array_new_lengthv, 20bad_array_new_length)
THROWS_NOTHING_ELSE(__cxa_throw_bad_array_new_length, 20bad_array_new_length)
THROWS_NOTHING_ELSE(_ZSt16__throw_bad_castv, 8bad_cast)
THROWS_NOTHING_ELSE(__cxa_bad_cast, 8bad_cast)
THROWS_NOTHING_ELSE(__cxa_bad_typeid, 10bad_typeid)
THROWS_NOTHING_ELSE(_ZSt25__throw_bad_function_callv, 17bad_function_call)
THROWS_NOTHING_ELSE(_ZSt20__throw_bad_weak_ptrv, 12bad_weak_ptr)

/* Exceptions with a text of their own, and perhaps a number. */

struct error {
  void *const *table;
  char *text;
  int code;
  const void *category;
};

static char *copy(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(malloc(size), text, size);
}

static void make(struct error *e, void *const *table, const char *text) {
  e->table = table;
  e->text = copy(text);
}

static void throw_error(const struct type *type, void *const *table, const char *text,
                        void (*destroy)(void *), int code, const void *category) {
  struct error *e = __cxa_allocate_exception(sizeof *e);
  make(e, table, text);
  e->code = code;
  e->category = category;
  __cxa_throw(e, type, destroy);
}

#define STRING RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)

#define WITH_TEXT(n, what)                                                                         \
  WEAK void _ZNSt##n##D1Ev(void *self) { free(((struct error *)self)->text); }                     \
  WEAK void _ZNSt##n##D2Ev(void *self) { free(((struct error *)self)->text); }                     \
  WEAK void _ZNSt##n##D0Ev(void *self) {                                                           \
    free(((struct error *)self)->text);                                                            \
    _ZdlPv(self);                                                                                  \
  }                                                                                                \
  WEAK void *const _ZTVSt##n[5] = {0, (void *)&_ZTISt##n, _ZNSt##n##D1Ev, _ZNSt##n##D0Ev, what};   \
  WEAK void _ZNSt##n##C1EPKc(struct error *e, const char *t) { make(e, &_ZTVSt##n[2], t); }        \
  WEAK void _ZNSt##n##C2EPKc(struct error *e, const char *t) { make(e, &_ZTVSt##n[2], t); }        \
  WEAK void NAME(_ZNSt##n##C1E, STRING)(struct error * e, const char **s) {                        \
    make(e, &_ZTVSt##n[2], *s);                                                                    \
  }                                                                                                \
  WEAK void NAME(_ZNSt##n##C2E, STRING)(struct error * e, const char **s) {                        \
    make(e, &_ZTVSt##n[2], *s);                                                                    \
  }                                                                                                \
  WEAK void _ZNSt##n##C1ERKS_(struct error *e, const struct error *o) {                            \
    make(e, &_ZTVSt##n[2], o->text);                                                               \
  }                                                                                                \
  WEAK void _ZNSt##n##C2ERKS_(struct error *e, const struct error *o) {                            \
    make(e, &_ZTVSt##n[2], o->text);                                                               \
  }

static struct error *assign(struct error *e, const struct error *o) {
  char *text = copy(o->text);
  free(e->text);
  e->text = text;
  return e;
}

/* The bases also move and assign. The text of an object that was moved from may be any. */
#define MOVED(n)                                                                                   \
  WEAK void _ZNSt##n##C1EOS_(struct error *e, const struct error *o) {                             \
    make(e, &_ZTVSt##n[2], o->text);                                                               \
  }                                                                                                \
  WEAK void _ZNSt##n##C2EOS_(struct error *e, const struct error *o) {                             \
    make(e, &_ZTVSt##n[2], o->text);                                                               \
  }                                                                                                \
  WEAK void *_ZNSt##n##aSERKS_(struct error *e, const struct error *o) { return assign(e, o); }    \
  WEAK void *_ZNSt##n##aSEOS_(struct error *e, const struct error *o) { return assign(e, o); }

#define THROWS(function, n)                                                                        \
  WEAK void function(const char *text) {                                                           \
    throw_error(&_ZTISt##n, &_ZTVSt##n[2], text, _ZNSt##n##D1Ev, 0, 0);                            \
  }

WEAK const char *_ZNKSt11logic_error4whatEv(struct error *e) { return e->text; }
WEAK const char *_ZNKSt13runtime_error4whatEv(struct error *e) { return e->text; }

CLASS(11logic_error, 9exception)
WITH_TEXT(11logic_error, _ZNKSt11logic_error4whatEv)
MOVED(11logic_error)
CLASS(12domain_error, 11logic_error)
WITH_TEXT(12domain_error, _ZNKSt11logic_error4whatEv)
CLASS(12length_error, 11logic_error)
WITH_TEXT(12length_error, _ZNKSt11logic_error4whatEv)
CLASS(12out_of_range, 11logic_error)
WITH_TEXT(12out_of_range, _ZNKSt11logic_error4whatEv)
CLASS(16invalid_argument, 11logic_error)
WITH_TEXT(16invalid_argument, _ZNKSt11logic_error4whatEv)
CLASS(12future_error, 11logic_error)
WITH_TEXT(12future_error, _ZNKSt11logic_error4whatEv)
CLASS(13runtime_error, 9exception)
WITH_TEXT(13runtime_error, _ZNKSt13runtime_error4whatEv)
MOVED(13runtime_error)
CLASS(11range_error, 13runtime_error)
WITH_TEXT(11range_error, _ZNKSt13runtime_error4whatEv)
CLASS(14overflow_error, 13runtime_error)
WITH_TEXT(14overflow_error, _ZNKSt13runtime_error4whatEv)
CLASS(15underflow_error, 13runtime_error)
WITH_TEXT(15underflow_error, _ZNKSt13runtime_error4whatEv)
CLASS(12system_error, 13runtime_error)
WITH_TEXT(12system_error, _ZNKSt13runtime_error4whatEv)

THROWS(_ZSt19__throw_logic_errorPKc, 11logic_error)
THROWS(_ZSt20__throw_domain_errorPKc, 12domain_error)
THROWS(_ZSt20__throw_length_errorPKc, 12length_error)
THROWS(_ZSt20__throw_out_of_rangePKc, 12out_of_range)
THROWS(_ZSt24__throw_invalid_argumentPKc, 16invalid_argument)
THROWS(_ZSt21__throw_runtime_errorPKc, 13runtime_error)
THROWS(_ZSt19__throw_range_errorPKc, 11range_error)
THROWS(_ZSt22__throw_overflow_errorPKc, 14overflow_error)
THROWS(_ZSt23__throw_underflow_errorPKc, 15underflow_error)
THROWS(_ZSt19__throw_ios_failurePKc, 12system_error)

WEAK void _ZSt24__throw_out_of_range_fmtPKcz(const char *format, ...) {
  char text[256];
  va_list arguments;
  __builtin_va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  __builtin_va_end(arguments);
  _ZSt20__throw_out_of_rangePKc(text);
}

WEAK void _ZSt20__throw_system_errori(int code) {
  throw_error(&_ZTISt12system_error, &_ZTVSt12system_error[2], strerror(code),
              _ZNSt12system_errorD1Ev, code, _ZNSt3_V216generic_categoryEv());
}

/* Categories of errors: the table of `std::error_category` has its destructors, `name`, `message` for the
   strings of two ABIs, and what two errors have in common. */

struct category {
  void *const *table;
};

struct condition {
  int value;
  const struct category *category;
};

struct string {
  char *text;
  size_t size;
  char own[16];
};

void *_Znwm(size_t);

static void give(struct string *to, const char *text) {
  to->size = strlen(text);
  to->text = to->size < sizeof to->own ? to->own : _Znwm(to->size + 1);
  memcpy(to->text, text, to->size + 1);
}

static const char *future_message(int code) {
  switch (code) {
  case 1: return "Future already retrieved";
  case 2: return "Promise already satisfied";
  case 3: return "No associated state";
  case 4: return "Broken promise";
  default: return "Unknown error";
  }
}

static void destroy_category(struct category *self) {}
static const char *generic_name(const struct category *self) { return "generic"; }
static const char *system_name(const struct category *self) { return "system"; }
static const char *future_name(const struct category *self) { return "future"; }

static void generic_text(struct string *to, const struct category *self, int code) {
  give(to, strerror(code));
}
static void future_text(struct string *to, const struct category *self, int code) {
  give(to, future_message(code));
}

static const struct category generic_category;

/* The numbers of the system are those of C. */
static struct condition generic_condition(const struct category *self, int code) {
  return (struct condition){code, &generic_category};
}
static struct condition own_condition(const struct category *self, int code) {
  return (struct condition){code, self};
}

static _Bool is_condition(const struct category *self, int code, const struct condition *other) {
  struct condition (*condition)(const struct category *, int) = self->table[5];
  struct condition own = condition(self, code);
  return own.category == other->category && own.value == other->value;
}
static _Bool is_code(const struct category *self, const struct condition *other, int code) {
  return other->category == self && other->value == code;
}

#define CATEGORY(n, text_of, condition_of)                                                         \
  static void *const n##_table[] = {destroy_category, destroy_category, n##_name,                  \
                                    text_of,          text_of,          condition_of,              \
                                    is_condition,     is_code};                                    \
  static const struct category n##_category = {n##_table};

CATEGORY(generic, generic_text, generic_condition)
CATEGORY(system, generic_text, generic_condition)
CATEGORY(future, future_text, own_condition)

WEAK struct condition _ZNKSt10error_code23default_error_conditionEv(const struct condition *self) {
  struct condition (*condition)(const struct category *, int) = self->category->table[5];
  return condition(self->category, self->value);
}

WEAK const void *_ZNSt3_V216generic_categoryEv(void) { return &generic_category; }
WEAK const void *_ZNSt3_V215system_categoryEv(void) { return &system_category; }
WEAK const void *_ZSt15future_categoryv(void) { return &future_category; }

WEAK void _ZSt20__throw_future_errori(int code) {
  char text[64] = "std::future_error: ";
  strcat(text, future_message(code));
  throw_error(&_ZTISt12future_error, &_ZTVSt12future_error[2], text, _ZNSt12future_errorD1Ev, code,
              _ZSt15future_categoryv());
}

/* Functions of other model checkers: awaits (Nidhugg) and hazard pointers (GenMC). */

typedef unsigned long size_t;

void *malloc(size_t);
void free(void *);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

/* Awaits. The condition is a set of outcomes of the comparison of the value with the operand. */

enum { GREATER = 1, EQUAL = 2, LESS = 4, SIGNED = 8 };

#define LOAD(at) __atomic_load_n(at, __ATOMIC_SEQ_CST)
#define STORE(at, value) __atomic_store_n(at, value, __ATOMIC_SEQ_CST)
#define SWAP(at, expected, new)                                                                    \
  __atomic_compare_exchange_n(at, expected, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

#define AWAITS(type, name)                                                                         \
  static int holds_##name(int condition, unsigned type a, unsigned type b) {                       \
    int less = condition & SIGNED ? (signed type)a < (signed type)b : a < b;                       \
    return condition & (a == b ? EQUAL : less ? LESS : GREATER);                                   \
  }                                                                                                \
  __attribute__((noinline)) static unsigned type load_##name(unsigned type *at, int condition, unsigned type operand) {      \
    unsigned type value;                                                                           \
    do                                                                                             \
      value = LOAD(at);                                                                            \
    while (!holds_##name(condition, value, operand));                                              \
    return value;                                                                                  \
  }                                                                                                \
  __attribute__((noinline)) static unsigned type swap_##name(unsigned type *at, unsigned type new, int condition,            \
                                   unsigned type operand) {                                        \
    unsigned type value;                                                                           \
    if ((condition & 7) == EQUAL) {                                                                \
      do                                                                                           \
        value = operand;                                                                           \
      while (!SWAP(at, &value, new));                                                              \
      return value;                                                                                \
    }                                                                                              \
    do                                                                                             \
      value = load_##name(at, condition, operand);                                                 \
    while (!SWAP(at, &value, new));                                                                \
    return value;                                                                                  \
  }

AWAITS(char, 8)
AWAITS(short, 16)
AWAITS(int, 32)
AWAITS(long, 64)

/* Nidhugg names a function after the type of the location. */
#define NAMED(suffix, type, name)                                                                  \
  __attribute__((weak)) unsigned type __VERIFIER_load_await_##suffix(                              \
      unsigned type *at, int condition, unsigned type operand) {                                   \
    return load_##name(at, condition, operand);                                                    \
  }                                                                                                \
  __attribute__((weak)) unsigned type __VERIFIER_xchg_await_##suffix(                              \
      unsigned type *at, unsigned type new, int condition, unsigned type operand) {                \
    return swap_##name(at, new, condition, operand);                                               \
  }

NAMED(i8, char, 8)
NAMED(abool, char, 8)
NAMED(achar, char, 8)
NAMED(aschar, char, 8)
NAMED(auchar, char, 8)
NAMED(i16, short, 16)
NAMED(ashort, short, 16)
NAMED(aushort, short, 16)
NAMED(i32, int, 32)
NAMED(aint, int, 32)
NAMED(auint, int, 32)
NAMED(i64, long, 64)
NAMED(along, long, 64)
NAMED(aulong, long, 64)
NAMED(allong, long, 64)
NAMED(aullong, long, 64)
NAMED(asize_t, long, 64)
NAMED(aintptr_t, long, 64)
NAMED(auintptr_t, long, 64)

/* Hazard pointers. A block that is retired is freed as soon as no hazard pointer protects it. */

struct hazard {
  struct hazard *next;
  void *block;
};
struct retired {
  struct retired *next;
  void *block;
};
static struct hazard *hazards;
static struct retired *retired_blocks;

static int is_protected(void *block) {
  for (struct hazard *one = LOAD(&hazards); one; one = LOAD(&one->next))
    if (LOAD(&one->block) == block)
      return 1;
  return 0;
}

/* Frees a block that is no longer protected, if it is retired. */
static void release_block(void *block) {
  if (!block)
    return;
  for (struct retired **at = &retired_blocks, *one; (one = LOAD(at)); at = &one->next)
    if (one->block == block) {
      if (!is_protected(block)) {
        STORE(at, LOAD(&one->next));
        free(one);
        free(block);
      }
      return;
    }
}

__attribute__((weak)) void *__VERIFIER_hazptr_alloc(void) {
  struct hazard *new = malloc(sizeof *new);
  new->block = 0;
  __VERIFIER_atomic_begin();
  new->next = LOAD(&hazards);
  STORE(&hazards, new);
  __VERIFIER_atomic_end();
  return new;
}

static void protect(struct hazard *hazard, void *block) {
  void *before = LOAD(&hazard->block);
  if (before == block)
    return;
  STORE(&hazard->block, block);
  release_block(before);
}

__attribute__((weak)) void __VERIFIER_hazptr_protect(void *hazard, void *block) {
  __VERIFIER_atomic_begin();
  protect(hazard, block);
  __VERIFIER_atomic_end();
}

/* Loads a pointer and protects its block, as a loop does that looks at the pointer again. */
__attribute__((weak)) void *__mazurka_hazptr_load(void *hazard, void **from) {
  __VERIFIER_atomic_begin();
  void *block = LOAD(from);
  protect(hazard, block);
  __VERIFIER_atomic_end();
  return block;
}

__attribute__((weak)) void __VERIFIER_hazptr_clear(void *hazard) {
  __VERIFIER_hazptr_protect(hazard, 0);
}

__attribute__((weak)) void __VERIFIER_hazptr_free(void *hazard) {
  __VERIFIER_atomic_begin();
  protect(hazard, 0);
  struct hazard **at = &hazards;
  while (LOAD(at) != hazard)
    at = &LOAD(at)->next;
  STORE(at, LOAD(&LOAD(at)->next));
  free(hazard);
  __VERIFIER_atomic_end();
}

__attribute__((weak)) void __VERIFIER_hazptr_retire(void *block) {
  struct retired *new = malloc(sizeof *new);
  new->block = block;
  __VERIFIER_atomic_begin();
  if (is_protected(block)) {
    new->next = LOAD(&retired_blocks);
    STORE(&retired_blocks, new);
  } else {
    free(new);
    free(block);
  }
  __VERIFIER_atomic_end();
}

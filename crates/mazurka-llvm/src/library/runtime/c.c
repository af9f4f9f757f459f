/* What the C library does by calling the program back, or keeps in memory that programs look into.

   The VM runs this as a part of the program, from c.ll, which is made of it by `cargo xtask runtime`. What a
   program defines itself takes the place of what is here. */

typedef unsigned long size_t;

void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
_Noreturn void _exit(int);

/* Standard streams. A stream is the number of its file. */

struct stream {
  int file;
};
static struct stream streams[3] = {{0}, {1}, {2}};
__attribute__((weak)) struct stream *stdin = &streams[0];
__attribute__((weak)) struct stream *stdout = &streams[1];
__attribute__((weak)) struct stream *stderr = &streams[2];

/* What `getopt` reads and writes. */

__attribute__((weak)) char *optarg;
__attribute__((weak)) int optind = 1;
__attribute__((weak)) int opterr = 1;
__attribute__((weak)) int optopt = '?';

/* Sorting: merges, and so keeps the order of what is equal, as glibc does. */

typedef int compare(const void *, const void *, void *);

static void merge_sort(char *base, size_t n, size_t size, compare *order, void *arg, char *room) {
  if (n < 2)
    return;
  size_t half = n / 2;
  char *right = base + half * size;
  merge_sort(base, half, size, order, arg, room);
  merge_sort(right, n - half, size, order, arg, room);
  char *left = base, *to = room;
  char *left_end = right, *right_end = base + n * size;
  while (left < left_end && right < right_end) {
    char **from = order(left, right, arg) <= 0 ? &left : &right;
    memcpy(to, *from, size);
    *from += size;
    to += size;
  }
  memcpy(to, left, left_end - left);
  to += left_end - left;
  /* What is left on the right is in its place. */
  memcpy(base, room, to - room);
}

__attribute__((weak)) void qsort_r(void *base, size_t n, size_t size, compare *order, void *arg) {
  char *room = malloc(n * size);
  merge_sort(base, n, size, order, arg, room);
  free(room);
}

static int without_argument(const void *a, const void *b, void *order) {
  return ((int (*)(const void *, const void *))order)(a, b);
}

__attribute__((weak)) void qsort(void *base, size_t n, size_t size,
                                 int (*order)(const void *, const void *)) {
  qsort_r(base, n, size, without_argument, (void *)order);
}

__attribute__((weak)) void *bsearch(const void *key, const void *base, size_t n, size_t size,
                                    int (*order)(const void *, const void *)) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    char *at = (char *)base + middle * size;
    int found = order(key, at);
    if (found == 0)
      return at;
    if (found < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

/* Splitting a string. The position is a variable of the program like any other: two threads that
   use it race for it. */

char *strtok_r(char *, const char *, char **);
static char *strtok_position;

__attribute__((weak)) char *strtok(char *text, const char *separators) {
  return strtok_r(text, separators, &strtok_position);
}

/* What runs at the end of the program, the last first. Threads may register more while the main thread
   runs what there is. Each step is one access, so that programs can be checked under memory models. */

struct at_exit {
  struct at_exit *next;
  void (*run)(void *);
  void *arg;
};
static struct at_exit *at_exit_list;

/* The next of an element that is in the list, but not yet linked to the ones before it. */
static struct at_exit unlinked;

__attribute__((weak)) int __cxa_atexit(void (*run)(void *), void *arg, void *library) {
  struct at_exit *new = malloc(sizeof *new);
  new->run = run;
  new->arg = arg;
  new->next = &unlinked;
  struct at_exit *next = __atomic_exchange_n(&at_exit_list, new, __ATOMIC_SEQ_CST);
  __atomic_store_n(&new->next, next, __ATOMIC_SEQ_CST);
  return 0;
}

static void call(void *run) { ((void (*)(void))run)(); }

__attribute__((weak)) int atexit(void (*run)(void)) { return __cxa_atexit(call, (void *)run, 0); }

__attribute__((weak)) void __mazurka_at_exit(void) {
  while (__atomic_load_n(&at_exit_list, __ATOMIC_SEQ_CST)) {
    struct at_exit *last = __atomic_exchange_n(&at_exit_list, 0, __ATOMIC_SEQ_CST);
    while (last) {
      last->run(last->arg);
      struct at_exit *next;
      while ((next = __atomic_load_n(&last->next, __ATOMIC_SEQ_CST)) == &unlinked)
        ;
      free(last);
      last = next;
      /* What this has registered runs before the others. */
      __mazurka_at_exit();
    }
  }
}

__attribute__((weak, noreturn)) void exit(int code) {
  __mazurka_at_exit();
  _exit(code);
}

/* Kinds of characters, as <ctype.h> looks them up; from -128 on. */

#define UPPER(c) ((c) >= 'A' && (c) <= 'Z')
#define LOWER(c) ((c) >= 'a' && (c) <= 'z')
#define DIGIT(c) ((c) >= '0' && (c) <= '9')
#define HEX(c) (DIGIT(c) || ((c) >= 'A' && (c) <= 'F') || ((c) >= 'a' && (c) <= 'f'))
#define BLANK(c) ((c) == ' ' || (c) == '\t')
#define SPACE(c) ((c) == ' ' || ((c) >= 9 && (c) <= 13))
#define VISIBLE(c) ((c) > 32 && (c) < 127)
#define CONTROL(c) (((c) >= 0 && (c) < 32) || (c) == 127)
#define LETTER(c) (UPPER(c) || LOWER(c))
#define KIND(c)                                                                                    \
  (UPPER(c) << 8 | LOWER(c) << 9 | LETTER(c) << 10 | DIGIT(c) << 11 | HEX(c) << 12 |               \
   SPACE(c) << 13 | (VISIBLE(c) || (c) == ' ') << 14 | VISIBLE(c) << 15 | BLANK(c) |               \
   CONTROL(c) << 1 | (VISIBLE(c) && !LETTER(c) && !DIGIT(c)) << 2 | (LETTER(c) || DIGIT(c)) << 3)
#define TO_UPPER(c) ((c) < 0 ? (c) + (c != -1) * 256 : LOWER(c) ? (c)-32 : (c))
#define TO_LOWER(c) ((c) < 0 ? (c) + (c != -1) * 256 : UPPER(c) ? (c) + 32 : (c))

#define FOUR(of, c) of(c), of(c + 1), of(c + 2), of(c + 3)
#define SIXTEEN(of, c) FOUR(of, c), FOUR(of, c + 4), FOUR(of, c + 8), FOUR(of, c + 12)
#define SIXTY_FOUR(of, c)                                                                          \
  SIXTEEN(of, c), SIXTEEN(of, c + 16), SIXTEEN(of, c + 32), SIXTEEN(of, c + 48)
#define ALL(of)                                                                                    \
  {                                                                                                \
    SIXTY_FOUR(of, -128), SIXTY_FOUR(of, -64), SIXTY_FOUR(of, 0), SIXTY_FOUR(of, 64),              \
        SIXTY_FOUR(of, 128), SIXTY_FOUR(of, 192)                                                   \
  }

static const unsigned short kinds[384] = ALL(KIND);
static const int uppers[384] = ALL(TO_UPPER);
static const int lowers[384] = ALL(TO_LOWER);
static const unsigned short *const kinds_from_0 = kinds + 128;
static const int *const uppers_from_0 = uppers + 128;
static const int *const lowers_from_0 = lowers + 128;

__attribute__((weak)) const unsigned short *const *__ctype_b_loc(void) { return &kinds_from_0; }
__attribute__((weak)) const int *const *__ctype_toupper_loc(void) { return &uppers_from_0; }
__attribute__((weak)) const int *const *__ctype_tolower_loc(void) { return &lowers_from_0; }

/* Files of one process (pipes and event counters), named semaphores, and limits.

   A call that blocks waits for a word to differ from zero, and does the rest in the same step. */

typedef unsigned long size_t;
typedef long ssize_t;

void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
int strcmp(const char *, const char *);
size_t strlen(const char *);
int raise(int);
int *__errno_location(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
/* Waits until the word differs from zero. */
void __mazurka_wait(unsigned long *);
/* Between these, a thread that is cancelled need not wait. */
void __mazurka_begin_blocking(void);
void __mazurka_end_blocking(void);
/* Prints to standard output or standard error. */
ssize_t __mazurka_print(int, const void *, size_t);

#define LOAD(at) __atomic_load_n(at, __ATOMIC_SEQ_CST)
#define STORE(at, value) __atomic_store_n(at, value, __ATOMIC_SEQ_CST)

enum { ENOENT = 2, EBADF = 9, EAGAIN = 11, EEXIST = 17, EINVAL = 22, EMFILE = 24, EPIPE = 32 };
enum { O_CREAT = 0100, O_EXCL = 0200, O_NONBLOCK = 04000, O_CLOEXEC = 02000000 };
enum { SIGPIPE = 13 };

static int fail(int error) {
  *__errno_location() = error;
  return -1;
}

/* Open files, by number. The first three are the standard streams. */

enum { READS = 1, WRITES = 2, COUNTS = 3, MOST_FILES = 256 };

struct file {
  int kind;
  int flags;
  void *of;
};
static struct file *files[MOST_FILES];

static struct file *file_at(int number) {
  return number < 0 || number >= MOST_FILES ? 0 : LOAD(&files[number]);
}

/* Opens a file at the lowest free number, as a part of an atomic section. */
static int open_file(struct file *file) {
  for (int number = 3; number < MOST_FILES; number++)
    if (!LOAD(&files[number])) {
      STORE(&files[number], file);
      return number;
    }
  return -1;
}

static struct file *new_file(int kind, int flags, void *of) {
  struct file *file = malloc(sizeof *file);
  file->kind = kind;
  file->flags = flags;
  file->of = of;
  return file;
}

__attribute__((weak)) int fcntl(int number, int command, long argument) {
  enum { GET_DESCRIPTOR = 1, SET_DESCRIPTOR = 2, GET = 3, SET = 4 };
  struct file *file = file_at(number);
  if (number > 2 && !file)
    return fail(EBADF);
  switch (command) {
  case GET_DESCRIPTOR:
  case SET_DESCRIPTOR:
    return 0;
  case GET:
    return file ? LOAD(&file->flags) : 0;
  case SET:
    if (file)
      STORE(&file->flags, argument & O_NONBLOCK);
    return 0;
  }
  return fail(EINVAL);
}

/* Pipes. Every write adds a chunk. A pipe takes a write if it has room for a page. */

enum { CAPACITY = 65536, PAGE = 4096 };

struct chunk {
  struct chunk *next;
  size_t len, taken;
  char bytes[];
};
struct pipe {
  /* Whether a read returns at once, and whether a write does. */
  unsigned long readable, writable;
  size_t bytes;
  unsigned readers, writers;
  struct chunk *first, *last;
};

static void update(struct pipe *pipe) {
  size_t bytes = LOAD(&pipe->bytes);
  STORE(&pipe->readable, bytes > 0 || LOAD(&pipe->writers) == 0);
  STORE(&pipe->writable, bytes + PAGE <= CAPACITY || LOAD(&pipe->readers) == 0);
}

__attribute__((weak)) int pipe2(int numbers[2], int flags) {
  struct pipe *pipe = malloc(sizeof *pipe);
  pipe->bytes = 0;
  pipe->readers = pipe->writers = 1;
  pipe->first = pipe->last = 0;
  pipe->readable = 0;
  pipe->writable = 1;
  struct file *reads = new_file(READS, flags & O_NONBLOCK, pipe);
  struct file *writes = new_file(WRITES, flags & O_NONBLOCK, pipe);
  __VERIFIER_atomic_begin();
  int from = open_file(reads), to = open_file(writes);
  if (to < 0 && from >= 0)
    STORE(&files[from], 0);
  __VERIFIER_atomic_end();
  if (to < 0) {
    free(reads);
    free(writes);
    free(pipe);
    return fail(EMFILE);
  }
  numbers[0] = from;
  numbers[1] = to;
  return 0;
}

__attribute__((weak)) int pipe(int numbers[2]) { return pipe2(numbers, 0); }

/* Takes bytes out of a pipe: as many as there are, up to `most`. */
static ssize_t take(struct file *file, char *to, size_t most) {
  struct pipe *pipe = file->of;
  int blocks = !(LOAD(&file->flags) & O_NONBLOCK);
  if (blocks)
    __mazurka_begin_blocking();
  __VERIFIER_atomic_begin();
  if (blocks)
    /* The first access of the section, so that the section starts when this can go on. */
    __mazurka_wait(&pipe->readable);
  else if (!LOAD(&pipe->readable)) {
    __VERIFIER_atomic_end();
    return fail(EAGAIN);
  }
  size_t taken = 0;
  while (taken < most && LOAD(&pipe->first)) {
    struct chunk *chunk = LOAD(&pipe->first);
    size_t len = chunk->len - chunk->taken;
    if (len > most - taken)
      len = most - taken;
    memcpy(to + taken, chunk->bytes + chunk->taken, len);
    taken += len;
    chunk->taken += len;
    if (chunk->taken == chunk->len) {
      STORE(&pipe->first, chunk->next);
      if (!chunk->next)
        STORE(&pipe->last, 0);
      free(chunk);
    }
  }
  STORE(&pipe->bytes, LOAD(&pipe->bytes) - taken);
  update(pipe);
  __VERIFIER_atomic_end();
  if (blocks)
    __mazurka_end_blocking();
  return taken;
}

/* Puts bytes into a pipe, at most a page. */
static ssize_t put(struct file *file, const char *from, size_t len) {
  struct pipe *pipe = file->of;
  struct chunk *chunk = malloc(sizeof *chunk + len);
  chunk->next = 0;
  chunk->len = len;
  chunk->taken = 0;
  memcpy(chunk->bytes, from, len);
  int blocks = !(LOAD(&file->flags) & O_NONBLOCK);
  if (blocks)
    __mazurka_begin_blocking();
  __VERIFIER_atomic_begin();
  if (blocks)
    /* The first access of the section, so that the section starts when this can go on. */
    __mazurka_wait(&pipe->writable);
  else if (!LOAD(&pipe->writable)) {
    __VERIFIER_atomic_end();
    free(chunk);
    return fail(EAGAIN);
  }
  if (!LOAD(&pipe->readers)) {
    __VERIFIER_atomic_end();
    if (blocks)
      __mazurka_end_blocking();
    free(chunk);
    raise(SIGPIPE);
    return fail(EPIPE);
  }
  struct chunk *last = LOAD(&pipe->last);
  if (last)
    last->next = chunk;
  else
    STORE(&pipe->first, chunk);
  STORE(&pipe->last, chunk);
  STORE(&pipe->bytes, LOAD(&pipe->bytes) + len);
  update(pipe);
  __VERIFIER_atomic_end();
  if (blocks)
    __mazurka_end_blocking();
  return len;
}

/* Event counters. */

enum { SEMAPHORE = 1 };

struct counter {
  unsigned long count;
  int is_semaphore;
};

__attribute__((weak)) int eventfd(unsigned count, int flags) {
  struct counter *counter = malloc(sizeof *counter);
  counter->count = count;
  counter->is_semaphore = flags & SEMAPHORE;
  struct file *file = new_file(COUNTS, flags & O_NONBLOCK, counter);
  __VERIFIER_atomic_begin();
  int number = open_file(file);
  __VERIFIER_atomic_end();
  if (number < 0) {
    free(file);
    free(counter);
    return fail(EMFILE);
  }
  return number;
}

static ssize_t count_down(struct file *file, unsigned long *to) {
  struct counter *counter = file->of;
  int blocks = !(LOAD(&file->flags) & O_NONBLOCK);
  if (blocks)
    __mazurka_begin_blocking();
  __VERIFIER_atomic_begin();
  if (blocks)
    /* The first access of the section, so that the section starts when this can go on. */
    __mazurka_wait(&counter->count);
  else if (!LOAD(&counter->count)) {
    __VERIFIER_atomic_end();
    return fail(EAGAIN);
  }
  unsigned long count = LOAD(&counter->count);
  unsigned long by = counter->is_semaphore ? 1 : count;
  STORE(&counter->count, count - by);
  __VERIFIER_atomic_end();
  if (blocks)
    __mazurka_end_blocking();
  *to = by;
  return 8;
}

static ssize_t count_up(struct file *file, unsigned long by) {
  struct counter *counter = file->of;
  if (by == -1ul)
    return fail(EINVAL);
  for (;;) {
    __VERIFIER_atomic_begin();
    unsigned long count = LOAD(&counter->count);
    int fits = count <= -2ul - by;
    if (fits)
      STORE(&counter->count, count + by);
    __VERIFIER_atomic_end();
    if (fits)
      return 8;
    if (LOAD(&file->flags) & O_NONBLOCK)
      return fail(EAGAIN);
  }
}

__attribute__((weak)) int eventfd_read(int number, unsigned long *to) {
  struct file *file = file_at(number);
  if (!file || file->kind != COUNTS)
    return fail(EBADF);
  return count_down(file, to) == 8 ? 0 : -1;
}

__attribute__((weak)) int eventfd_write(int number, unsigned long by) {
  struct file *file = file_at(number);
  if (!file || file->kind != COUNTS)
    return fail(EBADF);
  return count_up(file, by) == 8 ? 0 : -1;
}

/* What all files have in common. */

__attribute__((weak)) ssize_t read(int number, void *to, size_t most) {
  if (number == 0)
    return 0;
  struct file *file = file_at(number);
  if (!file || file->kind == WRITES)
    return fail(EBADF);
  if (file->kind == COUNTS) {
    unsigned long count;
    if (most < 8)
      return fail(EINVAL);
    if (count_down(file, &count) < 0)
      return -1;
    memcpy(to, &count, 8);
    return 8;
  }
  if (most == 0)
    return 0;
  /* Other threads may look at the target meanwhile: it is no part of the atomic section. */
  if (most > CAPACITY)
    most = CAPACITY;
  char *room = malloc(most);
  ssize_t len = take(file, room, most);
  if (len > 0)
    memcpy(to, room, len);
  free(room);
  return len;
}

__attribute__((weak)) ssize_t write(int number, const void *from, size_t len) {
  if (number == 1 || number == 2)
    return __mazurka_print(number, from, len);
  struct file *file = file_at(number);
  if (!file || file->kind == READS)
    return fail(EBADF);
  if (file->kind == COUNTS) {
    unsigned long by;
    if (len < 8)
      return fail(EINVAL);
    memcpy(&by, from, 8);
    return count_up(file, by);
  }
  size_t written = 0;
  while (written < len) {
    size_t part = len - written > PAGE ? PAGE : len - written;
    ssize_t put_now = put(file, (const char *)from + written, part);
    if (put_now < 0)
      return written ? (ssize_t)written : -1;
    written += put_now;
  }
  return written;
}

__attribute__((weak)) int close(int number) {
  if (number >= 0 && number <= 2)
    return 0;
  if (!file_at(number))
    return fail(EBADF);
  __VERIFIER_atomic_begin();
  struct file *file = LOAD(&files[number]);
  STORE(&files[number], 0);
  int is_last = 0;
  if (file && file->kind != COUNTS) {
    struct pipe *pipe = file->of;
    unsigned *ends = file->kind == READS ? &pipe->readers : &pipe->writers;
    STORE(ends, LOAD(ends) - 1);
    update(pipe);
    is_last = LOAD(&pipe->readers) + LOAD(&pipe->writers) == 0;
  }
  __VERIFIER_atomic_end();
  if (!file)
    return fail(EBADF);
  /* Nobody frees the file itself: another thread may be about to use it. */
  if (is_last) {
    struct pipe *pipe = file->of;
    for (struct chunk *chunk = LOAD(&pipe->first), *next; chunk; chunk = next) {
      next = chunk->next;
      free(chunk);
    }
    STORE(&pipe->first, 0);
  }
  return 0;
}

/* Named semaphores. */

typedef struct {
  char bytes[32];
} sem_t;
int sem_init(sem_t *, int, unsigned);
int sem_destroy(sem_t *);

struct named {
  struct named *next;
  const char *name;
  unsigned uses;
  sem_t *semaphore;
};
static struct named *named_semaphores;

static struct named *find_named(const char *name) {
  struct named *one = LOAD(&named_semaphores);
  while (one && (!LOAD(&one->name) || strcmp(one->name, name)))
    one = LOAD(&one->next);
  return one;
}

__attribute__((weak)) sem_t *sem_open(const char *name, int flags, unsigned mode, unsigned value) {
  struct named *new = malloc(sizeof *new);
  sem_t *semaphore = malloc(sizeof *semaphore);
  size_t len = strlen(name) + 1;
  char *copy = malloc(len);
  memcpy(copy, name, len);
  int error = 0;
  sem_t *result = 0;
  __VERIFIER_atomic_begin();
  struct named *known = find_named(copy);
  if (known && flags & O_CREAT && flags & O_EXCL)
    error = EEXIST;
  else if (known) {
    STORE(&known->uses, LOAD(&known->uses) + 1);
    result = known->semaphore;
  } else if (!(flags & O_CREAT))
    error = ENOENT;
  else {
    new->name = copy;
    new->uses = 1;
    new->semaphore = semaphore;
    new->next = LOAD(&named_semaphores);
    sem_init(semaphore, 0, value);
    STORE(&named_semaphores, new);
    result = semaphore;
  }
  __VERIFIER_atomic_end();
  if (result != semaphore) {
    free(new);
    free(semaphore);
    free(copy);
  }
  if (error)
    fail(error);
  return result;
}

__attribute__((weak)) int sem_close(sem_t *semaphore) {
  int gone = 0, found = 0;
  __VERIFIER_atomic_begin();
  for (struct named **at = &named_semaphores, *one; (one = LOAD(at)); at = &one->next)
    if (one->semaphore == semaphore && LOAD(&one->uses)) {
      found = 1;
      STORE(&one->uses, LOAD(&one->uses) - 1);
      gone = !LOAD(&one->uses) && !LOAD(&one->name);
      if (gone) {
        STORE(at, LOAD(&one->next));
        free(one);
      }
      break;
    }
  __VERIFIER_atomic_end();
  if (gone) {
    sem_destroy(semaphore);
    free(semaphore);
  }
  return found ? 0 : fail(EINVAL);
}

__attribute__((weak)) int sem_unlink(const char *name) {
  sem_t *gone = 0;
  const char *old = 0;
  __VERIFIER_atomic_begin();
  struct named *one = find_named(name);
  if (one) {
    old = one->name;
    STORE(&one->name, 0);
    if (!LOAD(&one->uses)) {
      struct named **at = &named_semaphores;
      while (LOAD(at) != one)
        at = &LOAD(at)->next;
      STORE(at, LOAD(&one->next));
      gone = one->semaphore;
      free(one);
    }
  }
  __VERIFIER_atomic_end();
  if (!old)
    return fail(ENOENT);
  free((void *)old);
  if (gone) {
    sem_destroy(gone);
    free(gone);
  }
  return 0;
}

/* Limits of resources. */

struct limit {
  unsigned long now, most;
};

__attribute__((weak)) int getrlimit(int resource, struct limit *limit) {
  enum { STACK = 3, FILES = 7 };
  unsigned long most = -1ul;
  if (resource == FILES)
    most = MOST_FILES;
  limit->now = resource == STACK ? 8ul << 20 : most;
  limit->most = most;
  return 0;
}

__attribute__((weak)) int setrlimit(int resource, const struct limit *limit) {
  return limit->now > limit->most ? fail(EINVAL) : 0;
}

// correct
// Labels as values: an interpreter with a static table, labels in variables, compared, and as offsets.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ADD, DOUBLE, STORE, END };

static atomic_int result[2];

static int run(const unsigned char *code, int value, int at) {
  static void *const table[] = {&&add, &&twice, &&store, &&end};
  goto *table[*code];
add:
  value++;
  goto *table[*++code];
twice:
  value *= 2;
  goto *table[*++code];
store:
  result[at] = value;
  goto *table[*++code];
end:
  return value;
}

static int by_offsets(int which) {
  static const int offsets[] = {&&first - &&first, &&second - &&first};
  goto *(&&first + offsets[which]);
first:
  return 10;
second:
  return 20;
}

static int in_variables(int which) {
  void *to = which ? &&yes : &&no;
  assert((to == &&yes) == (which != 0));
  assert(to != 0);
  goto *to;
no:
  return 0;
yes:
  return 1;
}

static void *thread(void *arg) {
  static const unsigned char code[] = {ADD, DOUBLE, STORE, DOUBLE, STORE, END};
  return (void *)(long)run(code, (long)arg, (long)arg);
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, thread, (void *)i);
  for (long i = 0; i < 2; i++) {
    void *value;
    pthread_join(threads[i], &value);
    assert((long)value == 4 * (i + 1));
    assert(result[i] == (long)value);
  }
  assert(by_offsets(0) == 10 && by_offsets(1) == 20);
  assert(in_variables(0) == 0 && in_variables(1) == 1);
  return 0;
}

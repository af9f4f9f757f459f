// What runs before and after main, and what variables are at first.
#include <stdio.h>
#include <stdlib.h>

int uninitialised[4];
static long counter = 5;
extern int defined_below;
const double pi = 3.25;
static const char *message = "message";
static int array[] = {1, 2, 3, [6] = 7};
static struct { int a; const char *b; int *c; long d[2]; } record = {1, "two", &array[2], {3}};
static int (*function)(const char *) = puts;
static void *addresses[] = {&uninitialised[2], &record.d[1], array + 3, &message};
static char text[10] = "abc", *tail = text + 1;
static _Thread_local int per_thread = 9;
_Thread_local int zero_per_thread;
static long difference = (char *)&array[5] - (char *)&array[1];
enum { A = 3, B, C = B * 2 };
static int from_enum = C;
static float small = 1e-3f;
static __int128 wide = (__int128)1 << 100;

__attribute__((constructor)) static void late(void) { counter += 10; printf("constructor %ld\n", counter); }
__attribute__((constructor(200))) static void early(void) { counter *= 2; printf("early constructor\n"); }
__attribute__((destructor)) static void at_end(void) { printf("destructor %ld\n", counter); }
static void first(void) { printf("registered first\n"); }
static void second(void) { printf("registered second\n"); }

static int statics(void) {
  static int calls;
  static int squares[3] = {1, 4, 9};
  squares[calls % 3] += calls;
  return squares[calls++ % 3];
}

int main(void) {
  atexit(first);
  atexit(second);
  for (int i = 0; i < 4; i++)
    printf("%d ", uninitialised[i] + array[i] + statics());
  printf("%ld %d %g %s %d\n", counter, defined_below, pi, message, array[6]);
  printf("%d %s %d %ld %ld\n", record.a, record.b, *record.c, record.d[0], record.d[1]);
  function("by pointer");
  *(int *)addresses[0] = 11;
  printf("%d %d %d %s\n", uninitialised[2], addresses[1] == &record.d[1], *(int *)addresses[2], *(const char **)addresses[3]);
  printf("%s %lu %d %d %ld %d\n", tail, sizeof text, per_thread++, zero_per_thread, difference, from_enum);
  printf("%d %g %lx\n", per_thread, small, (long)(wide >> 90));
  return defined_below;
}

int defined_below = 13;

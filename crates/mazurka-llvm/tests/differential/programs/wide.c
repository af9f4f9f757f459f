#include <stdint.h>
#include <stdio.h>

typedef __int128 s128;
typedef unsigned __int128 u128;

static void show(u128 x) { printf("%016lx%016lx ", (uint64_t)(x >> 64), (uint64_t)x); }

static void both(u128 a, u128 b) {
  show(a + b), show(a - b), show(a * b), show(a & b), show(a | b), show(a ^ b), show(~a), show(-a);
  if (b)
    show(a / b), show(a % b);
  s128 s = a, t = b;
  if (t != 0 && t != -1)
    show(s / t), show(s % t);
  printf("%d%d%d%d %d%d%d%d\n", a < b, a <= b, a == b, a != b, s < t, s <= t, s > t, s >= t);
  for (int by = 0; by < 128; by += 31)
    show(a << by), show(a >> by), show(s >> by);
  printf("\n%a %a %a %lu %ld %d\n", (double)a, (double)s, (float)s, (uint64_t)a, (int64_t)s, (int)s);
}

struct holder {
  char c;
  s128 x;
};

static s128 pass(s128 x, int y, struct holder h) { return x * y + h.x + h.c; }

int main(void) {
  u128 values[] = {0, 1, -1, 255, (u128)1 << 64, ((u128)1 << 127), ~(u128)0 >> 1,
                   (u128)0x123456789abcdef0 << 32 | 0xfedcba9876543210, 1000000007};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
    for (unsigned j = 0; j < sizeof values / sizeof *values; j++)
      both(values[i], values[j]);
  struct holder h = {3, -5};
  show(pass((s128)1 << 70, -2, h));
  u128 factorial = 1;
  for (int i = 2; i <= 33; i++)
    factorial *= i;
  show(factorial);
  show((u128)1e30);
  show((s128)-1e20);
  printf("%lu %lu\n", sizeof(h), _Alignof(struct holder));
  return 0;
}

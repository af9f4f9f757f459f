#include <stdio.h>

static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }
static unsigned long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int is_odd(int);
static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }

static int classify(int x) {
  switch (x) {
  case -3: return 1;
  case 0: x += 5; /* falls through */
  case 1: x += 10; break;
  case 100 ... 105: return x - 100;
  case 1000000: return -1;
  default: return 77;
  case 2: { int y = x; while (y < 50) { y *= 3; if (y == 18) continue; if (y > 40) break; } x = y; }
  }
  return x;
}

static long on_long(long x) { switch (x) { case 1L << 40: return 1; case -1L: return 2; } return 3; }
static int on_char(char c) { switch (c) { case 'a': case 'e': return 1; case '\xff': return 2; default: return 0; } }

static int side(int *x, int result) { ++*x; return result; }

int main(void) {
  printf("%d %lu %d %d\n", depth(1000), fib(18), ackermann(2, 3), is_even(101));
  for (int i = -5; i < 5; i++)
    printf("%d ", classify(i));
  printf("%d %d %d %d\n", classify(102), classify(105), classify(106), classify(1000000));
  printf("%ld %ld %ld\n", on_long(1L << 40), on_long(-1), on_long(0));
  printf("%d %d %d\n", on_char('e'), on_char(-1), on_char('z'));
  int x = 0;
  int r = (side(&x, 0) && side(&x, 1)) || (side(&x, 1) || side(&x, 1));
  r += side(&x, 1) ? x : -x;
  printf("%d %d\n", r, x);
  int n = 0;
again:
  if (n++ < 5)
    goto again;
  for (int i = 0, j = 10; i < j; i++, j--) {
    if (i == 2)
      continue;
    for (;;) {
      n += 2 * i * j;
      if (n % 2)
        break;
      n++;
    }
    if (n > 60)
      goto out;
  }
out:
  do {
    n -= 7;
  } while (n > 0);
  printf("%d\n", n);
  unsigned long h = 14695981039346656037ul;
  for (int i = 0; i < 1000; i++)
    h = (h ^ (i & 255)) * 1099511628211ul;
  printf("%lx\n", h);
  int sieve[200] = {0}, primes = 0;
  for (int i = 2; i < 200; i++) {
    if (sieve[i])
      continue;
    primes++;
    for (int j = i * i; j < 200; j += i)
      sieve[j] = 1;
  }
  printf("%d %d\n", primes, ({ int y = primes; y * 2; }));
  int c = (n = 5, n + 1);
  printf("%d %d %d\n", c, n ?: 9, 0 ?: 9);
  return classify(2);
}

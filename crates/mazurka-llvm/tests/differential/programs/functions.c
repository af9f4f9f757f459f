// Function pointers and variable arguments.
#include <stdarg.h>
#include <stdio.h>

typedef int op(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static op *table[] = {add, sub, mul};
static op *choose(char c) { return c == '+' ? add : c == '-' ? sub : mul; }
static int apply(op *f, int a, int b) { return f(a, b); }
struct shape { double (*area)(const struct shape *); double a, b; };
static double rectangle(const struct shape *s) { return s->a * s->b; }
static double circle(const struct shape *s) { return 3 * s->a * s->a; }

struct pair { long a; double b; };
struct big { int v[8]; };

static double sum(const char *types, ...) {
  va_list list, copy;
  va_start(list, types);
  va_copy(copy, list);
  double total = 0;
  for (; *types; types++)
    switch (*types) {
    case 'i': total += va_arg(list, int); break;
    case 'l': total += va_arg(list, long); break;
    case 'd': total += va_arg(list, double); break;
    case 's': total += va_arg(list, const char *)[0]; break;
    case 'p': { struct pair p = va_arg(list, struct pair); total += p.a + p.b; break; }
    case 'b': { struct big b = va_arg(list, struct big); total += b.v[7]; break; }
    case 'L': total += va_arg(list, long double); break;
    case 'u': total += va_arg(list, unsigned); break;
    }
  total += va_arg(copy, int);
  va_end(copy);
  va_end(list);
  return total;
}

static void show(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
}

static int nested(int n, va_list list) { int s = 0; while (n--) s += va_arg(list, int); return s; }
static int outer(int n, ...) { va_list l; va_start(l, n); int s = nested(n / 2, l); va_end(l); return s; }

static int twelve(int a, int b, int c, int d, int e, int f, int g, int h, double i, float j, char k, long l) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + (int)i + (int)j + k + (int)l;
}
static int old(a, b) int a; char b; { return a - b; }
static int counter(void) { static int n = 10; return n++; }
static _Bool yes(void) { return 1; }
static signed char narrow(int x) { return x; }
static unsigned short wide(short x) { return x; }
static inline int inlined(int x) { return x + 1; }

int main(void) {
  for (int i = 0; i < 3; i++)
    printf("%d %d\n", table[i](7, 3), apply(choose("+-*"[i]), 10, i));
  struct shape shapes[] = {{rectangle, 2, 3}, {circle, 2, 0}};
  for (int i = 0; i < 2; i++)
    printf("%g\n", shapes[i].area(&shapes[i]));
  printf("%g\n", sum("iilds", 1, 2, 3L, 4.5, "A"));
  printf("%g\n", sum("iiiiiiiiiidddddddddd", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5));
  printf("%g\n", sum("ipbpi", 1, (struct pair){2, 3.5}, (struct big){.v[7] = 9}, (struct pair){4, 5}, 6));
  printf("%g\n", sum("iLiLu", 1, 2.25L, 3, 4.5L, 4000000000u));
  show("%s %d %5.2f|%-6s|%c %ld\n", "text", 42, 3.14159, "ab", 'x', 1L << 40);
  show("%d %d %d %d %d %d %d %f %f\n", 1, 2, 3, 4, 5, 6, 7, 8.0, 9.0);
  printf("%d\n", outer(6, 1, 2, 3, 4, 5, 6));
  printf("%d\n", twelve(1, 2, 3, 4, 5, 6, 7, 8, 9.9, 10.5f, 11, 12));
  counter();
  printf("%d %d %d\n", old(5, 'A'), counter(), counter());
  printf("%d %d %d %d\n", yes(), narrow(200), wide(-1), inlined(4));
  op **p = &table[1], *f = *p;
  printf("%d %d %d\n", f == sub, (**p)(1, 2), f ? (*f)(5, 5) : -1);
  int (*print)(const char *, ...) = printf;
  return print("%s\n", "through a pointer");
}

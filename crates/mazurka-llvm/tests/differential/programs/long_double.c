#include <stdio.h>
#include <math.h>

int main(void) {
  long double a = 1.0L, b = 3.0L, c = 0.1L;
  printf("%.20Lg %.20Lg %.20Lg %.20Lg\n", a / b, a + c, b * c, a - b);
  printf("%La %La %La\n", a / b, c, -b);
  printf("%Lf %Le %Lg\n", c, c, c);
  double d = a / b;
  float f = a / b;
  printf("%a %a %d %ld %d\n", d, f, (int)(b * 7), (long)(-b * 1e10L), a < b);
  long double from = 123456789012345678L;
  printf("%.0Lf %.0Lf\n", from, from * from);
  printf("%d %d %d\n", (long double)0.1 == c, c == 0.1L, fabsl(-c) == c);
  long double sum = 0;
  for (int i = 1; i <= 100; i++)
    sum += 1.0L / i;
  printf("%.25Lg\n", sum);
  unsigned long u = 0xffffffffffffffff;
  long double w = u;
  printf("%.0Lf %lu\n", w, (unsigned long)w);
  return (int)(c * 100);
}

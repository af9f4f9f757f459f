#include <float.h>
#include <math.h>
#include <stdio.h>

static void pair(double a, double b) {
  float x = a, y = b;
  printf("%a %a %a %a", a + b, a - b, a * b, a / b);
  printf(" %a %a %a %a", x + y, x - y, x * y, x / y);
  printf(" %d%d%d%d%d%d", a < b, a <= b, a > b, a >= b, a == b, a != b);
  printf(" %d%d%d%d", !(a < b), isunordered(a, b) != 0, isnan(a) != 0, isinf(b) != 0);
  printf(" %a %a %a\n", -a, fabs(b), fmod(a, b));
}

int main(void) {
  volatile double zero = 0;
  double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 1e300, -1e-300, 5e-324, DBL_MAX, FLT_MIN,
                     1 / zero, -1 / zero};
  int count = sizeof values / sizeof *values;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      pair(values[i], values[j]);
  double n = NAN;
  printf("%d %d %d %d %d\n", n == n, n != n, n < 1, n > 1, isnan(n) != 0);
  for (double x = 0.25; x < 20; x *= 1.7) {
    printf("%.17g %.17g %.17g %.17g %.17g\n", sqrt(x), exp(x), log(x), sin(x), cos(x));
    /* Libraries differ in the last bit of a cube root. */
    printf("%.17g %.17g %.17g %.15g %.17g\n", pow(x, 1.3), atan2(x, 2), tan(x), cbrt(x), log10(x));
    printf("%.17g %.17g %.17g %.17g %.17g\n", floor(x), ceil(x), round(x), trunc(x), rint(x));
    printf("%.9g %.9g %.9g %.9g\n", sqrtf(x), expf(x), sinf(x), powf(x, 2.2f));
    printf("%.17g %.17g %.17g %ld\n", hypot(x, 3), fmin(x, 4), fmax(x, 4), lround(x));
    int e;
    double whole, m = frexp(x, &e);
    printf("%.17g %d %.17g %.17g %.17g %.17g\n", m, e, ldexp(x, 5), ldexp(x, -3), modf(x, &whole), whole);
    printf("%.17g %.17g %.17g\n", fma(x, x, 1), copysign(x, -1), log2(x));
  }
  float sum = 0;
  for (int i = 1; i < 1000; i++)
    sum += 1.0f / i;
  double dsum = 0;
  for (int i = 1; i < 1000; i++)
    dsum += 1.0 / i;
  printf("%a %a\n", sum, dsum);
  int i = 7;
  i *= 1.5;
  i += 0.9;
  printf("%d %d %g\n", i, i / 2, i / 2.0);
  return 0;
}

// Between all types of numbers.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static void from_integer(int64_t v) {
  printf("%d %d %d %d %u %u %u %lu %ld %d | ", (int8_t)v, (int16_t)v, (int32_t)v, (bool)v,
         (uint8_t)v, (uint16_t)v, (uint32_t)v, (uint64_t)v, v, (char)v);
  printf("%.9g %.17g %.9g %.17g %.9g %.17g\n", (float)v, (double)v, (float)(uint64_t)v,
         (double)(uint64_t)v, (float)(int32_t)v, (double)(uint32_t)v);
}

static void from_double(double v) {
  float f = v;
  printf("%a %a %.9g: ", v, f, f);
  if (v > -2147483648.0 && v < 2147483647.0)
    printf("%d %d %ld ", (int)v, (int)f, (long)v);
  if (v > -128 && v < 127)
    printf("%d %d ", (int8_t)v, (short)f);
  if (v > -1 && v < 1.8e19)
    printf("%lu ", (uint64_t)v);
  if (v > -1 && v < 4.2e9)
    printf("%u ", (uint32_t)v);
  printf("%d %d\n", (bool)v, v != f);
}

int main(void) {
  static const int64_t integers[] = {0, 1, -1, 127, 128, 255, 256, 32768, -32769, 65536,
                                     2147483647, -2147483648, 4294967295, 4294967296,
                                     9007199254740993, -9007199254740993, INT64_MAX, INT64_MIN};
  for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++)
    from_integer(integers[i]);
  static const double doubles[] = {0.0, -0.0, 0.5, -0.5, 1.0, 1.5, 2.5, -1.9, 100.7, 127.99,
                                   1e9, 2147483646.5, 3e9, 1e18, 1.7e19, 1e-30, 1e30, 3.4e38,
                                   0.1, 16777217.0, 1e-45, 5e-324};
  for (unsigned i = 0; i < sizeof doubles / sizeof *doubles; i++)
    from_double(doubles[i]);
  unsigned char c = 200;
  signed char d = c;
  int e = d, f = c;
  long g = -e;
  unsigned long h = (unsigned)e;
  unsigned long k = e;
  printf("%d %d %d %ld %lu %lu\n", d, e, f, g, h, k);
  short s = 0x8000;
  printf("%d %u %x %lx\n", s, (unsigned short)s, s, (long)s);
  bool b = 0.1;
  b += 5;
  printf("%d %d %lu\n", b, (bool)&b, sizeof(b));
  void *p = (void *)(intptr_t)42;
  printf("%ld %d\n", (intptr_t)p, p == (void *)42);
  printf("%d %d\n", -1 < 1u, (long)-1 < 1u);
  return 0;
}

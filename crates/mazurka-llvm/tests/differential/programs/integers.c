// Arithmetic of every width, signed and unsigned, around the edges.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define SHOW(name, type, format)                                                                   \
  static void name(type a, type b) {                                                               \
    printf(#type " " format " " format ":", a, b);                                                 \
    printf(" " format, (type)(a + b));                                                             \
    printf(" " format, (type)(a - b));                                                             \
    printf(" " format, (type)(a * b));                                                             \
    if (b != 0 && b != (type)-1) {                                                                 \
      printf(" " format, (type)(a / b));                                                           \
      printf(" " format, (type)(a % b));                                                           \
    }                                                                                              \
    printf(" " format " " format " " format " " format, (type)(a & b), (type)(a | b),              \
           (type)(a ^ b), (type)~a);                                                               \
    printf(" %d%d%d%d%d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b);                       \
  }

SHOW(u8, uint8_t, "%u")
SHOW(s8, int8_t, "%d")
SHOW(u16, uint16_t, "%u")
SHOW(s16, int16_t, "%d")
SHOW(u32, uint32_t, "%u")
SHOW(u64, uint64_t, "%lu")

static void s32(int32_t a, int32_t b) {
  printf("int32_t %d %d: %d %d %d", a, b, (int)((unsigned)a + b), (int)((unsigned)a - b),
         (int)((unsigned)a * b));
  if (b != 0 && b != -1)
    printf(" %d %d", a / b, a % b);
  printf(" %d%d%d%d\n", a < b, a <= b, a > b, a >= b);
}

static void s64(int64_t a, int64_t b) {
  printf("int64_t %ld %ld: %ld %ld %ld", a, b, (long)((uint64_t)a + b), (long)((uint64_t)a - b),
         (long)((uint64_t)a * b));
  if (b != 0 && b != -1)
    printf(" %ld %ld", a / b, a % b);
  printf(" %d%d%d%d\n", a < b, a <= b, a > b, a >= b);
}

int main(void) {
  static const int64_t values[] = {0,         1,          -1,        2,         7,
                                   -7,        127,        128,       -128,      255,
                                   32767,     -32768,     65535,     INT_MAX,   INT_MIN,
                                   UINT_MAX,  INT64_MAX,  INT64_MIN, 0x123456789abcdef};
  int count = sizeof values / sizeof *values;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      u8(values[i], values[j]);
      s8(values[i], values[j]);
      u16(values[i], values[j]);
      s16(values[i], values[j]);
      u32(values[i], values[j]);
      s32(values[i], values[j]);
      u64(values[i], values[j]);
      s64(values[i], values[j]);
    }
  for (int i = 0; i < count; i++) {
    uint64_t u = values[i];
    int64_t s = values[i];
    for (int by = 0; by < 64; by += 7)
      printf("%lx %lx %ld | ", u << by, u >> by, s >> by);
    for (int by = 0; by < 32; by += 5)
      printf("%x %x %d | ", (uint32_t)u << by, (uint32_t)u >> by, (int32_t)s >> by);
    uint8_t b = u;
    int8_t c = s;
    uint16_t h = u;
    printf("%d %d %d %d\n", b << 3, b >> 3, c >> 2, (uint16_t)(h << 9));
  }
  int x = 5;
  x += 3;
  x -= 10;
  x *= -7;
  x <<= 3;
  x |= 1;
  x ^= 0x55;
  x %= 50;
  x = x++ + ++x;
  printf("%d %d %d\n", x, x--, !x);
  return x & 0x7f;
}

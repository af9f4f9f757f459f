#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char v16 __attribute__((vector_size(16)));

static v4 add(v4 a, v4 b) { return a + b * 2; }

int main(void) {
  uint64_t values[] = {1, 2, 0x80, 0xff00, 0x12345678, 0x80000000, 0xdeadbeefcafe, 1ull << 63, ~0ull};
  for (int i = 0; i < 9; i++) {
    uint64_t x = values[i];
    printf("%d %d %d %d %d ", __builtin_popcountll(x), __builtin_clzll(x), __builtin_ctzll(x), __builtin_ffsll(x), __builtin_parityll(x));
    if ((uint32_t)x)
      printf("%d %d %d ", __builtin_popcount(x), __builtin_clz(x), __builtin_ctz(x));
    printf("%x %x %lx %lx\n", __builtin_bswap16(x), __builtin_bswap32(x), __builtin_bswap64(x), __builtin_bitreverse64(x));
    printf("%x %lx %x\n", __builtin_rotateleft32(x, 7), __builtin_rotateright64(x, 13), __builtin_rotateleft8(x, 3));
  }
  int edges[] = {0, 1, -1, 46341, -46341, 2147483647, -2147483647 - 1};
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++) {
      int r;
      unsigned u;
      long l;
      short s;
      printf("%d ", __builtin_add_overflow(edges[i], edges[j], &r)), printf("%d ", r);
      printf("%d ", __builtin_sub_overflow(edges[i], edges[j], &r)), printf("%d ", r);
      printf("%d ", __builtin_mul_overflow(edges[i], edges[j], &r)), printf("%d ", r);
      printf("%d ", __builtin_add_overflow((unsigned)edges[i], (unsigned)edges[j], &u)), printf("%u ", u);
      printf("%d ", __builtin_mul_overflow((long)edges[i] << 20, (long)edges[j] << 12, &l)), printf("%ld ", l);
      printf("%d ", __builtin_mul_overflow((short)edges[i], (short)edges[j], &s)), printf("%d\n", s);
    }
  printf("%d %d %ld\n", __builtin_expect(5, 1) == 5, __builtin_constant_p(values[0]), (long)__builtin_object_size(values, 0));
  printf("%d %d %d\n", __builtin_abs(-3), (int)__builtin_strlen("four"), __builtin_memcmp("a", "a", 1));
  v4 a = {1, 2, 3, 4}, b = {10, 20, 30, 40}, c = add(a, b), d = a > (v4){2, 2, 2, 2};
  for (int i = 0; i < 4; i++)
    printf("%d %d %d ", c[i], d[i], (a ^ b)[i]);
  f4 x = {1.5f, 2.5f, -1, 0}, y = x * x - 1;
  y[2] = 9;
  v4 shuffled = __builtin_shufflevector(a, b, 7, 0, 5, 2);
  v16 bytes;
  memset(&bytes, 3, 16);
  bytes += (v16){1, 2};
  printf("\n%g %g %g %d %d %d %d\n", y[0], y[1], y[2], shuffled[0], shuffled[3], bytes[0], bytes[5]);
  _Atomic int atomic = 5;
  int old = atomic++;
  atomic += 10;
  int expected = 3;
  _Bool swapped = __c11_atomic_compare_exchange_strong(&atomic, &expected, 9, 5, 5);
  printf("%d %d %d %d %d\n", old, atomic, expected, swapped, __atomic_fetch_xor((int *)&atomic, 1, 5));
  long shared = 7;
  printf("%ld %ld %ld %ld\n", __sync_fetch_and_add(&shared, 3), __sync_val_compare_and_swap(&shared, 10, 20), __atomic_exchange_n(&shared, 1, 5), __sync_or_and_fetch(&shared, 6));
  printf("%d %d\n", __atomic_fetch_nand(&old, 3, 5), old);
  __sync_synchronize();
  __asm__ volatile("" ::: "memory");
  return c[3];
}

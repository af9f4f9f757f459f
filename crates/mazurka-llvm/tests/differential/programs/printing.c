#include <stdint.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  printf("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%+.0d|%d%%\n", 42, 42, 42, 42, 42, 42, 4, 4, 4, 0, 7);
  printf("%i %d %ld %lld %hd %hhd %zd %td %jd\n", -1, -2147483647 - 1, -9223372036854775807L - 1, 1LL << 62, (short)-3, (char)-4, (size_t)5, (ptrdiff_t)-6, (intmax_t)7);
  printf("%u %o %x %X %#x %#o %#X %08x %#010x\n", 4000000000u, 8, 255, 255, 255, 8, 255, 255, 255);
  printf("%lx %llX %hx %hhx %#lx %#x\n", 1L << 40, ~0ULL, 0x12345, 0x1ff, 0L, 0);
  printf("%c|%3c|%-3c|%s|%10s|%-10s|%.2s|%10.3s|\n", 'a', 'b', 'c', "str", "right", "left", "cut", "abcdef");
  printf("%*d|%-*d|%.*f|%*.*s|%*d\n", 5, 1, 5, 2, 2, 3.14159, 8, 3, "truncate", -4, 9);
  double values[] = {0, -0.0, 1, 0.5, 1.5, 2.5, 3.14159265358979, 1e10, 1e-10, 123456789.987654321, 1e100, 5e-324, 0.1, 999999.25, 9.99, 1e15, 1e16, 100000, 1000000, 0.0001, 0.00001};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    double v = values[i];
    printf("%f|%e|%g|%.0f|%.0e|%.3g|%10.2f|%-12.4e|%+g|% f|%010.3f|%#.0f|%#g|%G|%E|%a|%.2a|%.20g\n", v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v);
    printf("%.15f|%.1f|%.2e|%5.1g|%.10g\n", v, -v, -v, v, -v);
  }
  double infinite = 1e308 * 10;
  printf("%f %F %e %5g|%-8f|%08f %+f\n", infinite, infinite, -infinite, infinite, infinite, infinite, infinite);
  printf("%s %p %d\n", (char *)NULL, NULL, 1);
  printf("%" PRId64 " %" PRIu32 " %" PRIx16 "\n", (int64_t)-5, (uint32_t)5, (uint16_t)0xabcd);
  char buffer[20];
  int n = snprintf(buffer, sizeof buffer, "%s-%d", "a long string that is cut", 5);
  printf("%d %s\n", n, buffer);
  n = snprintf(NULL, 0, "%d", 12345);
  printf("%d %d %s\n", n, sprintf(buffer, "%05.1f", 2.25), buffer);
  int so_far;
  printf("12345%n67\n", &so_far);
  printf("%d\n", so_far);
  putchar('x');
  putc('y', stdout);
  fputc('z', stdout);
  fputs("fputs\n", stdout);
  fprintf(stdout, "%s %d\n", "fprintf", 1);
  fwrite("abcdef", 2, 3, stdout);
  puts("");
  printf("%-5c|%5s|\n", (char)81, "s");
  printf("%.3s|%.0s|%.10s|\n", "abcdef", "gone", "short");
  printf("no newline at the end");
  fflush(stdout);
  return printf("\n");
}

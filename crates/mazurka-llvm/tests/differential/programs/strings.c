#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }
static long at(const char *base, const char *found) { return found ? found - base : -1; }

int main(void) {
  char a[64] = "hello", b[64];
  printf("%lu %lu %lu\n", strlen(a), strnlen(a, 3), strlen(""));
  printf("%d %d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("b", "a")), strcmp("x", "x"), sign(strcmp("ab", "abc")));
  printf("%d %d %d\n", strncmp("abcd", "abxx", 2), sign(strcasecmp("HeLLo", "hellp")), strncasecmp("ABx", "abY", 2));
  strcpy(b, a);
  strcat(b, " world");
  strncat(b, "!!!!", 2);
  puts(b);
  memset(a, '.', 10);
  strncpy(a, "xy", 5);
  for (int i = 0; i < 11; i++)
    printf("%d ", a[i]);
  printf("\n%ld %ld %ld %ld\n", at(b, strchr(b, 'o')), at(b, strrchr(b, 'o')), at(b, strchr(b, 'z')), at(b, strchr(b, 0)));
  printf("%ld %ld %ld %ld\n", at(b, strstr(b, "wor")), at(b, strstr(b, "xyz")), at(b, strstr(b, "")), at(b, strpbrk(b, "dlr")));
  printf("%lu %lu\n", strspn(b, "ehl"), strcspn(b, " w"));
  char text[] = "a,b;;c, d";
  for (char *t = strtok(text, ",;"); t; t = strtok(NULL, ",;"))
    printf("[%s]", t);
  char more[] = "  one two  ", *save;
  for (char *t = strtok_r(more, " ", &save); t; t = strtok_r(NULL, " ", &save))
    printf("[%s]", t);
  char sep[] = "k=v=", *cursor = sep, *part;
  while ((part = strsep(&cursor, "=")))
    printf("<%s>", part);
  char *copy = strdup("duplicate"), *cut = strndup("duplicate", 3);
  printf("\n%s %s\n", copy, cut);
  free(copy);
  free(cut);
  char data[] = "0123456789";
  memmove(data + 2, data, 5);
  puts(data);
  memcpy(data, "AB", 2);
  printf("%s %d %ld %ld\n", data, sign(memcmp("aac", "aab", 3)), at(data, memchr(data, '4', 10)), at(data, memrchr(data, '1', 10)));
  printf("%s\n", (char *)mempcpy(a, "12345", 6) - 6);
  printf("%s %s\n", stpcpy(a, "stp") - 3, strerror(2));
  for (int c = -1; c < 256; c++)
    printf("%d%d%d%d%d%d%d%d%d%d%d%x%x ", !!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c), !!isupper(c), !!islower(c),
           !!ispunct(c), !!isprint(c), !!isxdigit(c), !!iscntrl(c), !!isgraph(c), toupper(c), tolower(c));
  const char *digits[] = {"42", "-17x", "  +99", "0x1F", "077", "abc", "", "99999999999999999999", "-99999999999999999999", "zz", "4294967296"};
  for (unsigned i = 0; i < sizeof digits / sizeof *digits; i++) {
    char *end;
    long n = strtol(digits[i], &end, 0);
    printf("\n%ld %ld ", n, (long)(end - digits[i]));
    printf("%lu ", strtoul(digits[i], &end, 10));
    printf("%ld %ld %ld", strtol(digits[i], NULL, 16), strtol(digits[i], NULL, 36), (long)(end - digits[i]));
    if (i != 7 && i != 8 && i != 10)
      printf(" %d %ld", atoi(digits[i]), atol(digits[i]));
  }
  const char *numbers[] = {"1.5", "-2.5e3xyz", ".5", "1e", "inf", "  3.25", "", "x", "1e400", "123456789.123456789"};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    char *end;
    double d = strtod(numbers[i], &end);
    printf("\n%.17g %ld %.9g", d, (long)(end - numbers[i]), strtof(numbers[i], NULL));
  }
  printf("\n%g %d %ld\n", atof("2.5"), abs(-5), labs(-5L));
  div_t q = div(17, 5);
  ldiv_t lq = ldiv(-17, 5);
  printf("%d %d %ld %ld\n", q.quot, q.rem, lq.quot, lq.rem);
  return 0;
}

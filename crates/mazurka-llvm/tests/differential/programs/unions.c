// Unions and bit-fields.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union all {
  int8_t i8; uint16_t u16; int32_t i32; uint64_t u64; float f; double d; char c[12]; void *p;
};
struct bits {
  unsigned a : 3;
  int b : 5;
  unsigned c : 17;
  unsigned : 0;
  int d : 31;
  unsigned char e : 1, f : 2;
  uint64_t g : 40;
  int64_t h : 20;
};
struct tagged { enum { INT, FLOAT, TEXT } tag; union { int i; float f; char text[16]; }; };

static union all make(double d) { union all u; memset(&u, 0, sizeof u); u.d = d; return u; }
static struct bits twist(struct bits b) { b.a += 3; b.b = -b.b; b.g ^= 0xfffff; b.h--; return b; }

static void print(struct tagged t) {
  switch (t.tag) {
  case INT: printf("%d\n", t.i); break;
  case FLOAT: printf("%g\n", t.f); break;
  case TEXT: printf("%s\n", t.text); break;
  }
}

int main(void) {
  union all u = make(1.5);
  printf("%lx %x %d %x %f %lu\n", u.u64, u.i32, u.i8, u.u16, u.f, sizeof u);
  u.c[3] = 'A';
  printf("%lx\n", u.u64);
  u.f = -2.0f;
  printf("%x\n", u.i32);
  struct bits b = {5, -3, 100000, -7, 1, 2, 0x123456789a, -12345};
  printf("%u %d %u %d %u %u %lx %ld %lu\n", b.a, b.b, b.c, b.d, b.e, b.f, (long)b.g, (long)b.h, sizeof b);
  b = twist(b);
  printf("%u %d %u %d %u %u %lx %ld\n", b.a, b.b, b.c, b.d, b.e, b.f, (long)b.g, (long)b.h);
  for (int i = 0; i < 10; i++) {
    b.a++;
    b.b += 7;
    b.c *= 3;
    b.e = !b.e;
    b.f -= 1;
    printf("%u %d %u %u %u\n", b.a, b.b, b.c, b.e, b.f);
  }
  print((struct tagged){.tag = INT, .i = 5});
  print((struct tagged){.tag = FLOAT, .f = 2.5f});
  print((struct tagged){.tag = TEXT, .text = "union"});
  return b.a;
}

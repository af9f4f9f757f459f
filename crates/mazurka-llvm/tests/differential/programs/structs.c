// Structs of all sizes by value, nested, with arrays and padding.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct one { char c; };
struct two { short a, b; };
struct three { char a, b, c; };
struct eight { int a; float b; };
struct twelve { int a, b, c; };
struct mixed { double d; int i; };
struct floats { float x, y, z; };
struct large { long a[5]; char tail; };
struct nested { struct two t; struct { char c; struct eight e; } in[2]; struct large l; };
struct padded { char a; int b; char c; double d; char e; };
struct __attribute__((packed)) packed { char a; int b; short c; double d; };
struct empty_end { int n; char data[]; };

static struct one f1(struct one s) { s.c++; return s; }
static struct two f2(struct two s) { s.a *= 2; s.b -= 1; return s; }
static struct three f3(struct three s) { s.c = s.a + s.b; return s; }
static struct eight f8(struct eight s) { s.b += s.a; return s; }
static struct twelve f12(struct twelve s, int x) { s.c = s.a + s.b + x; return s; }
static struct mixed fm(struct mixed s) { s.d *= s.i; return s; }
static struct floats ff(struct floats s) { s.z = s.x + s.y; return s; }
static struct large fl(struct large s, char t) { s.a[4] = s.a[0] + s.a[1]; s.tail = t; return s; }
static struct nested fn(struct nested s) { s.in[1].e.a = s.t.a + s.l.tail; return s; }
static struct packed fp(struct packed s) { s.b += s.c; return s; }

static int many(struct two a, struct twelve b, struct large c, int d, struct mixed e, double f,
                struct eight g, char h, struct floats i) {
  return a.a + b.b + c.a[2] + d + (int)e.d + (int)f + g.a + h + (int)i.z;
}

static struct twelve global = {1, 2, 3};
static struct nested table[2] = {{.t = {1, 2}, .in[1].c = 'x', .l.tail = 9}, {.l = {{1, 2, 3}, 4}}};

int main(void) {
  printf("%d\n", f1((struct one){4}).c);
  struct two t = f2((struct two){5, 6});
  printf("%d %d\n", t.a, t.b);
  printf("%d\n", f3((struct three){1, 2, 0}).c);
  printf("%f\n", f8((struct eight){3, 1.5f}).b);
  printf("%d\n", f12(global, 10).c);
  printf("%f\n", fm((struct mixed){2.5, 3}).d);
  printf("%f\n", ff((struct floats){1, 2, 0}).z);
  struct large l = {{1, 2, 3}};
  struct large l2 = fl(l, 'q');
  printf("%ld %ld %c %d\n", l.a[4], l2.a[4], l2.tail, l.tail);
  struct nested n = fn(table[0]);
  printf("%d %d %c\n", n.in[1].e.a, table[0].in[1].e.a, n.in[1].c);
  struct packed p = fp((struct packed){1, 2, 3, 4.5});
  printf("%d %d %f %lu\n", p.b, p.c, p.d, sizeof p);
  printf("%lu %lu %lu %lu\n", sizeof(struct padded), offsetof(struct padded, b),
         offsetof(struct padded, d), offsetof(struct padded, e));
  printf("%lu %lu\n", sizeof(struct nested), offsetof(struct nested, l));
  printf("%d\n", many(t, global, l2, 7, (struct mixed){8.5, 1}, 9.9, (struct eight){10, 0}, 11,
                      (struct floats){0, 0, 12}));
  struct nested copy;
  memcpy(&copy, &n, sizeof n);
  copy.in[0] = copy.in[1];
  printf("%d %d\n", copy.in[0].e.a, memcmp(&copy, &n, 4));
  struct twelve *pg = &global, array[3] = {{1}, {4, 5, 6}, global};
  pg->a = 100;
  array[1] = *pg;
  printf("%d %d %d\n", array[1].a, array[2].a, (array + 1)->b);
  struct two x = {1, 2}, y = {3, 4}, z = x.a < y.a ? y : x;
  printf("%d\n", z.b);
  struct { int a; struct { int b; }; union { int c; char d[4]; }; } anonymous = {1, {2}, {0x41424344}};
  printf("%d %d %c\n", anonymous.a, anonymous.b, anonymous.d[0]);
  printf("%d\n", ((struct two[]){{1, 2}, {3, 4}})[1].a);
  return 3;
}

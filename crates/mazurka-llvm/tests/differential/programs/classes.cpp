// -std=c++20
// Classes: constructors, destructors, virtual functions, templates, operators, lambdas.
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

static int alive;
struct Base {
  int id;
  explicit Base(int id) : id(id) { alive++; }
  virtual ~Base() { alive--; std::printf("~Base %d\n", id); }
  virtual int value() const { return id; }
  virtual const char *name() const = 0;
};
struct Left : virtual Base {
  Left(int i) : Base(i) {}
  int value() const override { return Base::value() * 2; }
  const char *name() const override { return "left"; }
};
struct Other { virtual int other() { return 9; } virtual ~Other() {} long pad = 5; };
struct Derived final : Other, Left {
  int extra;
  Derived(int i, int e) : Base(i), Left(i), extra(e) {}
  ~Derived() override { std::printf("~Derived %d\n", extra); }
  int value() const override { return Left::value() + extra; }
  int other() override { return extra; }
};
template <typename T> struct Stack {
  T items[8];
  int size = 0;
  Stack &operator<<(T item) { items[size++] = item; return *this; }
  T pop() { return items[--size]; }
  template <typename F> void each(F f) { for (int i = 0; i < size; i++) f(items[i]); }
};
template <int N> constexpr int factorial() { if constexpr (N <= 1) return 1; else return N * factorial<N - 1>(); }
template <typename... T> auto sum(T... t) { return (t + ... + 0); }
struct Complex {
  double re, im;
  Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  bool operator==(const Complex &) const = default;
};
enum class Color : unsigned char { red = 3, green };
namespace space { static int hidden = 4; inline int get() { return hidden; } }

struct Movable {
  int *p;
  Movable(int v) : p(new int(v)) {}
  Movable(Movable &&o) noexcept : p(std::exchange(o.p, nullptr)) {}
  Movable(const Movable &) = delete;
  ~Movable() { delete p; }
};
static Movable make(int v) { Movable m(v); return m; }
static int &reference() { static int n = 1; return n; }
struct Global { Global() { std::puts("global made"); } ~Global() { std::puts("global gone"); } } global;
static int lazily() { static Base *b = new Derived(50, 1); return b->value(); }
int arg(int x, int y = 7) { return x * y; }
int arg(double x) { return (int)x; }

int main() {
  {
    Derived d(3, 4);
    Base &b = d;
    Other *o = &d;
    std::printf("%d %s %d %d %ld\n", b.value(), b.name(), o->other(), alive, o->pad);
    std::unique_ptr<Base> p = std::make_unique<Derived>(5, 6);
    std::printf("%d\n", p->value());
    std::shared_ptr<Left> s = std::make_shared<Derived>(7, 8), t = s;
    std::printf("%ld %d\n", s.use_count(), t->value());
  }
  std::printf("%d\n", alive);
  Stack<int> stack;
  stack << 1 << 2 << 3;
  int total = 0;
  stack.each([&total, factor = 10](int x) { total += x * factor; });
  std::printf("%d %d %d %d\n", total, stack.pop(), factorial<6>(), sum(1, 2.5, 3l) > 6);
  Complex c = Complex{1, 2} * Complex{3, 4};
  std::printf("%g %g %d\n", c.re, c.im, c == Complex{-5, 10});
  std::printf("%d %d\n", (int)Color::green, space::get());
  Movable m = make(42), n = std::move(m);
  std::printf("%d %d\n", *n.p, m.p == nullptr);
  reference() += 5;
  std::printf("%d %d %d %d\n", reference(), lazily(), arg(3), arg(3.9));
  std::function<int(int)> f = [k = 3](int x) { return x * k; };
  std::printf("%d\n", f(5) + (f ? 1 : 0));
  int (Base::*method)() const = &Base::value;
  Derived e(1, 2);
  std::printf("%d\n", (e.*method)());
  Base *base = &e;
  Other *other = dynamic_cast<Other *>(base);
  Derived *derived = dynamic_cast<Derived *>(other);
  Left left(9), *l = &left;
  std::printf("%d %d %d %d\n", other->other(), derived == &e, dynamic_cast<Derived *>((Base *)l) == nullptr, dynamic_cast<void *>(other) == (void *)&e);
  auto *array = new Stack<short>[3];
  array[1] << 5;
  std::printf("%d %d\n", array[1].pop(), array[2].size);
  delete[] array;
  return 0;
}

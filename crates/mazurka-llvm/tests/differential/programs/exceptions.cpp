// -std=c++17
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct Noisy {
  int id;
  explicit Noisy(int id) : id(id) { std::printf("+%d\n", id); }
  Noisy(const Noisy &o) : id(o.id + 100) { std::printf("copy %d\n", id); }
  ~Noisy() { std::printf("-%d\n", id); }
};

struct Left { virtual ~Left() {} int l = 1; };
struct Right { virtual ~Right() {} int r = 2; };
struct Both : Left, Right { int b = 3; };
struct Root { int x = 7; virtual ~Root() {} };
struct A : virtual Root {};
struct B : virtual Root {};
struct Diamond : A, B {};
struct MyError : std::runtime_error {
  int code;
  MyError(int code) : std::runtime_error("my error"), code(code) {}
};

static int depth(int n) {
  Noisy local(n);
  if (n == 0) throw MyError(42);
  return depth(n - 1) + 1;
}

static void numbers(int k) {
  try {
    switch (k) {
    case 0: throw 5;
    case 1: throw 5L;
    case 2: throw 2.5;
    case 3: throw "text";
    case 4: throw 'c';
    case 5: throw std::string("string");
    case 6: throw Both();
    case 7: throw Diamond();
    case 8: { static Both both; throw &both; }
    case 9: throw nullptr;
    }
  } catch (int i) { std::printf("int %d\n", i);
  } catch (long l) { std::printf("long %ld\n", l);
  } catch (double d) { std::printf("double %g\n", d);
  } catch (const char *s) { std::printf("text %s\n", s);
  } catch (const std::string &s) { std::printf("string %s\n", s.c_str());
  } catch (Right &r) { std::printf("right %d\n", r.r);
  } catch (Root &r) { std::printf("root %d\n", r.x);
  } catch (Right *r) { std::printf("pointer to right %d\n", r->r);
  } catch (...) { std::printf("something\n"); }
}

static void again() {
  try {
    try {
      throw Noisy(1);
    } catch (Noisy &n) {
      std::printf("first %d\n", n.id);
      throw;
    }
  } catch (Noisy &n) {
    std::printf("second %d\n", n.id);
    try { throw Noisy(2); } catch (Noisy n) { std::printf("inner %d\n", n.id); }
    std::printf("still %d\n", n.id);
  }
}

struct Thrower { Noisy n; Thrower() : n(9) { throw std::logic_error("in constructor"); } };

static int guarded(int i) noexcept(false) {
  try {
    if (i % 2) throw i;
    return i;
  } catch (int x) { return -x; }
}

static void function_try(int x) try {
  if (x) throw std::out_of_range("function");
} catch (std::exception &e) { std::printf("function try: %s\n", e.what()); }

int main() {
  try { depth(3); } catch (const std::exception &e) { std::printf("%s\n", e.what()); }
  try { depth(1); } catch (MyError &e) { std::printf("code %d\n", e.code); }
  for (int k = 0; k < 10; k++) numbers(k);
  again();
  try { Thrower t; } catch (std::logic_error &e) { std::printf("%s\n", e.what()); }
  try { std::vector<int> v(3); v.at(5) = 1; } catch (std::out_of_range &e) { std::printf("at: %s\n", e.what()); }
  try { std::string s("abc"); s.substr(7); } catch (std::exception &e) { std::printf("substr: %s\n", e.what()); }
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += guarded(i);
  std::printf("sum %d\n", sum);
  function_try(1);
  std::exception_ptr kept;
  try { throw MyError(7); } catch (...) { kept = std::current_exception(); }
  try { std::rethrow_exception(kept); } catch (MyError &e) { std::printf("kept %d %s\n", e.code, e.what()); }
  kept = nullptr;
  try {
    auto p = std::make_unique<Noisy>(5);
    struct Counts { ~Counts() { std::printf("uncaught %d\n", std::uncaught_exceptions()); } } counts;
    throw std::bad_alloc();
  } catch (std::bad_alloc &e) { std::printf("%s\n", e.what()); }
  std::printf("uncaught %d\n", std::uncaught_exceptions());
  try { try { throw 1; } catch (int) { throw 2.0; } } catch (double d) { std::printf("replaced %g\n", d); }
  Noisy last(77);
  return 3;
}

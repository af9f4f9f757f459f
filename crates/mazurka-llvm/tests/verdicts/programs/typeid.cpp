// correct
// with: -std=c++17
#include <any>
#include <cassert>
#include <cstring>
#include <map>
#include <typeindex>
#include <typeinfo>

struct Base {
  virtual ~Base() {}
};
struct Other {
  virtual ~Other() {}
};
struct Derived : Base, Other {};

int main() {
  assert(typeid(double) != typeid(int));
  assert(typeid(int) == typeid(int));
  assert(typeid(int *) != typeid(const int *));
  assert(std::strcmp(typeid(long).name(), "l") == 0);
  std::map<std::type_index, int> sizes;
  sizes[typeid(int)] = 4;
  sizes[typeid(double)] = 8;
  sizes[typeid(const char *)] = 1;
  assert(sizes.size() == 3 && sizes[typeid(double)] == 8);

  std::any any = 5;
  assert(std::any_cast<int>(any) == 5);
  assert(std::any_cast<double>(&any) == nullptr);
  bool thrown = false;
  try {
    std::any_cast<double>(any);
  } catch (const std::bad_any_cast &) {
    thrown = true;
  }
  assert(thrown);

  Base *base = new Derived;
  assert(typeid(*base) == typeid(Derived));
  assert(dynamic_cast<Derived *>(base) == base);
  assert(dynamic_cast<Other *>(base) != nullptr);
  Base plain;
  assert(dynamic_cast<Derived *>(&plain) == nullptr);
  delete base;
}

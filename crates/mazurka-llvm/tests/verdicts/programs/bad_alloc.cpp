// correct
#include <cassert>
#include <new>

int main(int argc, char **) {
  bool thrown = false;
  try {
    char *p = new char[1ul << (40 + argc)];
    *p = 1;
  } catch (const std::bad_alloc &) {
    thrown = true;
  }
  assert(thrown);
}

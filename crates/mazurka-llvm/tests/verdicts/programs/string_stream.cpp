// correct
// with: leaks races
// Each thread has streams of its own: their text does not depend on the schedule, and nothing races.
#include <assert.h>
#include <iostream>
#include <sstream>
#include <thread>

static std::string text(int number) {
  std::ostringstream out;
  out << "number " << number;
  return out.str();
}

int main() {
  std::thread other([] {
    assert(text(1) == "number 1");
    std::cout << text(1);
  });
  assert(text(2) == "number 2");
  std::cout << text(2);
  other.join();
}

// correct
// with: -std=c++20 leaks races
// A stream that is written at once, at the end.
#include <iostream>
#include <assert.h>
#include <sstream>
#include <syncstream>
#include <thread>

int main() {
  std::ostringstream out;
  std::thread other([&] { std::osyncstream(out) << "a" << 1 << ';'; });
  std::osyncstream(out) << "b" << 2 << ';';
  other.join();
  assert(out.str() == "a1;b2;" || out.str() == "b2;a1;");
  std::osyncstream(std::cout) << out.str();
}

// wrong: data-race
// with: races
// Two threads write to one stream.
#include <sstream>
#include <thread>

int main() {
  std::ostringstream out;
  std::thread other([&] { out << 1; });
  out << 2;
  other.join();
}

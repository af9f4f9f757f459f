// correct
// with: -stdlib=libc++ -std=c++20 needs=__config races
// libc++: waiting for atomics.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> number{0};
  int data = 0;
  std::thread other([&] {
    data = 1;
    number = 1;
    number.notify_one();
  });
  number.wait(0);
  assert(data == 1);
  other.join();
}

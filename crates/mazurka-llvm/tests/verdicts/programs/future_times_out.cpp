// wrong: assertion: assertion
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread setter([&] { promise.set_value(1); });
  assert(future.wait_for(std::chrono::milliseconds(10)) == std::future_status::ready);
  setter.join();
}

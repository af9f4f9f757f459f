// correct
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread setter([&] { promise.set_value(1); });
  auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
  if (future.wait_until(until) == std::future_status::timeout)
    assert(std::chrono::steady_clock::now() >= until);
  assert(future.get() == 1);
  setter.join();
}

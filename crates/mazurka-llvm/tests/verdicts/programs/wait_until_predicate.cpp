// correct
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable cv;
bool ready;

int main() {
  std::thread notifier([] {
    std::lock_guard<std::mutex> guard(m);
    ready = true;
    cv.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(m);
    auto until = std::chrono::system_clock::now() + std::chrono::seconds(1);
    bool was_ready = cv.wait_until(lock, until, [] { return ready; });
    assert(was_ready == ready);
    assert(was_ready || std::chrono::system_clock::now() >= until);
  }
  notifier.join();
}

// wrong: assertion: assertion
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable cv;

int main() {
  std::thread notifier([] { cv.notify_one(); });
  {
    std::unique_lock<std::mutex> lock(m);
    auto status = cv.wait_for(lock, std::chrono::milliseconds(1));
    assert(status == std::cv_status::no_timeout);
  }
  notifier.join();
}

// -std=c++20
// Threads that are asked to stop.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

int main() {
  std::mutex lock;
  std::condition_variable_any changed;
  std::vector<int> values{7};
  {
    std::jthread worker([&](std::stop_token stop) {
      std::unique_lock guard(lock);
      while (changed.wait(guard, stop, [&] { return !values.empty(); })) values.pop_back();
    });
    std::unique_lock guard(lock);
    changed.notify_all();
  }
  printf("%zu\n", values.size());

  std::stop_source source;
  std::atomic<int> calls{0};
  std::thread listener([&] { std::stop_callback callback(source.get_token(), [&] { calls++; }); });
  source.request_stop();
  listener.join();
  std::stop_callback late(source.get_token(), [&] { calls += 10; });
  printf("%d %d\n", int(calls >= 10), int(source.stop_requested()));

  bool done = false;
  std::condition_variable ended;
  std::thread leaver([&] {
    std::unique_lock guard(lock);
    done = true;
    std::notify_all_at_thread_exit(ended, std::move(guard));
  });
  {
    std::unique_lock guard(lock);
    ended.wait(guard, [&] { return done; });
  }
  leaver.join();
  printf("%d\n", int(done));
}

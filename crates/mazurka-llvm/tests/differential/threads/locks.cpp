// -std=c++20
// Locks of all kinds, and a pool of threads.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <queue>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

class Pool {
  std::queue<std::function<void()>> jobs;
  std::mutex lock;
  std::condition_variable changed;
  bool stops = false;
  std::vector<std::thread> threads;

  void run() {
    for (;;) {
      std::unique_lock guard(lock);
      changed.wait(guard, [&] { return stops || !jobs.empty(); });
      if (jobs.empty()) return;
      auto job = std::move(jobs.front());
      jobs.pop();
      guard.unlock();
      job();
    }
  }

public:
  explicit Pool(int count) {
    for (int i = 0; i < count; i++) threads.emplace_back([this] { run(); });
  }
  void add(std::function<void()> job) {
    {
      std::lock_guard guard(lock);
      jobs.push(std::move(job));
    }
    changed.notify_one();
  }
  ~Pool() {
    {
      std::lock_guard guard(lock);
      stops = true;
    }
    changed.notify_all();
    for (auto &thread : threads) thread.join();
  }
};

int main() {
  std::shared_mutex lock;
  std::map<std::string, int> table;
  std::thread writer([&] {
    std::unique_lock guard(lock);
    table["a"] = 1;
  });
  std::thread reader([&] {
    std::shared_lock guard(lock);
    auto found = table.find("a");
    if (found != table.end() && found->second != 1) abort();
  });
  writer.join();
  reader.join();
  printf("%zu\n", table.size());

  std::mutex a;
  std::recursive_mutex b;
  int count = 0;
  std::thread other([&] {
    std::scoped_lock guard(a, b);
    count++;
  });
  {
    std::scoped_lock guard(b, a);
    std::lock_guard again(b);
    count++;
  }
  other.join();
  printf("%d\n", count);

  std::atomic<int> sum{0};
  {
    Pool pool(2);
    pool.add([&] { sum += 1; });
    pool.add([&] { sum += 2; });
  }
  printf("%d\n", sum.load());

  std::timed_mutex timed;
  std::unique_lock owner(timed, std::chrono::hours(1));
  printf("%d\n", owner.owns_lock());
  try {
    std::thread().join();
  } catch (const std::system_error &error) {
    printf("%s %d\n", error.what(), error.code().value());
  }
  try {
    std::unique_lock<std::mutex> none;
    none.lock();
  } catch (const std::system_error &error) {
    printf("%d\n", error.code().value());
  }
}

// correct
// with: -stdlib=libc++ needs=__config leaks races
// mistake: deadlock
// libc++: threads, locks, conditions, strings, containers, shared pointers.
#include <assert.h>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

int main() {
  std::mutex lock;
  std::condition_variable changed;
  bool ready = false;
  std::vector<std::string> names;
  auto shared = std::make_shared<int>(4);
  std::weak_ptr<int> weak = shared;
  std::thread other([&, shared] {
    std::function<int()> function = [&] { return *shared + 1; };
    std::lock_guard<std::mutex> guard(lock);
    names.push_back("a text that is longer than the string itself " + std::to_string(function()));
#ifndef MISTAKE
    ready = true;
#endif
    changed.notify_one();
  });
  shared.reset();
  {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [&] { return ready; });
    assert(names.at(0).size() == 46 && names.at(0).back() == '5');
  }
  other.join();
  assert(weak.expired());
  std::map<int, std::string> numbers{{1, "one"}};
  try {
    numbers.at(2);
    assert(false);
  } catch (const std::out_of_range &) {
  }
}

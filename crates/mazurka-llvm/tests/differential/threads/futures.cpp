// -std=c++20
// Futures, promises, tasks and the exceptions that they carry.
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

static int twice(int x) {
  if (x < 0) throw std::invalid_argument("negative");
  return 2 * x;
}

int main() {
  std::packaged_task<int(int)> task(twice), failing(twice);
  auto result = task.get_future(), failure = failing.get_future();
  std::thread runner(std::move(task), 21), other(std::move(failing), -1);
  printf("%d\n", result.get());
  try {
    failure.get();
  } catch (const std::exception &error) {
    printf("%s\n", error.what());
  }
  runner.join();
  other.join();

  auto deferred = std::async(std::launch::deferred, [] { return 5; });
  auto started = std::async(std::launch::async, [] { return 6; });
  printf("%d\n", deferred.get() + started.get());

  std::promise<std::unique_ptr<int>> owner;
  auto owned = owner.get_future();
  std::thread giver([&] { owner.set_value(std::make_unique<int>(9)); });
  printf("%d\n", *owned.get());
  giver.join();

  std::promise<void> start;
  std::shared_future<void> go = start.get_future().share();
  int first = 0, second = 0;
  std::thread one([&first, go] { go.wait(), first = 1; }), two([&second, go] { go.wait(), second = 2; });
  start.set_value();
  one.join();
  two.join();
  printf("%d\n", first + second);

  std::promise<int> at_exit;
  auto late = at_exit.get_future();
  std::thread leaver([&] { at_exit.set_value_at_thread_exit(3); });
  printf("%d\n", late.get());
  leaver.join();

  try {
    start.set_value();
  } catch (const std::future_error &error) {
    printf("%s\n", error.code().message().c_str());
  }
  try {
    std::future<int> broken = std::promise<int>().get_future();
    broken.get();
  } catch (const std::future_error &error) {
    printf("%s\n", error.code().message().c_str());
  }
  try {
    std::future<int>().get();
  } catch (const std::future_error &error) {
    printf("%s\n", error.code().message().c_str());
  }
}

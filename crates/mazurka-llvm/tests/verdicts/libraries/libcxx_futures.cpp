// correct
// with: -stdlib=libc++ needs=__config leaks races
// mistake: data-race
// libc++: futures, promises, exceptions between threads, call_once.
#include <assert.h>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>

int main() {
  auto number = std::async(std::launch::async, [] { return 5; });
  std::promise<void> promise;
  std::future<void> done = promise.get_future();
  std::once_flag once;
  int calls = 0;
  std::thread other([&] {
#ifdef MISTAKE
    calls = 1;
#endif
    std::call_once(once, [&] { calls++; });
    promise.set_exception(std::make_exception_ptr(std::runtime_error("told")));
  });
  std::call_once(once, [&] { calls++; });
  try {
    done.get();
    assert(false);
  } catch (const std::runtime_error &error) {
    assert(error.what()[0] == 't');
  }
  other.join();
  assert(calls == 1 && number.get() == 5);
  std::future<int> broken = std::promise<int>().get_future();
  try {
    broken.get();
    assert(false);
  } catch (const std::future_error &error) {
    assert(error.code() == std::future_errc::broken_promise);
  }
}

// correct
// with: leaks
// mistake: assertion
// The condition is notified when the variables of the thread are gone.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static int destroyed;
struct Variable {
  int value = 1;
  ~Variable() { destroyed++; }
};

int main() {
  std::mutex lock;
  std::condition_variable ended;
  bool is_done = false;
  std::thread thread([&] {
    thread_local Variable variable;
    variable.value = 2;
    std::unique_lock<std::mutex> guard(lock);
    is_done = true;
#ifdef MISTAKE
    guard.unlock();
    ended.notify_all();
#else
    std::notify_all_at_thread_exit(ended, std::move(guard));
#endif
  });
  {
    std::unique_lock<std::mutex> guard(lock);
    ended.wait(guard, [&] { return is_done; });
    assert(destroyed == 1);
  }
  thread.join();
}

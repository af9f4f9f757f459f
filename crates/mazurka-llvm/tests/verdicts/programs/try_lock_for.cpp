// wrong: assertion: assertion
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex m;

int main() {
  std::thread holder([] {
    m.lock();
    m.unlock();
  });
  bool locked = m.try_lock_for(std::chrono::milliseconds(1));
  if (locked)
    m.unlock();
  holder.join();
  assert(locked);
}

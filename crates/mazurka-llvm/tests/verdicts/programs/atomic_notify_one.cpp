// correct
// with: -std=c++20 rc11
// mistake: deadlock
// Two threads wait for one number. By mistake, only one of them is notified.
#include <atomic>
#include <thread>

static std::atomic<int> ready{0};

int main() {
    auto run = [] { ready.wait(0, std::memory_order_acquire); };
    std::thread first(run), second(run);
    ready.store(1, std::memory_order_release);
#ifdef MISTAKE
    ready.notify_one();
#else
    ready.notify_all();
#endif
    first.join();
    second.join();
}

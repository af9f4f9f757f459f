// correct
// with: -std=c++20 rc11
// mistake: assertion
// Two threads wait for each other by `wait` with weak orderings. By mistake, the data comes after the flag.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> ready{0};
static std::atomic<int> data{0};

int main() {
    std::thread reader([] {
        ready.wait(0, std::memory_order_acquire);
        assert(data.load(std::memory_order_relaxed) == 1);
    });
#ifdef MISTAKE
    ready.store(1, std::memory_order_release);
    data.store(1, std::memory_order_relaxed);
#else
    data.store(1, std::memory_order_relaxed);
    ready.store(1, std::memory_order_release);
#endif
    ready.notify_one();
    reader.join();
}

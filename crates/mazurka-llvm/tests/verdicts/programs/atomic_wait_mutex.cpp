// correct
// with: -std=c++20 rc11
// mistake: deadlock
// A mutex with weak orderings that waits by `std::atomic::wait`. By mistake, it notifies only if no thread waits.
#include <atomic>
#include <cassert>
#include <thread>

class Mutex {
    std::atomic<int> state{0};

public:
    void lock() {
        int seen = 0;
        if (state.compare_exchange_strong(seen, 1, std::memory_order_acquire)) return;
        while (state.exchange(2, std::memory_order_acquire) != 0)
            state.wait(2, std::memory_order_relaxed);
    }
    void unlock() {
#ifdef MISTAKE
        if (state.exchange(0, std::memory_order_release) == 1) state.notify_one();
#else
        if (state.exchange(0, std::memory_order_release) == 2) state.notify_one();
#endif
    }
};

int main() {
    Mutex mutex;
    int count = 0;
    auto run = [&] {
        mutex.lock();
        count++;
        mutex.unlock();
    };
    std::thread other(run);
    run();
    other.join();
    assert(count == 2);
}

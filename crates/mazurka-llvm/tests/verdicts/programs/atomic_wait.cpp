// correct
// with: -std=c++20 rc11
// mistake: deadlock
// A mutex that waits by `std::atomic::wait`. By mistake, it does not notify.
#include <atomic>
#include <cassert>
#include <thread>

class Mutex {
    std::atomic<int> state{0};

public:
    void lock() {
        int seen = 0;
        if (state.compare_exchange_strong(seen, 1)) return;
        for (; seen != 0; seen = state.exchange(2))
            if (seen == 2 || state.exchange(2) != 0) state.wait(2);
            else return;
    }
    void unlock() {
        int before = state.exchange(0);
#ifndef MISTAKE
        if (before == 2) state.notify_one();
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

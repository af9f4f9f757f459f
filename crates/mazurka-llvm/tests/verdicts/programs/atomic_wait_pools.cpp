// correct
// with: -std=c++20 rc11
// mistake: deadlock
// Two atomics that are no futexes. By mistake, only one of them is notified, which must not wake the other thread.
#include <atomic>
#include <thread>

static std::atomic<bool> first{false}, second{false};

int main() {
    std::thread one([] { first.wait(false); });
    std::thread other([] { second.wait(false); });
    first = true;
#ifndef MISTAKE
    first.notify_one();
#endif
    second = true;
    second.notify_one();
    one.join();
    other.join();
}

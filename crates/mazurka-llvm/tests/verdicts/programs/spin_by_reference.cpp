// correct
// with: -std=c++17 rc11
// mistake: assertion
// Two spin locks whose loops pass locals by reference: the expected value of an exchange, and values that are
// compared. By mistake, a thread does not take the second lock.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> first{0}, second{0};
static std::atomic<int> sum{0}, product{1};

static bool same(const int &a, const int &b) { return a == b; }

static void lock_first() {
    int expected = 0;
    while (!first.compare_exchange_weak(expected, 1, std::memory_order_acquire,
                                        std::memory_order_relaxed))
        expected = 0;
}

static void lock_second() {
    int taken = 1;
    for (;;) {
        int seen = second.exchange(1, std::memory_order_acquire);
        if (!same(seen, taken)) return;
    }
}

static void work(bool locks) {
    lock_first();
    sum.store(sum.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    first.store(0, std::memory_order_release);
    if (locks) lock_second();
    product.store(2 * product.load(std::memory_order_relaxed), std::memory_order_relaxed);
    if (locks) second.store(0, std::memory_order_release);
}

int main() {
#ifdef MISTAKE
    bool locks = false;
#else
    bool locks = true;
#endif
    std::thread other(work, locks);
    work(true);
    other.join();
    assert(sum == 2 && product == 4);
}

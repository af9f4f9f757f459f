// correct
// with: -std=c++20 rc11
// mistake: deadlock
// All that waits on atomics in the C++ library. By mistake, the stop callback does not notify.
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static std::atomic<int> data{0};

static void stop() {
    std::atomic<int> stopped{0};
    std::jthread thread([&](std::stop_token token) {
        std::stop_callback callback(token, [&] {
            stopped.store(1, std::memory_order_release);
#ifndef MISTAKE
            stopped.notify_one();
#endif
        });
        stopped.wait(0, std::memory_order_acquire);
    });
}

static void flag() {
    std::atomic_flag flag;
    std::thread thread([&] {
        data.store(1, std::memory_order_relaxed);
        flag.test_and_set(std::memory_order_release);
        flag.notify_one();
    });
    flag.wait(false, std::memory_order_acquire);
    assert(data.load(std::memory_order_relaxed) == 1);
    thread.join();
}

static void latch() {
    std::latch latch(1);
    std::thread thread([&] {
        data.store(2, std::memory_order_relaxed);
        latch.count_down();
    });
    latch.wait();
    assert(data.load(std::memory_order_relaxed) == 2);
    thread.join();
}

static void barrier() {
    std::barrier barrier(2);
    std::thread thread([&] {
        data.store(3, std::memory_order_relaxed);
        barrier.arrive_and_wait();
    });
    barrier.arrive_and_wait();
    assert(data.load(std::memory_order_relaxed) == 3);
    thread.join();
}

static void semaphore() {
    std::binary_semaphore semaphore(0);
    std::thread thread([&] {
        data.store(4, std::memory_order_relaxed);
        semaphore.release();
    });
    semaphore.acquire();
    assert(data.load(std::memory_order_relaxed) == 4);
    thread.join();
}

int main() {
    stop();
    flag();
    latch();
    barrier();
    semaphore();
}

// correct
// with: -std=c++20 rc11
// mistake: deadlock
// A queue of one element: each side waits for the other one. By mistake, the consumer does not notify.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned> filled{0}, emptied{0};
static unsigned slot;

static void produce(unsigned number) {
    for (unsigned seen; (seen = emptied.load(std::memory_order_acquire)) != number;)
        emptied.wait(seen, std::memory_order_relaxed);
    slot = number + 5;
    filled.store(number + 1, std::memory_order_release);
    filled.notify_one();
}

static void consume(unsigned number) {
    filled.wait(number, std::memory_order_acquire);
    assert(slot == number + 5);
    emptied.store(number + 1, std::memory_order_release);
#ifndef MISTAKE
    emptied.notify_one();
#endif
}

int main() {
    std::thread producer([] {
        produce(0);
        produce(1);
    });
    consume(0);
    consume(1);
    producer.join();
}

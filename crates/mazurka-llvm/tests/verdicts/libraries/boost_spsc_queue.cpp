// correct
// with: needs=boost/lockfree/spsc_queue.hpp races
// mistake: data-race
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

// A ring for one producer and one consumer. Two producers race.
int main() {
    boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;
    auto produce = [&] {
        queue.push(1);
        queue.push(2);
    };
    std::thread producer(produce);
#ifdef MISTAKE
    std::thread other(produce);
    other.join();
#else
    int value = 0, sum = 0;
    for (int i = 0; i < 2; i++)
        if (queue.pop(value)) sum = 10 * sum + value;
    assert(sum == 0 || sum == 1 || sum == 12);
#endif
    producer.join();
}

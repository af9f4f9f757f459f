// correct
// with: needs=concurrentqueue/concurrentqueue.h -std=c++17 leaks
// mistake: assertion
#include <cassert>
#include <concurrentqueue/concurrentqueue.h>
#include <thread>

// A queue for many producers and consumers. A token is for one thread: two that share it lose elements.
int main() {
    moodycamel::ConcurrentQueue<int> queue(4);
    moodycamel::ProducerToken first(queue), second(queue);
    std::thread producer([&] { queue.enqueue(first, 1); });
#ifdef MISTAKE
    queue.enqueue(first, 2);
#else
    queue.enqueue(second, 2);
#endif
    producer.join();
    int sum = 0, value;
    while (queue.try_dequeue(value)) sum += value;
    assert(sum == 3);
}

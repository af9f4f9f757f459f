// correct
// with: needs=boost/lockfree/queue.hpp
// mistake: assertion
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

// A producer and a consumer of a lock-free queue: values come out in the order in which they went in.
int main() {
    boost::lockfree::queue<int> queue(4);
    std::thread producer([&] {
        queue.push(1);
        queue.push(2);
    });
    int first = 0, second = 0;
    bool one = queue.pop(first);
    bool two = queue.pop(second);
    producer.join();
#ifdef MISTAKE
    assert(one == two);
#else
    assert(!one || first == 1);
    assert(!two || second == (one ? 2 : 1));
#endif
}

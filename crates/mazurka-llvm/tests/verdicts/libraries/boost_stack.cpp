// correct
// with: needs=boost/lockfree/stack.hpp
// mistake: assertion
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

// Two threads push to a lock-free stack and pop from it. No value is lost, and none is popped twice.
int main() {
    boost::lockfree::stack<int> stack(4);
    int first = 0, second = 0;
    std::thread one([&] {
        stack.push(1);
        stack.pop(first);
    });
    std::thread two([&] {
        stack.push(2);
        stack.pop(second);
    });
    one.join();
    two.join();
#ifdef MISTAKE
    assert(first == 1);
#else
    assert(first + second == 3 && stack.empty());
#endif
}

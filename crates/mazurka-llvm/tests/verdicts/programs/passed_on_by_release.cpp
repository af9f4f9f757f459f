// correct
// with: -std=c++17 rc11
// mistake: assertion
// A value is passed on by a release store, in a program with shared pointers, `std::cout` and statics that
// have destructors. By mistake, the reader does not look whether the value is there.
#include <atomic>
#include <cassert>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

struct Log {
    std::string text{"log"};
    ~Log() { text.clear(); }
};

static Log log_of_all;
static std::atomic<bool> ready{false};

int main() {
    auto value = std::make_shared<std::atomic<int>>(0);
    std::thread writer([value] {
        value->store(1, std::memory_order_relaxed);
        ready.store(true, std::memory_order_release);
    });
    std::thread reader([value] {
#ifdef MISTAKE
        bool is_ready = true;
#else
        bool is_ready = ready.load(std::memory_order_acquire);
#endif
        if (is_ready) assert(value->load(std::memory_order_relaxed) == 1);
    });
    writer.join();
    reader.join();
    value.reset();
    std::cout << log_of_all.text << "\n";
}

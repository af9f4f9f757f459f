// correct
// with: -std=c++17 leaks
// mistake: invalid-memory
#include <cassert>
#include <memory>
#include <thread>

int main() {
    auto shared = std::make_shared<int>(1), other = std::make_shared<int>(5);
    std::thread writer([&] {
#ifdef MISTAKE
        shared = std::make_shared<int>(2);
#else
        std::atomic_store(&shared, std::make_shared<int>(2));
#endif
    });
    auto seen = std::atomic_load(&shared);
    assert(*seen == 1 || *seen == 2);
    writer.join();
    seen = std::atomic_exchange(&shared, other);
    assert(*seen == 2);
    assert(std::atomic_compare_exchange_strong(&shared, &other, seen));
}

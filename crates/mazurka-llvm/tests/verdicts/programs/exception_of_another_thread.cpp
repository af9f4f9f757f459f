// correct
// with: -std=c++17 rc11
// mistake: assertion
// A thread throws, and another one catches the exception by reference. It is nested, copied, moved and
// assigned on the way. By mistake, the exception is taken for that of the first thread.
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

struct Failure : std::runtime_error {
    int thread;
    explicit Failure(int thread) : std::runtime_error("failure"), thread(thread) {}
};

static std::mutex mutex;
static std::exception_ptr first;

static void work(int thread) {
    try {
        throw Failure(thread);
    } catch (...) {
        std::lock_guard<std::mutex> guard(mutex);
        if (!first) first = std::current_exception();
    }
}

int main() {
    std::thread a(work, 1), b(work, 2);
    a.join();
    b.join();
    int nested = 0;
    try {
        try {
            std::rethrow_exception(first);
        } catch (Failure &failure) {
            Failure copy(failure), moved(std::move(copy));
            copy = moved;
            moved = std::move(copy);
            assert(moved.what() == std::string("failure") && moved.thread == failure.thread);
            std::throw_with_nested(std::runtime_error("outer"));
        }
    } catch (const std::exception &outer) {
        assert(outer.what() == std::string("outer"));
        try {
            std::rethrow_if_nested(outer);
        } catch (const std::runtime_error &inner) {
            nested = dynamic_cast<const Failure &>(inner).thread;
        }
    }
#ifdef MISTAKE
    assert(nested == 1);
#else
    assert(nested == 1 || nested == 2);
#endif
}

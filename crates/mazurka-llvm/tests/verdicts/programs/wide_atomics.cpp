// correct
// with: races
#include <atomic>
#include <cassert>
#include <thread>

// Twelve bytes: clang leaves these operations to a library.
struct Point {
    int x, y, z;
};

static std::atomic<Point> point{Point{0, 0, 0}};

static void move() {
    Point before = point.load(), after;
    do {
        after = {before.x + 1, before.y + 1, before.z + 1};
    } while (!point.compare_exchange_strong(before, after));
}

int main() {
    std::thread other(move);
    move();
    other.join();
    Point last = point.exchange(Point{9, 9, 9});
    assert(last.x == 2 && last.y == 2 && last.z == 2);
    point.store(Point{1, 2, 3});
    assert(point.load().z == 3);
}

// correct
// with: -std=c++17
#include <cassert>
#include <random>

int main() {
    std::mt19937 generator(1);
    assert(generator() == 1791095845u);
    std::uniform_int_distribution<int> dice(1, 6);
    int thrown = dice(generator);
    assert(1 <= thrown && thrown <= 6);
    std::uniform_real_distribution<double> part(0, 1);
    double number = part(generator);
    assert(0 <= number && number < 1);
    std::normal_distribution<double> normal;
    normal(generator);
}

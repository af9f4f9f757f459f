// wrong: invalid-memory: 
#include <algorithm>

int main() {
    const int &greatest = std::max(1, 2);
    return greatest - 2;
}

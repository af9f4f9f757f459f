// wrong: 
#include <mutex>
#include <thread>
#include <vector>

std::vector<int> numbers{1, 2, 3};
std::mutex m;

int main() {
  std::thread([] {
    std::lock_guard<std::mutex> guard(m);
    numbers[0]++;
  }).detach();
}

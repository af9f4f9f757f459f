// wrong: data-race
// with: -stdlib=libc++ needs=__config races
#include <string>
#include <thread>

int main() {
  std::string text;
  std::thread other([&] { text += 'a'; });
  text += 'b';
  other.join();
}

// -std=c++20
// Shared pointers, call_once, and variables of threads.
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct Node : std::enable_shared_from_this<Node> {
  std::atomic<int> value{1};
  ~Node() { printf("gone\n"); }
};

thread_local int own = 1;

struct Single {
  static Single &get() {
    static Single made;
    return made;
  }
  std::atomic<int> uses{0};
};

int main() {
  auto node = std::make_shared<Node>();
  std::weak_ptr<Node> weak = node;
  std::thread visitor([weak] {
    if (auto found = weak.lock()) found->value++;
  });
  node->shared_from_this();
  node.reset();
  visitor.join();
  printf("%d\n", int(weak.expired()));

  std::shared_ptr<int> array(new int[3]{1, 2, 3}, std::default_delete<int[]>());
  std::thread one([array] {}), two([array] {});
  one.join();
  two.join();
  printf("%ld\n", array.use_count());

  std::once_flag once;
  int calls = 0;
  auto call = [&] {
    try {
      std::call_once(once, [&] {
        if (calls++ == 0) throw 1;
      });
    } catch (int) {
    }
  };
  std::thread first(call), second(call);
  first.join();
  second.join();
  printf("%d\n", calls);

  std::thread local([] { own++, Single::get().uses++; });
  own += 5, Single::get().uses++;
  local.join();
  printf("%d %d\n", own, Single::get().uses.load());
}

// -std=c++20
// Latches, barriers, semaphores, and waiting for atomics.
#include <atomic>
#include <barrier>
#include <cstdio>
#include <latch>
#include <semaphore>
#include <thread>

int main() {
  std::latch latch(2);
  int a = 0, b = 0;
  std::thread one([&] { a = 1, latch.count_down(); }), two([&] { b = 2, latch.arrive_and_wait(); });
  latch.wait();
  printf("%d %d\n", a, b);
  one.join();
  two.join();

  int phases = 0;
  std::barrier barrier(2, [&]() noexcept { phases++; });
  std::thread partner([&] {
    for (int i = 0; i < 2; i++) barrier.arrive_and_wait();
  });
  for (int i = 0; i < 2; i++) barrier.arrive_and_wait();
  partner.join();
  printf("%d\n", phases);

  std::barrier left(2);
  std::thread leaver([&] { left.arrive_and_drop(); });
  left.arrive_and_wait();
  left.arrive_and_wait();
  leaver.join();

  std::binary_semaphore ready(0);
  int data = 0;
  std::thread producer([&] { data = 4, ready.release(); });
  ready.acquire();
  printf("%d\n", data);
  producer.join();

  std::atomic<int> number{0};
  std::atomic<bool> flag{false};
  std::thread waiter([&] {
    number.wait(0);
    flag = true;
    flag.notify_all();
  });
  number = 1;
  number.notify_one();
  flag.wait(false);
  waiter.join();
  printf("%d %d\n", number.load(), int(flag.load()));
}

// A consumer that waits for a message to be there, and a producer that says when it is. The consumer waits
// without having looked: if the message is there already, nobody will tell it again.
//
//     mazurka check examples/cpp/missed_notification.cpp
#include <condition_variable>
#include <mutex>
#include <thread>

class Mailbox {
public:
    void put(int message) {
        std::lock_guard<std::mutex> guard(mutex);
        this->message = message;
        changed.notify_one();
    }

    int take() {
        std::unique_lock<std::mutex> guard(mutex);
        changed.wait(guard); // should be: changed.wait(guard, [this] { return message != 0; });
        return message;
    }

private:
    std::mutex mutex;
    std::condition_variable changed;
    int message = 0;
};

int main() {
    Mailbox mailbox;
    std::thread producer([&mailbox] { mailbox.put(42); });
    std::thread consumer([&mailbox] { mailbox.take(); });
    producer.join();
    consumer.join();
}

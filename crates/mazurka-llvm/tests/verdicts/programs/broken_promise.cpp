// correct
// with: -std=c++17 leaks
#include <cassert>
#include <future>
#include <string>
#include <system_error>

int main() {
    std::future<int> future;
    {
        std::promise<int> promise;
        future = promise.get_future();
        try {
            promise.get_future();
            assert(false);
        } catch (const std::future_error &error) {
            assert(error.code() == std::future_errc::future_already_retrieved);
        }
    }
    try {
        future.get();
        assert(false);
    } catch (const std::future_error &error) {
        assert(error.code() == std::future_errc::broken_promise);
        assert(error.code().category() == std::future_category());
        assert(error.code().message() == "Broken promise");
        assert(std::string(error.what()) == "std::future_error: Broken promise");
    }
    std::error_code code = std::make_error_code(std::errc::no_such_file_or_directory);
    assert(code == std::errc::no_such_file_or_directory && code.category().name()[0] == 'g');
    assert(std::error_code(2, std::system_category()).default_error_condition() == code.default_error_condition());
}

// correct
// with: leaks
#include <assert.h>
#include <string>
#include <system_error>

int main() {
  std::error_code error = std::make_error_code(std::errc::no_such_file_or_directory);
  assert(error.message() == "No such file or directory");
}

// wrong: unsupported: a call of `std::basic_ofstream
// There are no files.
#include <fstream>

int main() { std::ofstream("file.txt") << 1; }

// correct
// with: -stdlib=libc++ -std=c++17 needs=__config leaks races
// mistake: data-race
// libc++: streams, manipulators, regular expressions.
#include <cassert>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <regex>
#include <sstream>
#include <string>
#include <thread>

int main() {
  std::mutex lock;
  std::ostringstream log;
  std::thread other([&] {
    std::lock_guard<std::mutex> guard(lock);
    log << 1;
  });
  {
#ifndef MISTAKE
    std::lock_guard<std::mutex> guard(lock);
#endif
    log << 1;
  }
  other.join();
  assert(log.str() == "11");

  std::ostringstream out;
  out << std::hex << std::showbase << 255 << ' ' << std::dec << std::setw(5) << std::setfill('*') << 7 << ' '
      << std::fixed << std::setprecision(2) << 3.14159 << ' ' << std::boolalpha << true;
  assert(out.str() == "0xff ****7 3.14 true");
  std::istringstream in("12 -3 x 2.5 rest of it");
  int a, b;
  char c;
  double d;
  std::string rest;
  in >> a >> b >> c >> d >> std::ws;
  std::getline(in, rest);
  assert(a == 12 && b == -3 && c == 'x' && d == 2.5 && rest == "rest of it" && in.eof());

  std::smatch parts;
  std::string text = "xaabb";
  assert(std::regex_search(text, parts, std::regex("(a+)(b*)")) && parts[1] == "aa" && parts[2] == "bb");
  assert(std::regex_match("Abc12", std::regex("[[:alpha:]]+\\d{2}")));
  std::cout << text << std::endl;
}

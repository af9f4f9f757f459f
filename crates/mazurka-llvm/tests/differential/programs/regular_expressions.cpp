// -std=c++17
#include <cstdio>
#include <regex>
#include <string>

int main() {
  const std::string text = "2026-11-17: three threads, 12 steps";
  std::smatch found;
  if (std::regex_search(text, found, std::regex("(\\d+)-(\\d+)-(\\d+)")))
    printf("%s %s %s %zu\n", found.str(1).c_str(), found.str(2).c_str(), found.str(3).c_str(), (size_t)found.position());
  printf("%d %d\n", std::regex_match("abcabc", std::regex("(abc)\\1")), std::regex_match("ABC", std::regex("[a-c]+", std::regex::icase)));
  printf("%s\n", std::regex_replace(text, std::regex("[[:digit:]]+"), "<$&>").c_str());
  std::regex word("\\bt\\w*");
  for (std::sregex_iterator each(text.begin(), text.end(), word), end; each != end; ++each) printf("%s;", each->str().c_str());
  printf("%d\n", std::regex_match("a+b", std::regex("a\\+b|x{2,3}(?:y|z)?")));
  try {
    std::regex wrong("a(b");
  } catch (const std::regex_error &e) {
    printf("%d\n", e.code() == std::regex_constants::error_paren);
  }
  return 0;
}

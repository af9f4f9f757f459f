// -std=c++20
#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

int main() {
  std::vector<int> v = {5, 3, 8, 1};
  for (int i = 0; i < 20; i++)
    v.push_back(i * i % 13);
  std::sort(v.begin(), v.end());
  for (int x : v)
    std::printf("%d ", x);
  v.erase(v.begin() + 3, v.begin() + 6);
  v.insert(v.begin(), 3, 99);
  std::printf("\n%zu %d %d %d\n", v.size(), v.front(), v.back(), std::accumulate(v.begin(), v.end(), 0));
  std::string s = "hello";
  s += ", a much longer string than fits in place";
  s.insert(5, "!!").erase(0, 1);
  std::printf("%s %zu %zu %d\n", s.c_str(), s.size(), s.find("long"), s.compare("e"));
  std::string t = s.substr(3, 10) + std::to_string(12345) + 'x';
  std::printf("%s %d %d\n", t.c_str(), t < s, std::stoi("42") + 1);
  std::map<std::string, std::vector<int>> m;
  m["one"].push_back(1);
  m["two"] = {2, 2};
  m["one"].push_back(11);
  for (auto &[key, values] : m)
    std::printf("%s:%zu ", key.c_str(), values.size());
  std::unordered_map<int, int> u;
  for (int i = 0; i < 100; i++)
    u[i * 7] = i;
  std::printf("%zu %d %d\n", u.size(), u[21], (int)u.count(22));
  std::set<int> set = {3, 1, 2, 3};
  std::deque<int> d = {1, 2};
  d.push_front(0);
  d.pop_back();
  std::list<int> l = {4, 5, 6};
  l.reverse();
  std::priority_queue<int> q;
  for (int x : {3, 9, 2})
    q.push(x);
  std::printf("%zu %d %d %d\n", set.size(), d.front(), l.front(), q.top());
  std::array<int, 4> a = {4, 3, 2, 1};
  std::reverse(a.begin(), a.end());
  auto [x, y, z] = std::make_tuple(1, 2.5, "three");
  std::optional<int> o;
  std::printf("%d %d %g %s %d\n", a[0], x, y, z, o.value_or(7));
  o = 5;
  std::variant<int, std::string> w = std::string("text");
  std::printf("%d %zu %s\n", *o, w.index(), std::get<std::string>(w).c_str());
  std::vector<std::string> words = {"pear", "apple", "fig"};
  std::sort(words.begin(), words.end(), [](auto &a, auto &b) { return a.size() < b.size(); });
  for (auto &word : words)
    std::printf("%s ", word.c_str());
  auto it = std::find_if(words.begin(), words.end(), [](auto &w) { return w[0] == 'a'; });
  std::printf("%ld %d\n", it - words.begin(), (int)std::count(v.begin(), v.end(), 99));
  std::vector<bool> bits(70);
  bits[65] = true;
  std::printf("%d %d\n", (int)bits[65], (int)bits[64]);
  return (int)words.size();
}

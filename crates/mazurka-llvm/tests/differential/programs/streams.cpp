#include <iomanip>
#include <iostream>
#include <string>

struct Point { int x, y; };
static std::ostream &operator<<(std::ostream &out, const Point &p) { return out << '(' << p.x << ", " << p.y << ')'; }

int main() {
  std::string name = "world";
  std::cout << "hello " << name << '!' << std::endl;
  std::cout << 1 << ' ' << -2L << ' ' << 3u << ' ' << 4000000000ul << ' ' << true << ' ' << (short)-7 << "\n";
  std::cout << 1.5 << ' ' << 0.1f << ' ' << 1e10 << ' ' << 123456789.0 << ' ' << -0.0 << '\n';
  std::cout << std::hex << 255 << ' ' << -1 << std::dec << ' ' << std::boolalpha << false << '\n';
  std::cout << std::setw(5) << 42 << '|' << std::left << std::setw(5) << 42 << '|' << std::right << std::setw(8) << "text" << "|\n";
  std::cout << std::fixed << std::setprecision(2) << 3.14159 << ' ' << 2.0 << std::scientific << ' ' << 12345.678 << '\n';
  std::cout << Point{3, 4} << std::flush << "\n";
  return 0;
}

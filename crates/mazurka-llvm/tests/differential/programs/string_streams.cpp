#include <iomanip>
#include <iostream>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

struct Point {
  int x, y;
};
static std::ostream &operator<<(std::ostream &out, const Point &p) { return out << '(' << p.x << ", " << p.y << ')'; }
static std::istream &operator>>(std::istream &in, Point &p) {
  char open, comma, close;
  return in >> open >> p.x >> comma >> p.y >> close;
}

// A buffer of the program's own, which writes in capitals.
struct Loud : std::streambuf {
  std::string text;
  int overflow(int c) override {
    text += char(c >= 'a' && c <= 'z' ? c - 32 : c);
    return c;
  }
};

struct Thousands : std::numpunct<char> {
  char do_thousands_sep() const override { return '\''; }
  std::string do_grouping() const override { return "\3"; }
  std::string do_truename() const override { return "yes"; }
};

struct Own : std::error_category {
  const char *name() const noexcept override { return "own"; }
  std::string message(int code) const override { return "own error " + std::to_string(code); }
};

static void output() {
  std::ostringstream out;
  out << "text " << 1 << ' ' << -2L << ' ' << 3u << ' ' << 1.5 << ' ' << 0.1f << ' ' << true << ' ' << Point{1, 2};
  std::cout << out.str() << '|' << out.tellp() << '\n';
  out.str("");
  out << std::hex << std::showbase << 255 << ' ' << std::oct << 8 << ' ' << std::dec << std::showpos << 7 << ' ';
  out << std::noshowpos << std::setw(6) << std::setfill('*') << 42 << std::left << std::setw(6) << 42 << '|';
  out << std::internal << std::setw(8) << -42 << std::right << std::uppercase << std::hex << 0xabc << std::dec;
  std::cout << out.str() << '\n';
  std::ostringstream floats;
  floats << std::setprecision(3) << 3.14159 << ' ' << std::fixed << 2.5 << ' ' << std::scientific << 12345.678 << ' '
         << std::hexfloat << 1.0 << ' ' << std::defaultfloat << 1e100 << ' ' << std::showpoint << 2.0 << ' '
         << 1.0L / 3;
  std::cout << floats.str() << '\n';
  std::cout << std::boolalpha << true << false << std::noboolalpha << ' ' << (void *)nullptr << ' '
            << (const char *)"end" << std::ends << std::endl;
  std::cout << std::setw(10) << std::setfill('.') << "right" << std::left << std::setw(10) << std::string("left")
            << std::setfill(' ') << std::right << std::setiosflags(std::ios::showbase) << std::setbase(16) << 16
            << std::resetiosflags(std::ios::showbase | std::ios::basefield) << '\n';
  std::ios saved(nullptr);
  saved.copyfmt(std::cout);
  std::cout << std::hex << std::setprecision(2) << 255 << 1.2345;
  std::cout.copyfmt(saved);
  std::cout << ' ' << 255 << ' ' << 1.2345 << '\n';
  Loud loud;
  std::ostream to(&loud);
  to << "quiet " << 12 << std::endl;
  std::cout << loud.text;
}

static void input() {
  std::istringstream in("12 -7 0x1f 3.5e2 word 1e999 nan z (3,4) true");
  int a, b, hex;
  double number, huge;
  std::string word, rest;
  char c;
  Point p;
  in >> a >> b >> std::hex >> hex >> std::dec >> number >> word >> huge;
  std::cout << a << ' ' << b << ' ' << hex << ' ' << number << ' ' << word << ' ' << in.fail() << ' '
            << (huge == std::numeric_limits<double>::max()) << '\n';
  in.clear();
  in >> rest >> c >> p >> std::boolalpha;
  bool flag = false;
  in >> flag;
  std::cout << rest << ' ' << c << ' ' << p << ' ' << flag << ' ' << in.eof() << in.good() << '\n';
  std::stringstream lines("one\ntwo words\n\nlast");
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  for (const auto &line : all) std::cout << '[' << line << ']';
  std::cout << all.size() << lines.eof() << lines.fail() << '\n';
  std::stringstream both;
  both << 1 << ' ' << 2 << ' ' << "three";
  int x, y;
  char text[4], line[8];
  both >> x >> y >> std::setw(4) >> text;
  std::cout << x + y << ' ' << text << ' ' << (char)both.peek() << ' ' << both.tellg() << '\n';
  std::istringstream raw("abc,def;ghi");
  raw.getline(line, sizeof line, ',');
  std::cout << line << raw.gcount();
  raw.ignore(100, ';');
  std::cout << (char)raw.get() << raw.rdbuf()->in_avail();
  raw.unget();
  raw.seekg(-1, std::ios::end);
  std::cout << (char)raw.get() << raw.get() << raw.eof() << '\n';
  int bad = 5;
  std::istringstream("x1") >> bad;
  std::cout << bad;
  short narrow;
  std::istringstream("99999") >> narrow;
  unsigned minus;
  std::istringstream("-1") >> minus;
  std::cout << ' ' << narrow << ' ' << minus << ' ' << !(std::cin >> bad) << '\n';
}

static void state() {
  std::ostringstream out;
  out.imbue(std::locale(std::locale::classic(), new Thousands));
  out << 1234567 << ' ' << 1234.5 << ' ' << std::boolalpha << true << ' ' << out.getloc().name();
  std::cout << out.str() << ' ' << std::locale().name() << '\n';
  long grouped = 0;
  std::istringstream in("1'234'567");
  in.imbue(out.getloc());
  in >> grouped;
  std::cout << grouped << in.fail() << '\n';
  try {
    std::istringstream empty;
    empty.exceptions(std::ios::failbit | std::ios::eofbit);
    int unused;
    empty >> unused;
  } catch (const std::ios_base::failure &e) {
    std::cout << e.what() << ' ' << e.code().category().name() << ' ' << e.code().value() << '\n';
  }
  try {
    std::locale other("xx_YY");
  } catch (const std::runtime_error &e) {
    std::cout << e.what() << '\n';
  }
  static int index = std::ios_base::xalloc();
  std::ostringstream one, other;
  one.iword(index) = 5;
  one.iword(index + 20) = 6;
  other = std::move(one);
  std::cout << other.iword(index) << other.iword(index + 20) << '\n';
  std::stringstream first("first"), second("second");
  first.swap(second);
  std::cout << first.str() << second.str() << std::isalpha('x', std::locale()) << std::toupper('x', std::locale()) << '\n';
  static Own own;
  std::error_code code(3, own);
  std::cout << code << ' ' << code.message() << ' ' << (code == code.default_error_condition()) << ' '
            << std::make_error_code(std::errc::no_such_file_or_directory).message() << '\n';
}

int main() {
  output();
  input();
  state();
  return 0;
}

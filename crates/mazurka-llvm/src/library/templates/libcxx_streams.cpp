// Streams, locales and regular expressions of libc++, as far as its compiled library has them. Mazurka
// compiles it behind `libcxx.cpp`.
//
// As for libstdc++, there is one locale with a name, "C", and the standard streams have no buffers.

#include <iomanip>
#include <ios>
#include <istream>
#include <limits>
#include <locale>
#include <ostream>
#include <regex>
#include <sstream>
#include <streambuf>
#include <utility>

extern "C" {
// Prints to the file with this number.
long __mazurka_print(int file, const char *text, long length);
// Nothing writes to a static variable from now on. Reading it is not a step any more.
void __mazurka_freeze(const void *variable);
// The C library has one locale.
__attribute__((weak)) locale_t uselocale(locale_t) noexcept { return nullptr; }
__attribute__((weak)) locale_t newlocale(int, const char *, locale_t) noexcept { return nullptr; }
__attribute__((weak)) void freelocale(locale_t) noexcept {}
__attribute__((weak)) long long strtoll_l(const char *text, char **end, int base, locale_t) noexcept {
  return strtoll(text, end, base);
}
__attribute__((weak)) unsigned long long strtoull_l(const char *text, char **end, int base, locale_t) noexcept {
  return strtoull(text, end, base);
}
__attribute__((weak)) float strtof_l(const char *text, char **end, locale_t) noexcept { return strtof(text, end); }
__attribute__((weak)) double strtod_l(const char *text, char **end, locale_t) noexcept { return strtod(text, end); }
__attribute__((weak)) long double strtold_l(const char *text, char **end, locale_t) noexcept {
  return strtold(text, end);
}
__attribute__((weak)) int(isdigit_l)(int c, locale_t) noexcept { return c >= '0' && c <= '9'; }
__attribute__((weak)) int(isxdigit_l)(int c, locale_t) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
}

_LIBCPP_BEGIN_NAMESPACE_STD

// ---- Locales: a table of facets, with references counted unless it is that of "C"

locale::facet::~facet() {}
void locale::facet::__on_zero_shared() noexcept { delete this; }

int32_t locale::id::__next_id;
void locale::id::__init() {}
// Numbers of facets start at 1.
long locale::id::__get() {
  int32_t known = __atomic_load_n(&__id_, __ATOMIC_ACQUIRE);
  if (!known) {
    int32_t made = __atomic_add_fetch(&__next_id, 1, __ATOMIC_ACQ_REL);
    if (__atomic_compare_exchange_n(&__id_, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) known = made;
  }
  return known - 1;
}

class locale::__imp {
public:
  static constexpr long KINDS = 32;
  long references = 0;
  facet *facets[KINDS] = {};
  static __imp *classic_, *global_;

  bool is_classic() const { return this == classic_; }
  void add() {
    if (!is_classic()) __atomic_add_fetch(&references, 1, __ATOMIC_ACQ_REL);
  }
  void remove() {
    if (!is_classic() && __atomic_sub_fetch(&references, 1, __ATOMIC_ACQ_REL) == 0) delete this;
  }
  static bool is_counted(const facet *each, long kind) { return each && each != classic_->facets[kind]; }
  __imp() = default;
  __imp(const __imp &other) {
    for (long i = 0; i < KINDS; i++) {
      facets[i] = other.facets[i];
      if (is_counted(facets[i], i)) facets[i]->__add_shared();
    }
  }
  ~__imp() {
    for (long i = 0; i < KINDS; i++)
      if (is_counted(facets[i], i)) facets[i]->__release_shared();
  }
  void set(long kind, facet *added) {
    if (kind >= KINDS) __throw_runtime_error("more than 32 kinds of facets are not supported");
    if (is_counted(added, kind)) added->__add_shared();
    if (is_counted(facets[kind], kind)) facets[kind]->__release_shared();
    facets[kind] = added;
  }
};
locale::__imp *locale::__imp::classic_, *locale::__imp::global_;

locale::locale() noexcept : __locale_(__imp::global_) { __locale_->add(); }
locale::locale(const locale &other) noexcept : __locale_(other.__locale_) { __locale_->add(); }
locale::locale(const char *name) : __locale_(__imp::classic_) {
  if (!name || (*name && strcmp(name, "C") && strcmp(name, "POSIX")))
    __throw_runtime_error("locale constructed with a name that is not known");
}
locale::locale(const string &name) : locale(name.c_str()) {}
// The categories of every locale with a name are those of "C".
locale::locale(const locale &base, const char *name, category) : locale(base) { locale unused(name); }
locale::locale(const locale &base, const string &name, category kinds) : locale(base, name.c_str(), kinds) {}
locale::~locale() { __locale_->remove(); }
const locale &locale::operator=(const locale &other) noexcept {
  other.__locale_->add();
  __locale_->remove();
  __locale_ = other.__locale_;
  return *this;
}
void locale::__install_ctor(const locale &base, facet *added, long kind) {
  __locale_ = new __imp(*base.__locale_);
  __locale_->references = 1;
  if (added) __locale_->set(kind, added);
}
string locale::name() const { return __locale_->is_classic() ? "C" : "*"; }
bool locale::operator==(const locale &other) const { return __locale_ == other.__locale_; }
locale locale::global(const locale &made) {
  locale before;
  made.__locale_->add();
  __imp::global_->remove();
  __imp::global_ = made.__locale_;
  return before;
}
bool locale::has_facet(id &kind) const {
  long number = kind.__get();
  return number < __imp::KINDS && __locale_->facets[number];
}
const locale::facet *locale::use_facet(id &kind) const {
  if (!has_facet(kind)) __throw_bad_cast();
  return __locale_->facets[kind.__get()];
}
alignas(locale) static char classic_locale[sizeof(locale)];
const locale &locale::classic() {
  if (!__imp::classic_) __global();
  return reinterpret_cast<const locale &>(classic_locale);
}

// ---- Characters

struct character_table {
  ctype_base::mask of[256];
  int upper[256], lower[256];
  constexpr character_table() : of(), upper(), lower() {
    for (int c = 0; c < 256; c++) {
      bool is_upper = c >= 'A' && c <= 'Z', is_lower = c >= 'a' && c <= 'z', is_digit = c >= '0' && c <= '9';
      bool is_hex = is_digit || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
      bool is_graph = c > ' ' && c < 127, is_alnum = is_upper || is_lower || is_digit;
      if (is_upper) of[c] |= ctype_base::upper;
      if (is_lower) of[c] |= ctype_base::lower;
      if (is_upper || is_lower) of[c] |= ctype_base::alpha;
      if (is_digit) of[c] |= ctype_base::digit;
      if (is_hex) of[c] |= ctype_base::xdigit;
      if (c == ' ' || (c >= '\t' && c <= '\r')) of[c] |= ctype_base::space;
      if (c == ' ' || c == '\t') of[c] |= ctype_base::blank;
      if (is_graph || c == ' ') of[c] |= ctype_base::print;
      if (c < ' ' || c == 127) of[c] |= ctype_base::cntrl;
      if (is_graph && !is_alnum) of[c] |= ctype_base::punct;
      upper[c] = is_lower ? c - 'a' + 'A' : c;
      lower[c] = is_upper ? c - 'A' + 'a' : c;
    }
  }
};
static constexpr character_table characters;

// The macros of <ctype.h> look into it.
static const __locale_struct c_locale = {{}, characters.of, characters.lower, characters.upper, {}};
locale_t __cloc() { return const_cast<locale_t>(&c_locale); }

locale::id ctype<char>::id;
const size_t ctype<char>::table_size;
const ctype_base::mask *ctype<char>::classic_table() noexcept { return characters.of; }
ctype<char>::ctype(const mask *table, bool deletes, size_t references)
    : facet(references), __tab_(table ? table : characters.of), __del_(table && deletes) {}
ctype<char>::~ctype() {
  if (__del_) delete[] __tab_;
}
char ctype<char>::do_toupper(char c) const { return char(characters.upper[(unsigned char)c]); }
char ctype<char>::do_tolower(char c) const { return char(characters.lower[(unsigned char)c]); }
const char *ctype<char>::do_toupper(char *text, const char *end) const {
  for (; text < end; text++) *text = do_toupper(*text);
  return end;
}
const char *ctype<char>::do_tolower(char *text, const char *end) const {
  for (; text < end; text++) *text = do_tolower(*text);
  return end;
}
char ctype<char>::do_widen(char c) const { return c; }
const char *ctype<char>::do_widen(const char *text, const char *end, char *to) const {
  memcpy(to, text, end - text);
  return end;
}
char ctype<char>::do_narrow(char c, char other) const { return c >= 0 ? c : other; }
const char *ctype<char>::do_narrow(const char *text, const char *end, char other, char *to) const {
  for (; text < end; text++) *to++ = do_narrow(*text, other);
  return end;
}

// ---- Numbers

locale::id numpunct<char>::id;
numpunct<char>::numpunct(size_t references) : facet(references), __decimal_point_('.'), __thousands_sep_(',') {}
numpunct<char>::~numpunct() {}
char numpunct<char>::do_decimal_point() const { return __decimal_point_; }
char numpunct<char>::do_thousands_sep() const { return __thousands_sep_; }
string numpunct<char>::do_grouping() const { return __grouping_; }
string numpunct<char>::do_truename() const { return "true"; }
string numpunct<char>::do_falsename() const { return "false"; }

const char __num_get_base::__src[33] = "0123456789abcdefABCDEFxX+-pPiInN";
int __num_get_base::__get_base(ios_base &io) {
  switch (io.flags() & ios_base::basefield) {
  case ios_base::oct: return 8;
  case ios_base::hex: return 16;
  case 0: return 0;
  default: return 10;
  }
}
// Groups of digits come from the left; the locale's sizes from the right. The leftmost may be smaller.
void __check_grouping(const string &wanted, unsigned *found, unsigned *end, ios_base::iostate &state) {
  if (wanted.empty() || end - found < 2) return;
  size_t i = 0;
  auto next = [&] { return (unsigned char)wanted[i + 1 < wanted.size() ? i++ : i]; };
  auto is_limit = [](unsigned size) { return size > 0 && size < numeric_limits<char>::max(); };
  while (--end > found) {
    unsigned size = next();
    if (is_limit(size) && *end != size) state = ios_base::failbit;
  }
  unsigned size = next();
  if (is_limit(size) && (*found > size || *found == 0)) state = ios_base::failbit;
}
void __num_put_base::__format_int(char *to, const char *length, bool is_signed, ios_base::fmtflags flags) {
  if (flags & ios_base::showpos && (flags & ios_base::basefield) != ios_base::oct &&
      (flags & ios_base::basefield) != ios_base::hex && is_signed)
    *to++ = '+';
  if (flags & ios_base::showbase) *to++ = '#';
  while (*length) *to++ = *length++;
  auto base = flags & ios_base::basefield;
  bool is_upper = flags & ios_base::uppercase;
  *to = base == ios_base::oct ? 'o' : base == ios_base::hex ? (is_upper ? 'X' : 'x') : is_signed ? 'd' : 'u';
}
bool __num_put_base::__format_float(char *to, const char *length, ios_base::fmtflags flags) {
  auto field = flags & ios_base::floatfield;
  bool is_hex = field == (ios_base::fixed | ios_base::scientific), is_upper = flags & ios_base::uppercase;
  if (flags & ios_base::showpos) *to++ = '+';
  if (flags & ios_base::showpoint) *to++ = '#';
  if (!is_hex) {
    *to++ = '.';
    *to++ = '*';
  }
  while (*length) *to++ = *length++;
  char letter = is_hex ? 'a' : field == ios_base::fixed ? 'f' : field == ios_base::scientific ? 'e' : 'g';
  *to = is_upper ? letter - 'a' + 'A' : letter;
  return !is_hex;
}
char *__num_put_base::__identify_padding(char *text, char *end, const ios_base &io) {
  switch (io.flags() & ios_base::adjustfield) {
  case ios_base::internal:
    if (*text == '-' || *text == '+') return text + 1;
    return end - text >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? text + 2 : text;
  case ios_base::left: return end;
  default: return text;
  }
}

template class collate<char>;
template struct __num_get<char>;
template class num_get<char>;
template struct __num_put<char>;
template class num_put<char>;

// ---- std::ios_base

atomic<int> ios_base::__xindex_{0};
const ios_base::fmtflags ios_base::boolalpha, ios_base::dec, ios_base::fixed, ios_base::hex, ios_base::internal,
    ios_base::left, ios_base::oct, ios_base::right, ios_base::scientific, ios_base::showbase, ios_base::showpoint,
    ios_base::showpos, ios_base::skipws, ios_base::unitbuf, ios_base::uppercase, ios_base::adjustfield,
    ios_base::basefield, ios_base::floatfield;
const ios_base::iostate ios_base::badbit, ios_base::eofbit, ios_base::failbit, ios_base::goodbit;
const ios_base::openmode ios_base::app, ios_base::ate, ios_base::binary, ios_base::in, ios_base::out, ios_base::trunc;

void ios_base::init(void *buffer) {
  __rdbuf_ = buffer;
  __rdstate_ = buffer ? goodbit : badbit;
  __exceptions_ = goodbit;
  __fmtflags_ = skipws | dec;
  __width_ = 0;
  __precision_ = 6;
  __fn_ = nullptr;
  __index_ = nullptr;
  __event_size_ = __event_cap_ = 0;
  __iarray_ = nullptr;
  __iarray_size_ = __iarray_cap_ = 0;
  __parray_ = nullptr;
  __parray_size_ = __parray_cap_ = 0;
  ::new (&__loc_) locale;
}
ios_base::~ios_base() {
  if (!__loc_) return;  // a standard stream that was not made
  __call_callbacks(erase_event);
  reinterpret_cast<locale &>(__loc_).~locale();
  free(__fn_);
  free(__index_);
  free(__iarray_);
  free(__parray_);
}
void ios_base::clear(iostate state) {
  __rdstate_ = __rdbuf_ ? state : state | badbit;
  if (__rdstate_ & __exceptions_) throw failure("ios_base::clear");
}
void ios_base::__set_badbit_and_consider_rethrow() {
  __rdstate_ |= badbit;
  if (__exceptions_ & badbit) throw;
}
void ios_base::__set_failbit_and_consider_rethrow() {
  __rdstate_ |= failbit;
  if (__exceptions_ & failbit) throw;
}
locale ios_base::getloc() const { return reinterpret_cast<const locale &>(__loc_); }
locale ios_base::imbue(const locale &made) {
  locale &own = reinterpret_cast<locale &>(__loc_), before = own;
  own = made;
  __call_callbacks(imbue_event);
  return before;
}
bool ios_base::sync_with_stdio(bool) { return true; }
int ios_base::xalloc() { return __xindex_++; }

// Makes room for `index` in an array that grows, with zeros.
template <typename Element>
static bool reserve(Element *&array, size_t &size, size_t &room, size_t index) {
  if (index >= room) {
    size_t wanted = index + 4;
    auto *made = static_cast<Element *>(realloc(array, wanted * sizeof(Element)));
    if (!made) return false;
    array = made;
    room = wanted;
  }
  for (; size <= index; size++) array[size] = Element();
  return true;
}
long &ios_base::iword(int index) {
  if (reserve(__iarray_, __iarray_size_, __iarray_cap_, size_t(index))) return __iarray_[index];
  setstate(badbit);
  static long none;
  return none = 0;
}
void *&ios_base::pword(int index) {
  if (reserve(__parray_, __parray_size_, __parray_cap_, size_t(index))) return __parray_[index];
  setstate(badbit);
  static void *none;
  return none = nullptr;
}
void ios_base::register_callback(event_callback function, int index) {
  size_t at = __event_size_, size = at, room = __event_cap_;
  if (!reserve(__fn_, size, room, at) || !reserve(__index_, __event_size_, __event_cap_, at)) return setstate(badbit);
  __fn_[at] = function;
  __index_[at] = index;
}
void ios_base::__call_callbacks(event what) {
  for (size_t i = __event_size_; i > 0; i--) __fn_[i - 1](what, *this, __index_[i - 1]);
}
void ios_base::copyfmt(const ios_base &other) {
  __fmtflags_ = other.__fmtflags_;
  __precision_ = other.__precision_;
  __width_ = other.__width_;
  reinterpret_cast<locale &>(__loc_) = reinterpret_cast<const locale &>(other.__loc_);
  __event_size_ = __iarray_size_ = __parray_size_ = 0;
  for (size_t i = 0; i < other.__event_size_; i++) register_callback(other.__fn_[i], other.__index_[i]);
  for (size_t i = 0; i < other.__iarray_size_; i++) iword(int(i)) = other.__iarray_[i];
  for (size_t i = 0; i < other.__parray_size_; i++) pword(int(i)) = other.__parray_[i];
}
void ios_base::swap(ios_base &other) noexcept {
  std::swap(__fmtflags_, other.__fmtflags_);
  std::swap(__precision_, other.__precision_);
  std::swap(__width_, other.__width_);
  std::swap(__rdstate_, other.__rdstate_);
  std::swap(__exceptions_, other.__exceptions_);
  std::swap(__loc_, other.__loc_);
  std::swap(__fn_, other.__fn_);
  std::swap(__index_, other.__index_);
  std::swap(__event_size_, other.__event_size_);
  std::swap(__event_cap_, other.__event_cap_);
  std::swap(__iarray_, other.__iarray_);
  std::swap(__iarray_size_, other.__iarray_size_);
  std::swap(__iarray_cap_, other.__iarray_cap_);
  std::swap(__parray_, other.__parray_);
  std::swap(__parray_size_, other.__parray_size_);
  std::swap(__parray_cap_, other.__parray_cap_);
}
void ios_base::move(ios_base &other) {
  init(nullptr);
  swap(other);
  __rdbuf_ = nullptr;
}

struct stream_errors final : error_category {
  const char *name() const noexcept override { return "iostream"; }
  string message(int code) const override {
    return code == int(io_errc::stream) ? "unspecified iostream_category error" : strerror(code);
  }
};
static constinit const stream_errors of_streams;
const error_category &iostream_category() noexcept { return of_streams; }
ios_base::failure::failure(const string &text, const error_code &code) : system_error(code, text) {}
ios_base::failure::failure(const char *text, const error_code &code) : system_error(code, text) {}
ios_base::failure::~failure() noexcept {}

template class basic_ios<char>;
template class basic_streambuf<char>;
template class basic_ostream<char>;
template class basic_istream<char>;
template class basic_iostream<char>;
template class basic_stringbuf<char>;
template class basic_ostringstream<char>;
template class basic_istringstream<char>;
template class basic_stringstream<char>;

// ---- Regular expressions

static const char *regex_text(regex_constants::error_type code) {
  using namespace regex_constants;
  switch (code) {
  case error_collate: return "The expression contained an invalid collating element name.";
  case error_ctype: return "The expression contained an invalid character class name.";
  case error_escape: return "The expression contained an invalid escaped character, or a trailing escape.";
  case error_backref: return "The expression contained an invalid back reference.";
  case error_brack: return "The expression contained mismatched [ and ].";
  case error_paren: return "The expression contained mismatched ( and ).";
  case error_brace: return "The expression contained mismatched { and }.";
  case error_badbrace: return "The expression contained an invalid range in a {} expression.";
  case error_range: return "The expression contained an invalid character range, such as [b-a].";
  case error_badrepeat: return "One of *?+{ was not preceded by a valid regular expression.";
  default: return "Unknown error type";
  }
}
regex_error::regex_error(regex_constants::error_type code) : runtime_error(regex_text(code)), __code_(code) {}
regex_error::~regex_error() throw() {}

// Collating elements are single characters, by the names of the characters themselves.
string __get_collation_name(const char *name) { return name[0] && !name[1] ? string(1, name[0]) : string(); }
regex_traits<char>::char_class_type __get_classname(const char *name, bool ignores_case) {
  using traits = regex_traits<char>;
  struct {
    const char *name;
    traits::char_class_type kind;
  } const kinds[] = {
      {"alnum", ctype_base::alnum}, {"alpha", ctype_base::alpha}, {"blank", ctype_base::blank},
      {"cntrl", ctype_base::cntrl}, {"d", ctype_base::digit},     {"digit", ctype_base::digit},
      {"graph", ctype_base::graph}, {"lower", ctype_base::lower}, {"print", ctype_base::print},
      {"punct", ctype_base::punct}, {"s", ctype_base::space},     {"space", ctype_base::space},
      {"upper", ctype_base::upper}, {"w", traits::__regex_word},  {"xdigit", ctype_base::xdigit},
  };
  for (const auto &each : kinds)
    if (!strcmp(each.name, name)) {
      auto kind = each.kind;
      if (kind == traits::__regex_word) return kind | ctype_base::alnum | ctype_base::upper | ctype_base::lower;
      return ignores_case && (kind & (ctype_base::lower | ctype_base::upper)) ? kind | ctype_base::alpha : kind;
    }
  return 0;
}

// ---- The standard streams. Nothing can be read, and what is written is printed at once.

struct console final : streambuf {
  int file;
  explicit console(int file) : file(file) {}
  streamsize xsputn(const char *text, streamsize length) override { return __mazurka_print(file, text, length); }
  int overflow(int c) override {
    char character = char(c);
    if (c != EOF) __mazurka_print(file, &character, 1);
    return c == EOF ? 0 : c;
  }
};
alignas(istream) char cin[sizeof(istream)] __asm__("_ZNSt3__13cinE");
alignas(ostream) char cout[sizeof(ostream)] __asm__("_ZNSt3__14coutE");
alignas(ostream) char cerr[sizeof(ostream)] __asm__("_ZNSt3__14cerrE");
alignas(ostream) char clog[sizeof(ostream)] __asm__("_ZNSt3__14clogE");
alignas(console) static char consoles[4][sizeof(console)];
ios_base::Init::Init() {}
ios_base::Init::~Init() {}

alignas(ctype<char>) static char ctype_space[sizeof(ctype<char>)];
alignas(numpunct<char>) static char numpunct_space[sizeof(numpunct<char>)];
alignas(num_put<char>) static char num_put_space[sizeof(num_put<char>)];
alignas(num_get<char>) static char num_get_space[sizeof(num_get<char>)];
alignas(collate<char>) static char collate_space[sizeof(collate<char>)];

// Within `std::locale`, these names are those of categories.
using char_types = ctype<char>;
using char_order = collate<char>;

// Makes the locale "C".
locale &locale::__global() {
  alignas(__imp) static char space[sizeof(__imp)];
  auto *made = ::new (space) __imp;
  made->facets[char_types::id.__get()] = ::new (ctype_space) char_types(nullptr, false, 1);
  made->facets[numpunct<char>::id.__get()] = ::new (numpunct_space) numpunct<char>(1);
  made->facets[num_put<char>::id.__get()] = ::new (num_put_space) num_put<char>(1);
  made->facets[num_get<char>::id.__get()] = ::new (num_get_space) num_get<char>(1);
  made->facets[char_order::id.__get()] = ::new (collate_space) char_order(1);
  __imp::classic_ = __imp::global_ = made;
  auto *classic = ::new (classic_locale) locale;
  const void *const parts[] = {
      space,         ctype_space,     numpunct_space,     num_put_space,      num_get_space,
      collate_space, classic_locale,  &__imp::classic_,   &char_types::id,    &numpunct<char>::id,
      &num_put<char>::id, &num_get<char>::id, &char_order::id,
  };
  for (const void *part : parts) __mazurka_freeze(part);
  return *classic;
}

_LIBCPP_END_NAMESPACE_STD

// Makes the locale and the standard streams, before all other static variables.
extern "C" void __mazurka_start_streams() {
  using namespace std;
  locale::classic();
  auto *out = ::new (std::cout) ostream(::new (consoles[0]) console(1));
  auto *errors = ::new (std::cerr) ostream(::new (consoles[1]) console(2));
  auto *log = ::new (std::clog) ostream(::new (consoles[2]) console(2));
  auto *in = ::new (std::cin) istream(::new (consoles[3]) console(0));
  in->tie(out);
  errors->setf(ios_base::unitbuf);
  errors->tie(out);
  for (ostream *each : {out, errors, log}) each->fill();
}

// Streams, locales and regular expressions of libstdc++, as far as its compiled library has them.
//
// Most of that library is instances of templates in the headers. This file asks for these instances, and
// defines the rest: `std::locale` with one locale, "C"; the facets `ctype<char>` and `numpunct<char>`; the
// members of `std::ios_base`; the standard streams, without buffers.
//
// Mazurka compiles it with the headers of the user's compiler, once, for programs that need it
// (`templates.rs`).

#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0

#include <cerrno>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <future>
#include <iomanip>
#include <istream>
#include <limits>
#include <locale>
#include <new>
#include <ostream>
#include <regex>
#include <sstream>
#include <utility>

extern "C" {
// Prints to the file with this number.
long __mazurka_print(int file, const char *text, long length);
// Nothing writes to a static variable from now on. Reading it is not a step any more.
void __mazurka_freeze(const void *variable);
// Runs a function at the end of the thread, when the thread-local variables are gone.
void __mazurka_at_thread_end(void (*run)(void *), void *argument);
// The C library has one locale.
__attribute__((weak)) locale_t __uselocale(locale_t) noexcept { return nullptr; }
}

// Forced unwinding does not exist here, but handlers name its type.
__cxxabiv1::__forced_unwind::~__forced_unwind() throw() {}

namespace std {

// ---- Instances of templates

template class basic_ios<char>;
template class basic_streambuf<char>;
template class basic_ostream<char>;
template class basic_istream<char>;
template class basic_iostream<char>;
inline namespace __cxx11 {
template class basic_stringbuf<char>;
template class basic_ostringstream<char>;
template class basic_istringstream<char>;
template class basic_stringstream<char>;
template class collate<char>;
}  // namespace __cxx11
// Up to C++17, `str` is not qualified by `&`, and has another name.
#define STR(type, name)                                                                            \
  string str_of(const type &self) __asm__("_ZNKSt7__cxx11" name "IcSt11char_traitsIcESaIcEE3strEv"); \
  string str_of(const type &self) { return self.str(); }
STR(stringbuf, "15basic_stringbuf")
STR(istringstream, "19basic_istringstream")
STR(ostringstream, "19basic_ostringstream")
STR(stringstream, "18basic_stringstream")
template class num_put<char>;
template class num_get<char>;
template class ctype_byname<char>;

template ostream &operator<<(ostream &, char);
template ostream &operator<<(ostream &, signed char);
template ostream &operator<<(ostream &, unsigned char);
template ostream &operator<<(ostream &, const char *);
template ostream &operator<<(ostream &, const signed char *);
template ostream &operator<<(ostream &, const unsigned char *);
template ostream &operator<<(ostream &, const string &);
template ostream &operator<<(ostream &, _Setw);
template ostream &operator<<(ostream &, _Setfill<char>);
template ostream &operator<<(ostream &, _Setbase);
template ostream &operator<<(ostream &, _Setprecision);
template ostream &operator<<(ostream &, _Setiosflags);
template ostream &operator<<(ostream &, _Resetiosflags);
template ostream &operator<<(ostream &, const complex<float> &);
template ostream &operator<<(ostream &, const complex<double> &);
template ostream &operator<<(ostream &, const complex<long double> &);
template ostream &__ostream_insert(ostream &, const char *, streamsize);
template ostream &endl(ostream &);
template ostream &ends(ostream &);
template ostream &flush(ostream &);
template ostream &ostream::_M_insert(long);
template ostream &ostream::_M_insert(unsigned long);
template ostream &ostream::_M_insert(long long);
template ostream &ostream::_M_insert(unsigned long long);
template ostream &ostream::_M_insert(bool);
template ostream &ostream::_M_insert(double);
template ostream &ostream::_M_insert(long double);
template ostream &ostream::_M_insert(const void *);

template istream &operator>>(istream &, char &);
template istream &operator>>(istream &, signed char &);
template istream &operator>>(istream &, unsigned char &);
template istream &operator>>(istream &, complex<float> &);
template istream &operator>>(istream &, complex<double> &);
template istream &operator>>(istream &, complex<long double> &);
template istream &operator>>(istream &, _Setw);
template istream &operator>>(istream &, _Setfill<char>);
template istream &operator>>(istream &, _Setbase);
template istream &operator>>(istream &, _Setprecision);
template istream &operator>>(istream &, _Setiosflags);
template istream &operator>>(istream &, _Resetiosflags);
template istream &getline(istream &, string &);
template istream &ws(istream &);
template istream &istream::_M_extract(unsigned short &);
template istream &istream::_M_extract(unsigned int &);
template istream &istream::_M_extract(long &);
template istream &istream::_M_extract(unsigned long &);
template istream &istream::_M_extract(long long &);
template istream &istream::_M_extract(unsigned long long &);
template istream &istream::_M_extract(bool &);
template istream &istream::_M_extract(float &);
template istream &istream::_M_extract(double &);
template istream &istream::_M_extract(long double &);
template istream &istream::_M_extract(void *&);

template const ctype<char> &use_facet<ctype<char>>(const locale &);
template const numpunct<char> &use_facet<numpunct<char>>(const locale &);
template const num_put<char> &use_facet<num_put<char>>(const locale &);
template const num_get<char> &use_facet<num_get<char>>(const locale &);
template const collate<char> &use_facet<collate<char>>(const locale &);
template bool has_facet<ctype<char>>(const locale &);
template bool has_facet<numpunct<char>>(const locale &);
template bool has_facet<num_put<char>>(const locale &);
template bool has_facet<num_get<char>>(const locale &);
template bool has_facet<collate<char>>(const locale &);

// ---- Locales: a table of facets, with references counted unless it is that of "C"

locale::facet::~facet() {}
__c_locale locale::facet::_S_get_c_locale() { return nullptr; }
const char *locale::facet::_S_get_c_name() throw() { return "C"; }
__c_locale locale::facet::_S_clone_c_locale(__c_locale &) throw() { return nullptr; }
void locale::facet::_S_destroy_c_locale(__c_locale &) {}
void locale::facet::_S_create_c_locale(__c_locale &made, const char *name, __c_locale) {
  made = nullptr;
  if (strcmp(name, "C") && strcmp(name, "POSIX") && *name)
    throw runtime_error("locale::facet::_S_create_c_locale name not valid");
}

// Numbers of facets: 0 is for those that have none yet.
_Atomic_word locale::id::_S_refcount;

size_t locale::id::_M_id() const throw() {
  size_t known = __atomic_load_n(&_M_index, __ATOMIC_ACQUIRE);
  if (!known) {
    size_t made = 1 + __atomic_fetch_add(&_S_refcount, 1, __ATOMIC_ACQ_REL);
    if (__atomic_compare_exchange_n(&_M_index, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      known = made;
  }
  return known - 1;
}

locale::_Impl *locale::_S_classic;
locale::_Impl *locale::_S_global;

// The parts of the locale "C". They are never written again, so references to them are not counted.
static const size_t KINDS = 5;
static const locale::facet *classic_facets[KINDS], *classic_caches[KINDS];
static bool is_classic(const locale::facet *facet) {
  for (const locale::facet *each : classic_facets)
    if (each == facet) return true;
  return false;
}

locale::_Impl::_Impl(const _Impl &other, size_t references)
    : _M_refcount(references), _M_facets_size(other._M_facets_size) {
  // The headers write that it has no name.
  _M_names = new char *[_S_categories_size]();
  _M_facets = new const facet *[_M_facets_size];
  _M_caches = new const facet *[_M_facets_size];
  for (size_t i = 0; i < _M_facets_size; i++) {
    _M_facets[i] = other._M_facets[i];
    _M_caches[i] = nullptr;
    if (_M_facets[i] && !is_classic(_M_facets[i])) _M_facets[i]->_M_add_reference();
  }
}

locale::_Impl::~_Impl() throw() {
  for (size_t i = 0; i < _M_facets_size; i++) {
    if (_M_facets[i] && !is_classic(_M_facets[i])) _M_facets[i]->_M_remove_reference();
    if (_M_caches[i]) _M_caches[i]->_M_remove_reference();
  }
  delete[] _M_facets;
  delete[] _M_caches;
  delete[] _M_names;
}

void locale::_Impl::_M_install_facet(const locale::id *id, const facet *added) {
  if (!added) return;
  size_t index = id->_M_id();
  if (index >= _M_facets_size) {
    size_t size = index + 4;
    const facet **facets = new const facet *[size]();
    const facet **caches = new const facet *[size]();
    memcpy(facets, _M_facets, _M_facets_size * sizeof *facets);
    memcpy(caches, _M_caches, _M_facets_size * sizeof *caches);
    delete[] _M_facets;
    delete[] _M_caches;
    _M_facets = facets;
    _M_caches = caches;
    _M_facets_size = size;
  }
  if (!is_classic(added)) added->_M_add_reference();
  if (_M_facets[index] && !is_classic(_M_facets[index])) _M_facets[index]->_M_remove_reference();
  _M_facets[index] = added;
}

void locale::_Impl::_M_install_cache(const facet *cache, size_t index) {
  const facet *none = nullptr;
  cache->_M_add_reference();
  if (!__atomic_compare_exchange_n(&_M_caches[index], &none, cache, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    cache->_M_remove_reference();
}

void locale::_Impl::_M_replace_facet(const _Impl *other, const locale::id *id) {
  size_t index = id->_M_id();
  if (index >= other->_M_facets_size || !other->_M_facets[index])
    throw runtime_error("locale::_Impl::_M_replace_facet");
  _M_install_facet(id, other->_M_facets[index]);
}

locale::locale() throw() : _M_impl(_S_global) {
  if (_M_impl != _S_classic) _M_impl->_M_add_reference();
}
locale::locale(const locale &other) throw() : _M_impl(other._M_impl) {
  if (_M_impl != _S_classic) _M_impl->_M_add_reference();
}
locale::locale(_Impl *made) throw() : _M_impl(made) {}
locale::locale(const char *name) : _M_impl(_S_classic) {
  if (!name) throw runtime_error("locale::locale null not valid");
  __c_locale unused;
  facet::_S_create_c_locale(unused, name);
}
// The categories of every locale with a name are those of "C".
locale::locale(const locale &base, const char *name, category) : locale(base) {
  if (!name) throw runtime_error("locale::locale null not valid");
  __c_locale unused;
  facet::_S_create_c_locale(unused, name);
}
locale::~locale() throw() {
  if (_M_impl != _S_classic) _M_impl->_M_remove_reference();
}
const locale &locale::operator=(const locale &other) throw() {
  if (other._M_impl != _S_classic) other._M_impl->_M_add_reference();
  if (_M_impl != _S_classic) _M_impl->_M_remove_reference();
  _M_impl = other._M_impl;
  return *this;
}
string locale::name() const { return _M_impl == _S_classic ? "C" : "*"; }
bool locale::operator==(const locale &other) const throw() { return _M_impl == other._M_impl; }
locale locale::global(const locale &made) {
  locale before(_S_global);  // takes over the reference
  if (made._M_impl != _S_classic) made._M_impl->_M_add_reference();
  _S_global = made._M_impl;
  return before;
}

alignas(locale) static char classic_locale[sizeof(locale)];
const locale &locale::classic() {
  if (!_S_classic) _S_initialize();
  return reinterpret_cast<const locale &>(classic_locale);
}

const locale::category locale::none, locale::ctype, locale::numeric, locale::collate, locale::time,
    locale::monetary, locale::messages, locale::all;

// ---- Characters

using mask = ctype_base::mask;
const mask ctype_base::upper, ctype_base::lower, ctype_base::alpha, ctype_base::digit, ctype_base::xdigit,
    ctype_base::space, ctype_base::print, ctype_base::graph, ctype_base::cntrl, ctype_base::punct,
    ctype_base::alnum, ctype_base::blank;

struct character_table {
  mask of[256];
  constexpr character_table() : of() {
    for (int c = 0; c < 128; c++) {
      bool is_upper = c >= 'A' && c <= 'Z', is_lower = c >= 'a' && c <= 'z', is_digit = c >= '0' && c <= '9';
      bool is_hex = is_digit || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
      bool is_graph = c > ' ' && c < 127, is_alnum = is_upper || is_lower || is_digit;
      if (is_upper) of[c] |= ctype_base::upper;
      if (is_lower) of[c] |= ctype_base::lower;
      if (is_upper || is_lower) of[c] |= _ISalpha;
      if (is_digit) of[c] |= ctype_base::digit;
      if (is_hex) of[c] |= ctype_base::xdigit;
      if (c == ' ' || (c >= '\t' && c <= '\r')) of[c] |= ctype_base::space;
      if (c == ' ' || c == '\t') of[c] |= ctype_base::blank;
      if (is_graph || c == ' ') of[c] |= _ISprint;
      if (is_graph) of[c] |= _ISgraph;
      if (c < ' ' || c == 127) of[c] |= ctype_base::cntrl;
      if (is_graph && !is_alnum) of[c] |= ctype_base::punct;
      if (is_alnum) of[c] |= _ISalnum;
    }
  }
};
static constexpr character_table characters;

locale::id ctype<char>::id;
const size_t ctype<char>::table_size;
const mask *ctype<char>::classic_table() throw() { return characters.of; }

ctype<char>::ctype(const mask *table, bool deletes, size_t references)
    : facet(references), _M_c_locale_ctype(nullptr), _M_del(table && deletes), _M_toupper(nullptr),
      _M_tolower(nullptr), _M_table(table ? table : characters.of), _M_widen_ok(0), _M_narrow_ok(0) {
  memset(_M_widen, 0, sizeof _M_widen);
  memset(_M_narrow, 0, sizeof _M_narrow);
}
ctype<char>::ctype(__c_locale, const mask *table, bool deletes, size_t references)
    : ctype(table, deletes, references) {}
ctype<char>::~ctype() {
  if (_M_del) delete[] _M_table;
}
static char upper_case(char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }
static char lower_case(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }
char ctype<char>::do_toupper(char c) const { return upper_case(c); }
char ctype<char>::do_tolower(char c) const { return lower_case(c); }
const char *ctype<char>::do_toupper(char *text, const char *end) const {
  for (; text < end; text++) *text = upper_case(*text);
  return end;
}
const char *ctype<char>::do_tolower(char *text, const char *end) const {
  for (; text < end; text++) *text = lower_case(*text);
  return end;
}
// The tables are used as long as they change nothing (1). A derived class may define other conversions (2).
void ctype<char>::_M_widen_init() const {
  _M_widen_ok = 1;
  for (int c = 0; c < 256; c++) {
    _M_widen[c] = do_widen(char(c));
    if (_M_widen[c] != char(c)) _M_widen_ok = 2;
  }
}
void ctype<char>::_M_narrow_init() const {
  _M_narrow_ok = 1;
  for (int c = 0; c < 256; c++) {
    _M_narrow[c] = do_narrow(char(c), 0);
    if (_M_narrow[c] != char(c)) _M_narrow_ok = 2;
  }
}

// ---- Numbers

const char *__num_base::_S_atoms_out = "-+xX0123456789abcdef0123456789ABCDEF";
const char *__num_base::_S_atoms_in = "-+xX0123456789abcdefABCDEF";

void __num_base::_S_format_float(const ios_base &io, char *to, char modifier) throw() {
  ios_base::fmtflags flags = io.flags(), field = flags & ios_base::floatfield;
  bool is_hex = field == ios_base::floatfield, is_upper = flags & ios_base::uppercase;
  *to++ = '%';
  if (flags & ios_base::showpos) *to++ = '+';
  if (flags & ios_base::showpoint) *to++ = '#';
  if (!is_hex) {
    *to++ = '.';
    *to++ = '*';
  }
  if (modifier) *to++ = modifier;
  char letter = is_hex ? 'a' : field == ios_base::fixed ? 'f' : field == ios_base::scientific ? 'e' : 'g';
  *to++ = is_upper ? upper_case(letter) : letter;
  *to = 0;
}

// Sets `number` to what the text says, to 0 if it is no number, or to the nearest number there is.
template <typename Number>
static void convert(const char *text, Number &number, ios_base::iostate &state,
                    Number (*read)(const char *, char **)) {
  char *end;
  number = read(text, &end);
  if (end == text || *end) {
    number = 0;
    state = ios_base::failbit;
  } else if (std::isinf(number)) {
    number = number > 0 ? numeric_limits<Number>::max() : -numeric_limits<Number>::max();
    state = ios_base::failbit;
  }
}
template <>
void __convert_to_v(const char *text, float &number, ios_base::iostate &state, const __c_locale &) throw() {
  convert(text, number, state, strtof);
}
template <>
void __convert_to_v(const char *text, double &number, ios_base::iostate &state, const __c_locale &) throw() {
  convert(text, number, state, strtod);
}
template <>
void __convert_to_v(const char *text, long double &number, ios_base::iostate &state,
                    const __c_locale &) throw() {
  convert(text, number, state, strtold);
}

// Whether the sizes of groups of digits, from the left, are those that a locale asks for, from the right.
// The leftmost group may be smaller.
bool __verify_grouping(const char *wanted, size_t length, const string &found) throw() {
  size_t last = found.size() - 1;
  for (size_t i = 0; i < found.size(); i++) {
    signed char size = wanted[i < length ? i : length - 1];
    bool is_unlimited = size <= 0 || size == numeric_limits<char>::max();
    char group = found[last - i];
    if (i == last ? !is_unlimited && group > size : is_unlimited || group != size) return false;
  }
  return true;
}

static void fill_cache(__numpunct_cache<char> *cache) {
  cache->_M_grouping = "";
  cache->_M_grouping_size = 0;
  cache->_M_use_grouping = false;
  cache->_M_truename = "true";
  cache->_M_truename_size = 4;
  cache->_M_falsename = "false";
  cache->_M_falsename_size = 5;
  cache->_M_decimal_point = '.';
  cache->_M_thousands_sep = ',';
  memcpy(cache->_M_atoms_out, __num_base::_S_atoms_out, __num_base::_S_oend);
  memcpy(cache->_M_atoms_in, __num_base::_S_atoms_in, __num_base::_S_iend);
}
inline namespace __cxx11 {
template <>
void numpunct<char>::_M_initialize_numpunct(__c_locale) {
  if (!_M_data) _M_data = new __numpunct_cache<char>;
  fill_cache(_M_data);
}
template <>
numpunct<char>::~numpunct() {
  delete _M_data;
}
template class numpunct<char>;

template <>
int collate<char>::_M_compare(const char *one, const char *other) const throw() {
  int order = strcmp(one, other);
  return (order > 0) - (order < 0);
}
template <>
size_t collate<char>::_M_transform(char *to, const char *from, size_t size) const throw() {
  size_t length = strlen(from);
  if (size) {
    size_t kept = length < size ? length : size - 1;
    memcpy(to, from, kept);
    to[kept] = 0;
  }
  return length;
}
}  // namespace __cxx11

// ---- std::ios_base

typedef ios_base I;
const I::fmtflags I::boolalpha, I::dec, I::fixed, I::hex, I::internal, I::left, I::oct, I::right, I::scientific,
    I::showbase, I::showpoint, I::showpos, I::skipws, I::unitbuf, I::uppercase, I::adjustfield, I::basefield,
    I::floatfield;
const I::iostate I::badbit, I::eofbit, I::failbit, I::goodbit;
const I::openmode I::app, I::ate, I::binary, I::in, I::out, I::trunc;
const I::seekdir I::beg, I::cur, I::end;

ios_base::ios_base() throw()
    : _M_precision(), _M_width(), _M_flags(), _M_exception(), _M_streambuf_state(), _M_callbacks(nullptr),
      _M_word_zero(), _M_word_size(_S_local_word_size), _M_word(_M_local_word) {}

ios_base::~ios_base() {
  _M_call_callbacks(erase_event);
  _M_dispose_callbacks();
  if (_M_word != _M_local_word) delete[] _M_word;
}

void ios_base::_M_init() throw() {
  _M_precision = 6;
  _M_width = 0;
  _M_flags = skipws | dec;
  _M_ios_locale = locale();
}

locale ios_base::imbue(const locale &made) throw() {
  locale before = _M_ios_locale;
  _M_ios_locale = made;
  _M_call_callbacks(imbue_event);
  return before;
}

void ios_base::register_callback(event_callback function, int index) {
  _M_callbacks = new _Callback_list(function, index, _M_callbacks);
}
void ios_base::_M_call_callbacks(event what) throw() {
  for (_Callback_list *each = _M_callbacks; each; each = each->_M_next) {
    try {
      each->_M_fn(what, *this, each->_M_index);
    } catch (...) {
    }
  }
}
void ios_base::_M_dispose_callbacks() throw() {
  _Callback_list *each = _M_callbacks;
  while (each && each->_M_remove_reference() == 0) {
    _Callback_list *next = each->_M_next;
    delete each;
    each = next;
  }
  _M_callbacks = nullptr;
}

ios_base::_Words &ios_base::_M_grow_words(int index, bool is_iword) {
  if (index < 0 || index == numeric_limits<int>::max()) {
    _M_streambuf_state |= badbit;
    if (_M_streambuf_state & _M_exception) __throw_ios_failure("ios_base::_M_grow_words is not valid");
    if (is_iword)
      _M_word_zero._M_iword = 0;
    else
      _M_word_zero._M_pword = nullptr;
    return _M_word_zero;
  }
  int size = index + 1;
  _Words *words = new _Words[size];
  for (int i = 0; i < _M_word_size; i++) words[i] = _M_word[i];
  if (_M_word != _M_local_word) delete[] _M_word;
  _M_word = words;
  _M_word_size = size;
  return words[index];
}
int ios_base::xalloc() throw() {
  static _Atomic_word last;
  return __atomic_fetch_add(&last, 1, __ATOMIC_ACQ_REL) + 4;
}
bool ios_base::sync_with_stdio(bool) { return true; }

void ios_base::_M_move(ios_base &other) noexcept {
  _M_precision = other._M_precision;
  _M_width = other._M_width;
  _M_flags = other._M_flags;
  _M_exception = other._M_exception;
  _M_streambuf_state = other._M_streambuf_state;
  _M_callbacks = std::exchange(other._M_callbacks, nullptr);
  if (_M_word != _M_local_word) delete[] _M_word;
  if (other._M_word == other._M_local_word) {
    _M_word = _M_local_word;
    _M_word_size = _S_local_word_size;
    for (int i = 0; i < _S_local_word_size; i++) _M_local_word[i] = std::exchange(other._M_local_word[i], {});
  } else {
    _M_word = std::exchange(other._M_word, other._M_local_word);
    _M_word_size = std::exchange(other._M_word_size, int(_S_local_word_size));
  }
  _M_ios_locale = other._M_ios_locale;
}
void ios_base::_M_swap(ios_base &other) noexcept {
  std::swap(_M_precision, other._M_precision);
  std::swap(_M_width, other._M_width);
  std::swap(_M_flags, other._M_flags);
  std::swap(_M_exception, other._M_exception);
  std::swap(_M_streambuf_state, other._M_streambuf_state);
  std::swap(_M_callbacks, other._M_callbacks);
  bool is_local = _M_word == _M_local_word, is_other_local = other._M_word == other._M_local_word;
  std::swap(_M_local_word, other._M_local_word);
  std::swap(_M_word, other._M_word);
  std::swap(_M_word_size, other._M_word_size);
  if (is_other_local) _M_word = _M_local_word;
  if (is_local) other._M_word = other._M_local_word;
  std::swap(_M_ios_locale, other._M_ios_locale);
}

// ---- Errors

error_category::~error_category() = default;
error_condition error_category::default_error_condition(int code) const noexcept { return {code, *this}; }
bool error_category::equivalent(int code, const error_condition &other) const noexcept {
  return default_error_condition(code) == other;
}
bool error_category::equivalent(const error_code &other, int code) const noexcept {
  return *this == other.category() && other.value() == code;
}
// For programs that were compiled with the strings of an older ABI.
__cow_string error_category::_M_message(int) const { __builtin_trap(); }

ios_base::failure::failure(const string &text) : system_error(io_errc::stream, text) {}
ios_base::failure::failure(const string &text, const error_code &code) : system_error(code, text) {}
ios_base::failure::failure(const char *text, const error_code &code) : system_error(code, text) {}
ios_base::failure::~failure() {}
const char *ios_base::failure::what() const throw() { return runtime_error::what(); }
void __throw_ios_failure(const char *text) { throw ios_base::failure(text); }
void __throw_ios_failure(const char *text, int code) {
  throw ios_base::failure(text, code ? error_code(code, system_category()) : io_errc::stream);
}

struct stream_category final : error_category {
  const char *name() const noexcept override { return "iostream"; }
  string message(int code) const override {
    return code == int(io_errc::stream) ? "iostream error" : "Unknown error";
  }
};
alignas(stream_category) static char stream_category_space[sizeof(stream_category)];
const error_category &iostream_category() noexcept {
  return reinterpret_cast<const error_category &>(stream_category_space);
}

// ---- What the library has instead of the general template

template <>
streamsize __copy_streambufs_eof(basic_streambuf<char> *from, basic_streambuf<char> *to, bool &at_end) {
  streamsize count = 0;
  at_end = true;
  for (int c = from->sgetc(); c != EOF; c = from->snextc(), count++) {
    if (to->sputc(char(c)) == EOF) {
      at_end = false;
      break;
    }
  }
  return count;
}

// Runs `read` on the buffer behind a sentry, and sets the state that it returns. An exception that passes
// sets `badbit`.
template <typename Read>
static void read_from(istream &from, bool keeps_blanks, Read read) {
  ios_base::iostate state = ios_base::goodbit;
  istream::sentry sentry(from, keeps_blanks);
  if (sentry) {
    try {
      state = read(*from.rdbuf());
    } catch (...) {
      from._M_setstate(ios_base::badbit);
    }
  }
  if (state) from.setstate(state);
}

template <>
istream &istream::getline(char *to, streamsize size, char end) {
  _M_gcount = 0;
  ios_base::iostate state = ios_base::failbit;
  if (size > 0) *to = 0;
  read_from(*this, true, [&](streambuf &buffer) {
    streamsize kept = 0;
    state = ios_base::goodbit;
    for (;;) {
      int c = buffer.sgetc();
      if (c == EOF) {
        state |= ios_base::eofbit;
        break;
      }
      if (c == (unsigned char)end) {
        buffer.sbumpc();
        _M_gcount++;
        break;
      }
      if (kept + 1 >= size) {
        state |= ios_base::failbit;
        break;
      }
      to[kept++] = char(c);
      _M_gcount++;
      buffer.sbumpc();
    }
    if (size > 0) to[kept] = 0;
    return _M_gcount ? state : state | ios_base::failbit;
  });
  return *this;
}

template <>
istream &istream::ignore(streamsize most, int end) {
  _M_gcount = 0;
  read_from(*this, true, [&](streambuf &buffer) {
    while (most == numeric_limits<streamsize>::max() || _M_gcount < most) {
      int c = buffer.sbumpc();
      if (c == EOF) return ios_base::eofbit;
      _M_gcount++;
      if (c == end) break;
    }
    return ios_base::goodbit;
  });
  return *this;
}
template <>
istream &istream::ignore(streamsize most) {
  return ignore(most, EOF);
}

template <>
istream &operator>>(istream &from, string &text) {
  read_from(from, false, [&](streambuf &buffer) {
    const ctype<char> &type = use_facet<ctype<char>>(from.getloc());
    size_t most = from.width() > 0 ? size_t(from.width()) : text.max_size();
    ios_base::iostate state = ios_base::goodbit;
    text.erase();
    for (int c; text.size() < most; buffer.sbumpc(), text += char(c)) {
      c = buffer.sgetc();
      if (c == EOF) {
        state |= ios_base::eofbit;
        break;
      }
      if (type.is(ctype_base::space, char(c))) break;
    }
    from.width(0);
    return text.empty() ? state | ios_base::failbit : state;
  });
  return from;
}

template <>
istream &getline(istream &from, string &text, char end) {
  read_from(from, true, [&](streambuf &buffer) {
    bool found = false;
    text.erase();
    while (text.size() < text.max_size()) {
      int c = buffer.sbumpc();
      if (c == EOF) return found ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit;
      found = true;
      if (c == (unsigned char)end) return ios_base::goodbit;
      text += char(c);
    }
    return ios_base::failbit;
  });
  return from;
}

void __istream_extract(istream &from, char *to, streamsize size) {
  read_from(from, false, [&](streambuf &buffer) {
    const ctype<char> &type = use_facet<ctype<char>>(from.getloc());
    streamsize most = from.width() > 0 && from.width() < size ? from.width() : size, kept = 0;
    ios_base::iostate state = ios_base::goodbit;
    while (kept + 1 < most) {
      int c = buffer.sgetc();
      if (c == EOF) {
        state |= ios_base::eofbit;
        break;
      }
      if (type.is(ctype_base::space, char(c))) break;
      to[kept++] = char(c);
      buffer.sbumpc();
    }
    to[kept] = 0;
    from.width(0);
    return kept ? state : state | ios_base::failbit;
  });
}

// ---- Futures that become ready at the end of a thread

void __future_base::_State_baseV2::_Make_ready::_S_run(void *made) {
  unique_ptr<_Make_ready> owner(static_cast<_Make_ready *>(made));
  if (auto state = owner->_M_shared_state.lock())
    state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
}
void __future_base::_State_baseV2::_Make_ready::_M_set() { __mazurka_at_thread_end(_S_run, this); }

// ---- Regular expressions

static const char *regex_text(regex_constants::error_type code) {
  using namespace regex_constants;
  struct {
    error_type code;
    const char *text;
  } const texts[] = {
      {error_collate, "Invalid collating element in regular expression"},
      {error_ctype, "Invalid character class in regular expression"},
      {error_escape, "Invalid escape in regular expression"},
      {error_backref, "Invalid back reference in regular expression"},
      {error_brack, "Mismatched '[' and ']' in regular expression"},
      {error_paren, "Mismatched '(' and ')' in regular expression"},
      {error_brace, "Mismatched '{' and '}' in regular expression"},
      {error_badbrace, "Invalid range in '{}' in regular expression"},
      {error_range, "Invalid character range in regular expression"},
      {error_space, "Insufficient memory to compile regular expression"},
      {error_badrepeat, "Invalid '?', '*', or '+' in regular expression"},
      {error_complexity, "Complexity of regex match exceeded implementation limits"},
      {error_stack, "Insufficient memory to determine regex match"},
  };
  for (const auto &each : texts)
    if (each.code == code) return each.text;
  return "regex error";
}
regex_error::regex_error(regex_constants::error_type code) : runtime_error(regex_text(code)), _M_code(code) {}
regex_error::~regex_error() throw() {}
void __throw_regex_error(regex_constants::error_type code) { throw regex_error(code); }

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

alignas(istream) char cin[sizeof(istream)];
alignas(ostream) char cout[sizeof(ostream)];
alignas(ostream) char cerr[sizeof(ostream)];
alignas(ostream) char clog[sizeof(ostream)];
alignas(console) static char consoles[4][sizeof(console)];

alignas(ctype<char>) static char ctype_space[sizeof(ctype<char>)];
alignas(numpunct<char>) static char numpunct_space[sizeof(numpunct<char>)];
alignas(num_put<char>) static char num_put_space[sizeof(num_put<char>)];
alignas(num_get<char>) static char num_get_space[sizeof(num_get<char>)];
alignas(collate<char>) static char collate_space[sizeof(collate<char>)];
alignas(__numpunct_cache<char>) static char cache_space[sizeof(__numpunct_cache<char>)];

// Within `std::locale`, these names are those of categories.
using char_types = ctype<char>;
using char_order = collate<char>;

// Makes the locale "C".
locale::_Impl::_Impl(size_t) throw()
    : _M_refcount(1), _M_facets(classic_facets), _M_facets_size(KINDS), _M_caches(classic_caches),
      _M_names(nullptr) {
  auto *cache = new (cache_space) __numpunct_cache<char>(1);
  fill_cache(cache);
  auto *type = new (ctype_space) char_types(nullptr, false, 1);
  type->widen('a');
  type->narrow(ctype_space, ctype_space, 0, ctype_space);
  _M_facets[char_types::id._M_id()] = type;
  size_t punctuation = numpunct<char>::id._M_id();
  _M_facets[punctuation] = new (numpunct_space) numpunct<char>(cache, 1);
  _M_caches[punctuation] = cache;
  _M_facets[num_put<char>::id._M_id()] = new (num_put_space) num_put<char>(1);
  _M_facets[num_get<char>::id._M_id()] = new (num_get_space) num_get<char>(1);
  _M_facets[char_order::id._M_id()] = new (collate_space) char_order(1);
}
void locale::_S_initialize_once() throw() {}
void locale::_S_initialize() {
  alignas(_Impl) static char space[sizeof(_Impl)];
  _S_classic = _S_global = new (space) _Impl(1);
  new (classic_locale) locale(_S_classic);
  const void *const parts[] = {
      space,         classic_facets, classic_caches, cache_space,    numpunct_space,
      num_put_space, num_get_space,  collate_space,  classic_locale, &_S_classic,
      &char_types::id, &numpunct<char>::id, &num_put<char>::id, &num_get<char>::id, &char_order::id,
  };
  for (const void *part : parts) __mazurka_freeze(part);
}

ios_base::Init::Init() {}
ios_base::Init::~Init() {}

}  // namespace std

// Makes the locale and the standard streams, before all other static variables.
extern "C" void __mazurka_start_streams() {
  using namespace std;
  locale::classic();
  new (stream_category_space) stream_category;
  auto *out = new (cout) ostream(new (consoles[0]) console(1));
  auto *errors = new (cerr) ostream(new (consoles[1]) console(2));
  auto *log = new (clog) ostream(new (consoles[2]) console(2));
  auto *in = new (cin) istream(new (consoles[3]) console(0));
  in->tie(out);
  errors->setf(ios_base::unitbuf);
  errors->tie(out);
  for (ostream *each : {out, errors, log}) each->fill();
}

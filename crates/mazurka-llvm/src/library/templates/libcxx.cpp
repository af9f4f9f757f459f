// Threads, futures, shared pointers, strings and errors of libc++, as far as its compiled library has them.
//
// The instances of templates come from the headers; the rest is defined here, in terms of pthreads and of
// the functions that both C++ libraries share (`runtime/exceptions.c`).
//
// Mazurka compiles it with the headers of the user's compiler, once, for programs that need it
// (`templates.rs`).

#include <algorithm>
#include <any>
#include <atomic>
#include <barrier>
#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <linux/futex.h>
#include <mutex>
#include <new>
#include <optional>
#include <pthread.h>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <system_error>
#include <thread>
#include <time.h>
#include <typeinfo>
#include <unistd.h>
#include <variant>

// What the runtime for libstdc++ has under other names.
extern "C" {
void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **);
void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **);
void __mazurka_rethrow(void **) __asm__("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE");
// The time of a clock, in nanoseconds: 0 is that of the calendar, 1 the steady one.
long __mazurka_now(int clock);
}

namespace std {

// ---- Exceptions

exception_ptr::exception_ptr(const exception_ptr &other) noexcept : __ptr_(other.__ptr_) {
  if (__ptr_) _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(&__ptr_);
}
exception_ptr &exception_ptr::operator=(const exception_ptr &other) noexcept {
  exception_ptr copy(other);
  std::swap(__ptr_, copy.__ptr_);
  return *this;
}
exception_ptr::~exception_ptr() noexcept {
  if (__ptr_) _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(&__ptr_);
}
void rethrow_exception(exception_ptr kept) {
  __mazurka_rethrow(&kept.__ptr_);
  __builtin_unreachable();
}
nested_exception::nested_exception() noexcept : __ptr_(current_exception()) {}
nested_exception::~nested_exception() noexcept {}
void nested_exception::rethrow_nested() const {
  if (!__ptr_) terminate();
  rethrow_exception(__ptr_);
}

logic_error::logic_error(const string &text) : logic_error(text.c_str()) {}
runtime_error::runtime_error(const string &text) : runtime_error(text.c_str()) {}

bad_alloc::bad_alloc() noexcept {}
bad_array_new_length::bad_array_new_length() noexcept {}
bad_optional_access::~bad_optional_access() noexcept {}
const char *bad_optional_access::what() const noexcept { return "bad_optional_access"; }
const char *bad_any_cast::what() const noexcept { return "bad any cast"; }
const char *bad_variant_access::what() const noexcept { return "bad_variant_access"; }

}  // namespace std

_LIBCPP_BEGIN_NAMESPACE_STD

bad_weak_ptr::~bad_weak_ptr() noexcept {}
const char *bad_weak_ptr::what() const noexcept { return "bad_weak_ptr"; }

// ---- Strings

template class basic_string<char>;
template string operator+ <char, char_traits<char>, allocator<char>>(const char *, const string &);

template <typename Number>
static string printed(const char *format, Number number) {
  char text[64];
  int length = snprintf(text, sizeof text, format, number);
  if (length < int(sizeof text)) return string(text, length);
  string all(length + 1, 0);
  snprintf(&all[0], length + 1, format, number);
  all.resize(length);
  return all;
}
string to_string(int number) { return printed("%d", number); }
string to_string(unsigned number) { return printed("%u", number); }
string to_string(long number) { return printed("%ld", number); }
string to_string(unsigned long number) { return printed("%lu", number); }
string to_string(long long number) { return printed("%lld", number); }
string to_string(unsigned long long number) { return printed("%llu", number); }
string to_string(float number) { return printed("%f", number); }
string to_string(double number) { return printed("%f", number); }
string to_string(long double number) { return printed("%Lf", number); }

template <typename Number, typename Read>
static Number read_number(const char *name, const string &text, size_t *length, Read read) {
  char *end;
  int before = errno;
  errno = 0;
  Number number = read(text.c_str(), &end);
  bool is_too_large = errno == ERANGE;
  errno = before;
  if (is_too_large) throw out_of_range(string(name) + ": out of range");
  if (end == text.c_str()) throw invalid_argument(string(name) + ": no conversion");
  if (length) *length = end - text.c_str();
  return number;
}
int stoi(const string &text, size_t *length, int base) {
  long number = read_number<long>("stoi", text, length, [=](auto s, auto e) { return strtol(s, e, base); });
  if (number != int(number)) throw out_of_range("stoi: out of range");
  return int(number);
}
long stol(const string &text, size_t *length, int base) {
  return read_number<long>("stol", text, length, [=](auto s, auto e) { return strtol(s, e, base); });
}
unsigned long stoul(const string &text, size_t *length, int base) {
  return read_number<unsigned long>("stoul", text, length, [=](auto s, auto e) { return strtoul(s, e, base); });
}
long long stoll(const string &text, size_t *length, int base) {
  return read_number<long long>("stoll", text, length, [=](auto s, auto e) { return strtoll(s, e, base); });
}
unsigned long long stoull(const string &text, size_t *length, int base) {
  return read_number<unsigned long long>("stoull", text, length,
                                         [=](auto s, auto e) { return strtoull(s, e, base); });
}
float stof(const string &text, size_t *length) { return read_number<float>("stof", text, length, strtof); }
double stod(const string &text, size_t *length) { return read_number<double>("stod", text, length, strtod); }
long double stold(const string &text, size_t *length) {
  return read_number<long double>("stold", text, length, strtold);
}

// The number of buckets of a hash table: the next prime.
size_t __next_prime(size_t number) {
  for (;; number++) {
    bool is_prime = number > 1;
    for (size_t i = 2; is_prime && i * i <= number; i++) is_prime = number % i != 0;
    if (is_prime || number == 0) return number;
  }
}

// ---- Errors

error_category::~error_category() noexcept {}
error_condition error_category::default_error_condition(int code) const noexcept { return {code, *this}; }
bool error_category::equivalent(int code, const error_condition &other) const noexcept {
  return default_error_condition(code) == other;
}
bool error_category::equivalent(const error_code &other, int code) const noexcept {
  return *this == other.category() && other.value() == code;
}
string error_code::message() const { return __cat_->message(__val_); }
string error_condition::message() const { return __cat_->message(__val_); }

struct generic_errors final : error_category {
  const char *name() const noexcept override { return "generic"; }
  string message(int code) const override { return strerror(code); }
};
struct system_errors final : error_category {
  const char *name() const noexcept override { return "system"; }
  string message(int code) const override { return strerror(code); }
  error_condition default_error_condition(int code) const noexcept override { return {code, generic_category()}; }
};
struct future_errors final : error_category {
  const char *name() const noexcept override { return "future"; }
  string message(int code) const override {
    switch (future_errc(code)) {
    case future_errc::broken_promise:
      return "The associated promise has been destructed prior to the associated state becoming ready.";
    case future_errc::future_already_retrieved:
      return "The future has already been retrieved from the promise or packaged_task.";
    case future_errc::promise_already_satisfied: return "The state of the promise has already been set.";
    case future_errc::no_state: return "Operation not permitted on an object without an associated state.";
    }
    return "unspecified future_errc value\n";
  }
};
static constinit const generic_errors generic;
static constinit const system_errors of_system;
static constinit const future_errors of_futures;
const error_category &generic_category() noexcept { return generic; }
const error_category &system_category() noexcept { return of_system; }
const error_category &future_category() noexcept { return of_futures; }

string system_error::__init(const error_code &code, string text) {
  if (!code) return text;
  return (text.empty() ? text : text + ": ") + code.message();
}
system_error::system_error(error_code code, const string &text) : runtime_error(__init(code, text)), __ec_(code) {}
system_error::system_error(error_code code, const char *text) : runtime_error(__init(code, text)), __ec_(code) {}
system_error::system_error(error_code code) : runtime_error(__init(code, "")), __ec_(code) {}
system_error::system_error(int code, const error_category &of, const string &text)
    : system_error(error_code(code, of), text) {}
system_error::system_error(int code, const error_category &of, const char *text)
    : system_error(error_code(code, of), text) {}
system_error::system_error(int code, const error_category &of) : system_error(error_code(code, of)) {}
system_error::~system_error() noexcept {}
void __throw_system_error(int code, const char *text) { throw system_error(error_code(code, system_category()), text); }

future_error::future_error(error_code code) : logic_error(code.message()), __ec_(code) {}
future_error::~future_error() noexcept {}

// ---- Clocks

namespace chrono {
system_clock::time_point system_clock::now() noexcept {
  return time_point(duration_cast<duration>(nanoseconds(__mazurka_now(0))));
}
time_t system_clock::to_time_t(const time_point &time) noexcept {
  return duration_cast<seconds>(time.time_since_epoch()).count();
}
system_clock::time_point system_clock::from_time_t(time_t time) noexcept { return time_point(seconds(time)); }
steady_clock::time_point steady_clock::now() noexcept { return time_point(nanoseconds(__mazurka_now(1))); }
}  // namespace chrono

static timespec to_timespec(long nanoseconds) {
  return {time_t(nanoseconds / 1000000000), nanoseconds % 1000000000};
}

// ---- Locks

static void check(int error, const char *what) {
  if (error) __throw_system_error(error, what);
}

void mutex::lock() { check(pthread_mutex_lock(&__m_), "mutex lock failed"); }
bool mutex::try_lock() noexcept { return pthread_mutex_trylock(&__m_) == 0; }
void mutex::unlock() noexcept { pthread_mutex_unlock(&__m_); }

recursive_mutex::recursive_mutex() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  check(pthread_mutex_init(&__m_, &attributes), "recursive_mutex constructor failed");
  pthread_mutexattr_destroy(&attributes);
}
recursive_mutex::~recursive_mutex() { pthread_mutex_destroy(&__m_); }
void recursive_mutex::lock() { check(pthread_mutex_lock(&__m_), "recursive_mutex lock failed"); }
bool recursive_mutex::try_lock() noexcept { return pthread_mutex_trylock(&__m_) == 0; }
void recursive_mutex::unlock() noexcept { pthread_mutex_unlock(&__m_); }

timed_mutex::timed_mutex() : __locked_(false) {}
timed_mutex::~timed_mutex() { lock_guard<mutex> guard(__m_); }
void timed_mutex::lock() {
  unique_lock<mutex> guard(__m_);
  while (__locked_) __cv_.wait(guard);
  __locked_ = true;
}
bool timed_mutex::try_lock() noexcept {
  unique_lock<mutex> guard(__m_, try_to_lock);
  if (!guard.owns_lock() || __locked_) return false;
  return __locked_ = true;
}
void timed_mutex::unlock() noexcept {
  lock_guard<mutex> guard(__m_);
  __locked_ = false;
  __cv_.notify_one();
}

recursive_timed_mutex::recursive_timed_mutex() : __count_(0), __id_{} {}
recursive_timed_mutex::~recursive_timed_mutex() { lock_guard<mutex> guard(__m_); }
void recursive_timed_mutex::lock() {
  __thread_id self = this_thread::get_id();
  unique_lock<mutex> guard(__m_);
  if (self != __id_)
    while (__count_) __cv_.wait(guard);
  __count_++;
  __id_ = self;
}
bool recursive_timed_mutex::try_lock() noexcept {
  __thread_id self = this_thread::get_id();
  unique_lock<mutex> guard(__m_, try_to_lock);
  if (!guard.owns_lock() || (__count_ && self != __id_)) return false;
  __count_++;
  __id_ = self;
  return true;
}
void recursive_timed_mutex::unlock() noexcept {
  unique_lock<mutex> guard(__m_);
  if (--__count_) return;
  __id_.__reset();
  guard.unlock();
  __cv_.notify_one();
}

// A writer enters at the first gate, and waits at the second until the readers have left.
__shared_mutex_base::__shared_mutex_base() : __state_(0) {}
void __shared_mutex_base::lock() {
  unique_lock<mutex> guard(__mut_);
  while (__state_ & __write_entered_) __gate1_.wait(guard);
  __state_ |= __write_entered_;
  while (__state_ & __n_readers_) __gate2_.wait(guard);
}
bool __shared_mutex_base::try_lock() {
  lock_guard<mutex> guard(__mut_);
  if (__state_) return false;
  __state_ = __write_entered_;
  return true;
}
void __shared_mutex_base::unlock() {
  lock_guard<mutex> guard(__mut_);
  __state_ = 0;
  __gate1_.notify_all();
}
void __shared_mutex_base::lock_shared() {
  unique_lock<mutex> guard(__mut_);
  while (__state_ & __write_entered_ || __state_ == __n_readers_) __gate1_.wait(guard);
  __state_++;
}
bool __shared_mutex_base::try_lock_shared() {
  lock_guard<mutex> guard(__mut_);
  if (__state_ & __write_entered_ || __state_ == __n_readers_) return false;
  __state_++;
  return true;
}
void __shared_mutex_base::unlock_shared() {
  lock_guard<mutex> guard(__mut_);
  __state_--;
  if (__state_ & __write_entered_) {
    if (!(__state_ & __n_readers_)) __gate2_.notify_one();
  } else if (__state_ == __n_readers_ - 1) {
    __gate1_.notify_one();
  }
}
shared_timed_mutex::shared_timed_mutex() : __base() {}
void shared_timed_mutex::lock() { __base.lock(); }
bool shared_timed_mutex::try_lock() { return __base.try_lock(); }
void shared_timed_mutex::unlock() { __base.unlock(); }
void shared_timed_mutex::lock_shared() { __base.lock_shared(); }
bool shared_timed_mutex::try_lock_shared() { return __base.try_lock_shared(); }
void shared_timed_mutex::unlock_shared() { __base.unlock_shared(); }

condition_variable::~condition_variable() { pthread_cond_destroy(&__cv_); }
void condition_variable::notify_one() noexcept { pthread_cond_signal(&__cv_); }
void condition_variable::notify_all() noexcept { pthread_cond_broadcast(&__cv_); }
void condition_variable::wait(unique_lock<mutex> &lock) noexcept {
  if (!lock.owns_lock()) __throw_system_error(EPERM, "condition_variable::wait: mutex not locked");
  check(pthread_cond_wait(&__cv_, lock.mutex()->native_handle()), "condition_variable wait failed");
}
void condition_variable::__do_timed_wait(
    unique_lock<mutex> &lock, chrono::time_point<chrono::system_clock, chrono::nanoseconds> until) noexcept {
  timespec time = to_timespec(until.time_since_epoch().count());
  pthread_cond_timedwait(&__cv_, lock.mutex()->native_handle(), &time);
}

// 0: not called, 1: somebody runs the function, ~0: it has returned.
void __call_once(volatile once_flag::_State_type &flag, void *argument, void (*function)(void *)) {
  for (;;) {
    once_flag::_State_type state = 0;
    if (__atomic_compare_exchange_n(&flag, &state, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) break;
    if (state == ~once_flag::_State_type(0)) return;
    while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 1) {
    }
  }
  try {
    function(argument);
  } catch (...) {
    __atomic_store_n(&flag, 0, __ATOMIC_RELEASE);
    throw;
  }
  __atomic_store_n(&flag, ~once_flag::_State_type(0), __ATOMIC_RELEASE);
}

// ---- Threads

thread::~thread() {
  if (__t_) terminate();
}
void thread::join() {
  check(__t_ ? pthread_join(__t_, nullptr) : EINVAL, "thread::join failed");
  __t_ = 0;
}
void thread::detach() {
  check(__t_ ? pthread_detach(__t_) : EINVAL, "thread::detach failed");
  __t_ = 0;
}
unsigned thread::hardware_concurrency() noexcept { return 2; }
namespace this_thread {
void sleep_for(const chrono::nanoseconds &duration) {
  if (duration <= chrono::nanoseconds::zero()) return;
  timespec time = to_timespec(duration.count());
  nanosleep(&time, nullptr);
}
}  // namespace this_thread

// What a thread leaves to its end: locks to unlock with conditions to notify, and results.
struct at_exit {
  at_exit *next;
  condition_variable *condition;
  mutex *lock;
  __assoc_sub_state *state;
};
class __thread_struct_imp {
public:
  at_exit *first = nullptr;
};
__thread_struct::__thread_struct() : __p_(new __thread_struct_imp) {}
__thread_struct::~__thread_struct() {
  while (at_exit *each = __p_->first) {
    __p_->first = each->next;
    if (each->lock) {
      each->lock->unlock();
      each->condition->notify_all();
    } else {
      each->state->__make_ready();
      each->state->__release_shared();
    }
    delete each;
  }
  delete __p_;
}
void __thread_struct::notify_all_at_thread_exit(condition_variable *condition, mutex *lock) {
  __p_->first = new at_exit{__p_->first, condition, lock, nullptr};
}
void __thread_struct::__make_ready_at_thread_exit(__assoc_sub_state *state) {
  state->__add_shared();
  __p_->first = new at_exit{__p_->first, nullptr, nullptr, state};
}
void notify_all_at_thread_exit(condition_variable &condition, unique_lock<mutex> lock) {
  __thread_local_data()->notify_all_at_thread_exit(&condition, lock.release());
}
__thread_specific_ptr<__thread_struct> &__thread_local_data() {
  alignas(__thread_specific_ptr<__thread_struct>) static char space[sizeof(__thread_specific_ptr<__thread_struct>)];
  static auto *made = ::new (space) __thread_specific_ptr<__thread_struct>();
  return *made;
}

// ---- Futures

void __assoc_sub_state::__on_zero_shared() noexcept { delete this; }
void __assoc_sub_state::__make_ready() {
  unique_lock<mutex> lock(__mut_);
  __state_ |= ready;
  __cv_.notify_all();
}
void __assoc_sub_state::set_value() {
  unique_lock<mutex> lock(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __state_ |= __constructed | ready;
  __cv_.notify_all();
}
void __assoc_sub_state::set_value_at_thread_exit() {
  unique_lock<mutex> lock(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __state_ |= __constructed;
  __thread_local_data()->__make_ready_at_thread_exit(this);
}
void __assoc_sub_state::set_exception(exception_ptr exception) {
  unique_lock<mutex> lock(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __exception_ = exception;
  __state_ |= ready;
  __cv_.notify_all();
}
void __assoc_sub_state::set_exception_at_thread_exit(exception_ptr exception) {
  unique_lock<mutex> lock(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __exception_ = exception;
  __thread_local_data()->__make_ready_at_thread_exit(this);
}
void __assoc_sub_state::copy() {
  unique_lock<mutex> lock(__mut_);
  __sub_wait(lock);
  if (__exception_ != nullptr) rethrow_exception(__exception_);
}
void __assoc_sub_state::wait() {
  unique_lock<mutex> lock(__mut_);
  __sub_wait(lock);
}
void __assoc_sub_state::__sub_wait(unique_lock<mutex> &lock) {
  if (__is_ready()) return;
  if (__state_ & deferred) {
    __state_ &= ~unsigned(deferred);
    lock.unlock();
    __execute();
  } else {
    while (!__is_ready()) __cv_.wait(lock);
  }
}
void __assoc_sub_state::__execute() { __throw_future_error(future_errc::no_state); }

future<void>::future(__assoc_sub_state *state) : __state_(state) { __state_->__attach_future(); }
future<void>::~future() {
  if (__state_) __state_->__release_shared();
}
void future<void>::get() {
  unique_ptr<__shared_count, __release_shared_count> released(__state_);
  __assoc_sub_state *state = __state_;
  __state_ = nullptr;
  state->copy();
}
promise<void>::promise() : __state_(new __assoc_sub_state) {}
promise<void>::~promise() {
  if (!__state_) return;
  if (!__state_->__has_value() && __state_->use_count() > 1)
    __state_->set_exception(make_exception_ptr(future_error(make_error_code(future_errc::broken_promise))));
  __state_->__release_shared();
}
future<void> promise<void>::get_future() {
  if (!__state_) __throw_future_error(future_errc::no_state);
  return future<void>(__state_);
}
void promise<void>::set_value() {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_value();
}
void promise<void>::set_exception(exception_ptr exception) {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_exception(exception);
}
void promise<void>::set_value_at_thread_exit() {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_value_at_thread_exit();
}
void promise<void>::set_exception_at_thread_exit(exception_ptr exception) {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_exception_at_thread_exit(exception);
}
shared_future<void>::~shared_future() {
  if (__state_) __state_->__release_shared();
}
shared_future<void> &shared_future<void>::operator=(const shared_future &other) {
  if (other.__state_) other.__state_->__add_shared();
  if (__state_) __state_->__release_shared();
  __state_ = other.__state_;
  return *this;
}

// ---- Waiting for atomics: a word of 32 bits by its value, others by a count of notifications

static int32_t notifications[16];
static int32_t *notifications_of(const volatile void *address) {
  return &notifications[(unsigned long)address / 16 % 16];
}
static void wait_while(const volatile void *word, int32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
static void wake(const volatile void *word, int most) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, nullptr, nullptr, 0);
}
void __cxx_atomic_notify_one(const volatile void *address) { __cxx_atomic_notify_all(address); }
void __cxx_atomic_notify_all(const volatile void *address) {
  __atomic_fetch_add(notifications_of(address), 1, __ATOMIC_SEQ_CST);
  wake(notifications_of(address), INT_MAX);
}
__cxx_contention_t __libcpp_atomic_monitor(const volatile void *address) {
  return __atomic_load_n(notifications_of(address), __ATOMIC_SEQ_CST);
}
void __libcpp_atomic_wait(const volatile void *address, __cxx_contention_t seen) {
  wait_while(notifications_of(address), int32_t(seen));
}
void __cxx_atomic_notify_one(const volatile __cxx_atomic_contention_t *address) { wake(address, 1); }
void __cxx_atomic_notify_all(const volatile __cxx_atomic_contention_t *address) { wake(address, INT_MAX); }
__cxx_contention_t __libcpp_atomic_monitor(const volatile __cxx_atomic_contention_t *address) {
  return __atomic_load_n((const volatile int32_t *)address, __ATOMIC_SEQ_CST);
}
void __libcpp_atomic_wait(const volatile __cxx_atomic_contention_t *address, __cxx_contention_t seen) {
  wait_while(address, int32_t(seen));
}

// A barrier counts arrivals; the one that completes a phase returns true.
class __barrier_algorithm_base {
public:
  ptrdiff_t &expected;
  ptrdiff_t arrived = 0;
};
__barrier_algorithm_base *__construct_barrier_algorithm_base(ptrdiff_t &expected) {
  return new __barrier_algorithm_base{expected};
}
bool __arrive_barrier_algorithm_base(__barrier_algorithm_base *barrier, __barrier_phase_t) {
  ptrdiff_t expected = barrier->expected;  // the last thread may change it
  if (__atomic_add_fetch(&barrier->arrived, 1, __ATOMIC_ACQ_REL) < expected) return false;
  barrier->arrived = 0;
  return true;
}
void __destroy_barrier_algorithm_base(__barrier_algorithm_base *barrier) { delete barrier; }

// ---- Shared pointers: counts start at 0 for one owner

__shared_count::~__shared_count() {}
__shared_weak_count::~__shared_weak_count() {}
void __shared_weak_count::__release_weak() noexcept {
  if (__atomic_load_n(&__shared_weak_owners_, __ATOMIC_ACQUIRE) == 0 ||
      __atomic_fetch_sub(&__shared_weak_owners_, 1, __ATOMIC_ACQ_REL) == 0)
    __on_zero_shared_weak();
}
__shared_weak_count *__shared_weak_count::lock() noexcept {
  long owners = __atomic_load_n(&__shared_owners_, __ATOMIC_SEQ_CST);
  while (owners != -1)
    if (__atomic_compare_exchange_n(&__shared_owners_, &owners, owners + 1, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
      return this;
  return nullptr;
}
const void *__shared_weak_count::__get_deleter(const type_info &) const noexcept { return nullptr; }

static mutex sp_locks[16];
constexpr __sp_mut::__sp_mut(void *lock) noexcept : __lx(lock) {}
void __sp_mut::lock() noexcept { static_cast<mutex *>(__lx)->lock(); }
void __sp_mut::unlock() noexcept { static_cast<mutex *>(__lx)->unlock(); }
__sp_mut &__get_sp_mut(const void *address) {
  static __sp_mut locks[16] = {&sp_locks[0],  &sp_locks[1],  &sp_locks[2],  &sp_locks[3],
                               &sp_locks[4],  &sp_locks[5],  &sp_locks[6],  &sp_locks[7],
                               &sp_locks[8],  &sp_locks[9],  &sp_locks[10], &sp_locks[11],
                               &sp_locks[12], &sp_locks[13], &sp_locks[14], &sp_locks[15]};
  return locks[(unsigned long)address / 16 % 16];
}

_LIBCPP_END_NAMESPACE_STD

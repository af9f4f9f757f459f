//! C++ programs with threads, by libstdc++'s headers.

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, DataRaces, Options};
use mazurka_core::verdict::{Verdict, ViolationKind};
use mazurka_llvm::compile::Source;
use mazurka_llvm::{LlvmOptions, LlvmProgram};

fn program(name: &str, text: &str) -> LlvmProgram {
    program_of(name, text, "c++17")
}

fn program_of(name: &str, text: &str, standard: &str) -> LlvmProgram {
    let file = std::env::temp_dir().join(format!("cpp-{name}-{}.cpp", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let mut source = Source::new([&file]);
    source.standard = Some(standard.to_owned());
    let module = source.load().unwrap_or_else(|error| panic!("{error}"));
    std::fs::remove_file(file).unwrap();
    LlvmProgram::new(&module, LlvmOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn check(program: &LlvmProgram, algorithm: Algorithm) -> Verdict {
    let mut machine = program.start().unwrap_or_else(|violation| panic!("{violation}"));
    let data_races = DataRaces::Ignore;
    let options = Options { algorithm, keep_going: true, data_races, ..Options::default() };
    LlvmProgram::explore(&mut machine, &options, &mut ())
}

/// Checks a program under several explorers, which must not find anything; returns what `optimal`
/// has counted.
fn is_right(name: &str, text: &str) -> u64 {
    let program = program(name, text);
    for algorithm in [Algorithm::Source, Algorithm::Observers] {
        let verdict = check(&program, algorithm);
        assert!(verdict.violations.is_empty(), "{algorithm}: {:?}", verdict.violations);
    }
    let verdict = check(&program, Algorithm::Optimal);
    assert!(verdict.violations.is_empty(), "{:?}", verdict.violations);
    assert!(verdict.executions > 0);
    verdict.executions
}

/// What `optimal` finds first.
fn finds(name: &str, text: &str, kind: ViolationKind, words: &str) {
    let program = program(name, text);
    // What goes wrong before the first step is found before anything is explored.
    let violation = match program.start() {
        Ok(_) => check(&program, Algorithm::Optimal).violations.into_iter().next(),
        Err(violation) => Some(*violation),
    };
    let violation = violation.expect("there is something to find");
    assert_eq!(violation.kind, kind, "{violation:?}");
    let message = violation.to_string();
    assert!(message.contains(words), "{message}");
}

/// Two critical sections can come in two orders, and nothing else makes a difference.
#[test]
fn lock_guards() {
    let executions = is_right(
        "guards",
        "#include <cassert>\n#include <mutex>\n#include <thread>\n\
         int x; std::mutex m;\n\
         void add() { std::lock_guard<std::mutex> guard(m); x++; }\n\
         int main() { std::thread a(add), b(add); a.join(); b.join(); assert(x == 2); }\n",
    );
    assert_eq!(executions, 2);
}

#[test]
fn a_lost_update() {
    finds(
        "lost",
        "#include <cassert>\n#include <thread>\n\
         int x;\n\
         int main() { auto add = [] { x++; }; std::thread a(add), b(add); a.join(); b.join(); assert(x == 2); }\n",
        ViolationKind::Assertion,
        "x == 2",
    );
}

#[test]
fn condition_variables_queues_and_strings() {
    is_right(
        "channel",
        "#include <cassert>\n#include <condition_variable>\n#include <mutex>\n#include <queue>\n\
         #include <string>\n#include <thread>\n#include <vector>\n\
         struct Channel {\n\
           std::mutex m; std::condition_variable c; std::queue<std::string> q;\n\
           void send(std::string s) { { std::lock_guard<std::mutex> g(m); q.push(std::move(s)); } c.notify_one(); }\n\
           std::string receive() {\n\
             std::unique_lock<std::mutex> l(m);\n\
             c.wait(l, [&] { return !q.empty(); });\n\
             auto s = q.front(); q.pop(); return s;\n\
           }\n\
         };\n\
         int main() {\n\
           Channel c; std::vector<std::thread> threads;\n\
           for (int i = 0; i < 2; i++)\n\
             threads.emplace_back([&c, i] { c.send(\"a message that is long enough \" + std::to_string(i)); });\n\
           auto a = c.receive(), b = c.receive();\n\
           assert(a != b && a.size() == b.size());\n\
           for (auto &t : threads) t.join();\n\
         }\n",
    );
}

#[test]
fn a_notification_that_comes_too_early_is_lost() {
    finds(
        "lost-notification",
        "#include <condition_variable>\n#include <mutex>\n#include <thread>\n\
         std::mutex m; std::condition_variable c;\n\
         int main() {\n\
           std::thread t([] { c.notify_one(); });\n\
           { std::unique_lock<std::mutex> l(m); c.wait(l); }\n\
           t.join();\n\
         }\n",
        ViolationKind::Deadlock,
        "",
    );
}

/// The state of a thread is destroyed in the thread, and with it what a lambda has captured.
#[test]
fn shared_pointers_are_counted() {
    is_right(
        "shared",
        "#include <atomic>\n#include <cassert>\n#include <memory>\n#include <thread>\n\
         std::atomic<int> n{0};\n\
         struct S { ~S() { n += 100; } };\n\
         int main() {\n\
           auto p = std::make_shared<S>();\n\
           std::thread a([p] { n++; }), b([p = std::move(p)] { n.fetch_add(2); });\n\
           a.join(); b.join(); assert(n == 103);\n\
         }\n",
    );
}

#[test]
fn once_and_static_variables() {
    is_right(
        "once",
        "#include <cassert>\n#include <mutex>\n#include <thread>\n\
         std::once_flag flag; int count, made;\n\
         struct Made { int value; Made() : value(count + 5) { made++; } };\n\
         Made &lazy() { static Made m; return m; }\n\
         int main() {\n\
           auto work = [] { std::call_once(flag, [] { count++; }); assert(count == 1); assert(lazy().value == 6); };\n\
           std::thread a(work), b(work); a.join(); b.join(); assert(made == 1);\n\
         }\n",
    );
}

#[test]
fn atomics_spinning_and_detached_threads() {
    is_right(
        "atomics",
        "#include <atomic>\n#include <cassert>\n#include <thread>\n\
         std::atomic<bool> ready{false}; int data;\n\
         int main() {\n\
           std::thread([] { data = 42; ready.store(true, std::memory_order_release); }).detach();\n\
           while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();\n\
           assert(data == 42);\n\
         }\n",
    );
}

#[test]
fn other_locks_and_thread_local_variables() {
    is_right(
        "locks",
        "#include <cassert>\n#include <mutex>\n#include <shared_mutex>\n#include <thread>\n\
         std::recursive_mutex r; std::shared_mutex s; std::mutex m, n;\n\
         thread_local int own = 5; int x;\n\
         int main() {\n\
           std::thread a([] {\n\
             std::lock_guard<std::recursive_mutex> g(r), h(r);\n\
             std::unique_lock<std::shared_mutex> u(s);\n\
             std::scoped_lock l(m, n);\n\
             x++; own++; assert(own == 6);\n\
           });\n\
           { std::shared_lock<std::shared_mutex> u(s); assert(x == 0 || x == 1); }\n\
           { std::unique_lock<std::mutex> l(m, std::try_to_lock); assert(own == 5); }\n\
           a.join(); assert(x == 1);\n\
         }\n",
    );
}

#[test]
fn promises_futures_and_tasks() {
    is_right(
        "futures",
        "#include <cassert>\n#include <future>\n#include <thread>\n\
         int main() {\n\
           std::promise<int> p; auto f = p.get_future();\n\
           std::thread t([&] { p.set_value(5); });\n\
           assert(f.get() == 5); t.join();\n\
         }\n",
    );
    is_right(
        "async",
        "#include <cassert>\n#include <future>\n\
         int main() {\n\
           auto g = std::async(std::launch::async, [] { return 7; });\n\
           assert(g.get() == 7);\n\
         }\n",
    );
}

#[test]
fn an_exception_is_a_violation_that_tells_its_type_and_text() {
    finds(
        "exception",
        "#include <stdexcept>\n#include <thread>\n\
         int main() { std::thread t([] { throw std::runtime_error(\"no luck\"); }); t.join(); }\n",
        ViolationKind::Exception,
        "throws `std::runtime_error`: no luck, and no handler catches it",
    );
}

/// A lock is released on the way from the exception to its handler, so that both threads get it; in
/// which order is all that makes a difference.
#[test]
fn an_exception_releases_what_it_passes() {
    let executions = is_right(
        "passes",
        "#include <cassert>\n#include <mutex>\n#include <stdexcept>\n#include <thread>\n\
         std::mutex m; int failures;\n\
         void step() { std::lock_guard<std::mutex> guard(m); failures++;\n\
           throw std::runtime_error(\"no\"); }\n\
         void run() { try { step(); } catch (const std::exception &) {} }\n\
         int main() { std::thread a(run), b(run); a.join(); b.join(); assert(failures == 2); }\n",
    );
    assert_eq!(executions, 2);
}

/// A local that another thread can see ends when an exception leaves its function: that is a step.
#[test]
fn what_an_exception_leaves_behind_is_gone() {
    finds(
        "left",
        "#include <atomic>\n#include <thread>\n\
         std::atomic<int *> shared;\n\
         void leave() { int local = 1; shared = &local; throw 1; }\n\
         int main() { std::thread t([] { if (int *p = shared.load()) *p = 2; });\n\
           try { leave(); } catch (int) {} t.join(); }\n",
        ViolationKind::InvalidMemory,
        "`local` is used after the end of its lifetime",
    );
}

#[test]
fn an_exception_of_a_type_that_nobody_handles() {
    finds(
        "other",
        "struct Mine {};\n\
         int main() { try { throw Mine(); } catch (int) {} }\n",
        ViolationKind::Exception,
        "throws `Mine`, and no handler catches it, at ",
    );
    finds(
        "derived",
        "#include <stdexcept>\n\
         struct Mine : std::out_of_range { Mine() : std::out_of_range(\"too far\") {} };\n\
         int main() { try { throw Mine(); } catch (std::runtime_error &) {} }\n",
        ViolationKind::Exception,
        "throws `Mine`: too far, and no handler catches it",
    );
    finds(
        "noexcept",
        "void quiet() noexcept { throw 5; }\n\
         int main() { try { quiet(); } catch (...) {} }\n",
        ViolationKind::Exception,
        "throws `int`, and no handler catches it",
    );
}

/// What fails is not done: the next one tries again.
#[test]
fn an_exception_leaves_it_to_others_to_do_it_once() {
    let executions = is_right(
        "again",
        "#include <cassert>\n#include <mutex>\n#include <thread>\n\
         std::once_flag flag; int calls;\n\
         void run() { try { std::call_once(flag, [] { if (calls++ == 0) throw 1; }); }\n\
           catch (int) {} }\n\
         int main() { std::thread a(run), b(run); a.join(); b.join(); assert(calls == 2); }\n",
    );
    assert!(executions >= 2, "{executions}");
}

/// What a task throws comes out where its result is asked for.
#[test]
fn an_exception_goes_with_a_future() {
    is_right(
        "future",
        "#include <cassert>\n#include <future>\n#include <stdexcept>\n\
         int main() { std::promise<int> p; auto f = p.get_future();\n\
           std::thread t([&] { try { throw std::out_of_range(\"far\"); }\n\
             catch (...) { p.set_exception(std::current_exception()); } });\n\
           bool caught = false;\n\
           try { f.get(); } catch (const std::logic_error &) { caught = true; }\n\
           t.join(); assert(caught); }\n",
    );
}

#[test]
fn a_thread_that_is_neither_joined_nor_detached() {
    finds(
        "unjoined",
        "#include <thread>\nint main() { std::thread t([] {}); }\n",
        ViolationKind::Abort,
        "`std::terminate`",
    );
}

/// Waiting in C++20 is built on atomics that wait for a futex.
#[test]
fn semaphores_and_latches() {
    let text = "#include <cassert>\n#include <latch>\n#include <semaphore>\n#include <thread>\n\
         std::counting_semaphore<2> s(0); std::latch l(2); int x;\n\
         int main() { std::thread a([] { x = 1; s.release(); l.count_down(); });\n\
           std::thread b([] { s.acquire(); assert(x == 1); l.count_down(); });\n\
           l.wait(); a.join(); b.join(); }\n";
    let program = program_of("semaphores", text, "c++20");
    let verdict = check(&program, Algorithm::Optimal);
    assert!(verdict.violations.is_empty() && verdict.executions > 0, "{verdict:?}");
}

/// Two threads that lock two mutexes at once, in opposite orders, around these words.
fn opposite(lock: &str, body: &str) -> String {
    format!(
        "#include <cassert>\n#include <mutex>\n#include <thread>\n\
         std::mutex a, b, c; int x, y;\n\
         int main() {{\n\
           std::thread t([] {{ auto &m = a, &n = b; {lock} {body} }});\n\
           std::thread u([] {{ auto &m = b, &n = a; {lock} {body} }});\n\
           t.join(); u.join(); assert(x == 2 && y == 2);\n\
         }}\n"
    )
}

/// Two threads could step back for each other for ever; what they do with the mutexes comes in two
/// orders all the same.
#[test]
fn several_mutexes_at_once_end_under_every_explorer() {
    for (name, lock) in [
        ("scoped", "std::scoped_lock l(m, n);"),
        (
            "unique",
            "std::unique_lock<std::mutex> l(m, std::defer_lock), k(n, std::defer_lock);\
             std::lock(l, k); assert(l.owns_lock() && k.owns_lock());",
        ),
        ("three", "std::scoped_lock l(m, c, n);"),
    ] {
        let program = program(name, &opposite(lock, "x++; y++;"));
        for algorithm in [
            Algorithm::Dpor,
            Algorithm::Source,
            Algorithm::Optimal,
            Algorithm::Observers,
            Algorithm::DataCentric,
            Algorithm::Unfolding,
        ] {
            let verdict = check(&program, algorithm);
            assert!(verdict.violations.is_empty(), "{name}, {algorithm}: {verdict:?}");
            assert!(verdict.is_complete(), "{name}, {algorithm}");
            assert_eq!(verdict.executions, 2, "{name}, {algorithm}");
        }
    }
    let lost = opposite("int old = x; std::scoped_lock l(m, n);", "x = old + 1; y++;");
    finds(
        "lost_under_locks",
        &lost,
        ViolationKind::Assertion,
        "assertion `x == 2 && y == 2` failed",
    );
}

/// Whoever waits for one of them holds none of the others, but may wait for ever.
#[test]
fn several_mutexes_at_once_may_be_waited_for_in_vain() {
    let text = |first: &str| {
        format!(
            "#include <mutex>\n#include <thread>\n\
             std::mutex a, b, c;\n\
             int main() {{\n\
               std::thread t([] {{ {first} std::scoped_lock l(a, b); }});\n\
               std::thread u([] {{ std::lock_guard<std::mutex> l(b), k(c), j(a); }});\n\
               t.join(); u.join();\n\
             }}\n"
        )
    };
    is_right("steps_back", &text(""));
    let holds = text("std::lock_guard<std::mutex> k(c);");
    finds("waits_in_vain", &holds, ViolationKind::Deadlock, "waits for b, held by thread 2");
}

/// Reports tell where the program calls the C++ library, and not what that is made of.
#[test]
fn reports_have_the_program_s_own_places_and_names() {
    use mazurka_report::Subject;
    let text = "#include <atomic>\n#include <cstdlib>\n#include <mutex>\n#include <thread>\n\
         namespace bank { struct account { std::mutex m; std::atomic<int> money{5}; }; account one; }\n\
         void pay() {\n  std::lock_guard<std::mutex> l(bank::one.m);\n  bank::one.money.store(7);\n}\n\
         int main() {\n  std::thread t(pay);\n  t.join();\n  abort();\n}\n";
    let program = program("own_places", text);
    let verdict = check(&program, Algorithm::Optimal);
    let recording = program.record(&verdict.violations[0].schedule);
    let told = |text: &str| {
        let line = recording.lines.iter().find(|line| line.text == text);
        let line = line.unwrap_or_else(|| panic!("no {text} in {:#?}", recording.lines));
        line.place.as_ref().map(|place| place.line)
    };
    assert_eq!(told("lock(one.m)"), Some(7));
    assert_eq!(told("one.money = 7"), Some(8));
    assert_eq!(told("unlock(one.m)"), Some(9));
    assert_eq!(told("join(thread 1)"), Some(12));
}

#[test]
fn memory_that_the_library_allocates_is_called_after_the_program_s_line() {
    finds(
        "allocated",
        "#include <vector>\nint main() {\n  std::vector<int> v;\n  v.push_back(1);\n\
           int *p = &v[0];\n  v.push_back(2);\n  return *p;\n}\n",
        ViolationKind::InvalidMemory,
        ".cpp:4:5 is used after it was freed (at ",
    );
}

#[test]
fn functions_that_are_missing_are_told_by_their_names_in_the_source() {
    let text =
        "namespace far { int away(int, const char *); }\nint main() { far::away(1, \"\"); }\n";
    finds("away", text, ViolationKind::Unsupported, "`far::away(int, char const*)`");
}

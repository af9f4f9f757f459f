//! The memory that `data-centric` needs does not grow with the number of executions.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, Options};
use mazurka_testkit::script::ScriptProgram;

/// An allocator that counts the bytes in use, and their maximum.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all calls are forwarded to the system's allocator with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = IN_USE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        // SAFETY: the caller promises what the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: `at` is from the system's allocator, by `alloc`.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the number of executions of a program, and the maximum number of bytes in use during its
/// exploration.
fn explored(text: &str) -> (u64, usize) {
    let program = ScriptProgram::new(&text.parse().unwrap()).unwrap();
    let options = Options { algorithm: Algorithm::DataCentric, ..Options::default() };
    let mut machine = program.start().unwrap();
    let before = IN_USE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let verdict = ScriptProgram::explore(&mut machine, &options, &mut ());
    assert!(verdict.is_complete() && verdict.blocked == 0);
    (verdict.executions, PEAK.load(Relaxed) - before)
}

/// A process reads `x0`, and may observe a write behind `n` reads. Each of these observes one of
/// two writes, so the write has `2^n` causal pasts.
fn many_ways_to_a_write(n: usize) -> String {
    let mut text = "process 0 {\nr0 = read x0\n}\nprocess 1 {\n".to_owned();
    for i in 1..=n {
        writeln!(text, "r0 = read x{i}").unwrap();
    }
    text += "write x0 1\n}\nprocess 2 {\n";
    for i in 1..=n {
        writeln!(text, "write x{i} 1").unwrap();
    }
    text + "}\n"
}

/// Two processes that add to values that they read from each other.
fn fibonacci(n: usize) -> String {
    let process = |own: usize| {
        let step = format!("r0 = read x0\nr1 = read x1\nwrite x{own} r0+1\n");
        format!("process {own} {{\n{}}}\n", step.repeat(n))
    };
    process(0) + &process(1)
}

/// Several writers, and a process that reads after some of its own writes.
fn redundant(n: usize) -> String {
    let writes = |value: usize| (0..n).map(move |i| format!("write x0 {}\n", value + i));
    let mut text = String::new();
    for process in 0..3 {
        let code: String = writes(process * n).collect();
        writeln!(text, "process {process} {{\n{code}r0 = read x0\n}}").unwrap();
    }
    text
}

#[test]
fn memory_does_not_grow_with_the_number_of_executions() {
    // A single test, because the memory of tests that run in parallel would count, too.
    for (name, program, sizes) in [
        ("many ways", many_ways_to_a_write as fn(usize) -> String, [5, 10]),
        ("fibonacci", fibonacci, [2, 4]),
        ("redundant", redundant, [4, 8]),
    ] {
        let [(few, small), (many, large)] = sizes.map(|n| explored(&program(n)));
        println!("{name}: {few} executions in {small} bytes, {many} in {large}");
        assert!(many >= 3 * few, "{name}: {few}, {many}");
        // Executions are twice as long, and some of the memory grows with the square of their
        // length.
        assert!(large <= 5 * small, "{name}: {small}, {large} bytes");
    }
}

//! Threads that sleep on futexes.

use super::blocking::agree;
use super::{MemoryModel, Verdict, ViolationKind, check_under, threads};

const GLOBALS: &str = "
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#define WAIT(word, number) syscall(SYS_futex, &word, FUTEX_WAIT, number, 0, 0, 0)
#define WAKE(word, most) syscall(SYS_futex, &word, FUTEX_WAKE, most, 0, 0, 0)
#define STORE(word, number) atomic_store_explicit(&word, number, memory_order_relaxed)
#define RELEASE(word, number) atomic_store_explicit(&word, number, memory_order_release)
#define ACQUIRE(word) atomic_load_explicit(&word, memory_order_acquire)
#define RELAXED(word) atomic_load_explicit(&word, memory_order_relaxed)
atomic_int x, y, z;
";

const WAITS: &str = "while (!ACQUIRE(x)) WAIT(x, 0);";

fn run(bodies: &[&str], model: MemoryModel) -> Verdict {
    let verdict = check_under(model, &threads(GLOBALS, bodies, "")).1;
    assert!(verdict.stopped.is_none(), "{model}: {verdict:?}");
    verdict
}

fn is_fine(bodies: &[&str]) {
    for model in MemoryModel::ALL {
        let verdict = run(bodies, model);
        assert!(verdict.violations.is_empty(), "{model}: {verdict:?}");
    }
}

fn has_deadlock(bodies: &[&str]) {
    for model in MemoryModel::ALL {
        let verdict = run(bodies, model);
        let is_deadlock = |v: &mazurka_core::verdict::Violation| v.kind == ViolationKind::Deadlock;
        assert!(verdict.violations.iter().any(is_deadlock), "{model}: {verdict:?}");
        assert!(verdict.violations.iter().all(is_deadlock), "{model}: {verdict:?}");
    }
}

/// The thread looks before or after the number changes. If it looks before, it is woken. If it looks after, its
/// wait may come before or after the wake-up.
#[test]
fn a_wait_and_a_wake_up() {
    for model in MemoryModel::ALL {
        let verdict = run(&["WAIT(x, 0);", "RELEASE(x, 1); WAKE(x, 1);"], model);
        assert!(verdict.violations.is_empty(), "{model}: {verdict:?}");
        assert_eq!(verdict.executions, 3, "{model}");
    }
}

/// The thread sleeps, or finds the other number.
#[test]
fn no_wake_up() {
    for model in MemoryModel::ALL {
        let verdict = run(&["WAIT(x, 0);", "RELEASE(x, 1);"], model);
        assert_eq!((verdict.executions, verdict.violations.len()), (2, 1), "{model}: {verdict:?}");
        assert_eq!(verdict.violations[0].kind, ViolationKind::Deadlock);
        let message = &verdict.violations[0].message;
        assert!(message.contains("waits to be woken at x"), "{message}");
    }
}

#[test]
fn lost_wake_ups() {
    has_deadlock(&[WAITS, "RELEASE(x, 1);"]);
    has_deadlock(&[WAITS, "WAKE(x, 1); RELEASE(x, 1);"]);
    has_deadlock(&[WAITS, "RELEASE(x, 1); WAKE(y, 1);"]);
    has_deadlock(&[WAITS, WAITS, "RELEASE(x, 1); WAKE(x, 1);"]);
    is_fine(&[WAITS, "RELEASE(x, 1); WAKE(x, 1);"]);
    is_fine(&[WAITS, WAITS, "RELEASE(x, 1); WAKE(x, 2);"]);
    is_fine(&[WAITS, WAITS, "RELEASE(x, 1); WAKE(x, 1); WAKE(x, 1);"]);
    is_fine(&[WAITS, "STORE(x, 1); WAKE(x, 1);"]);
}

/// A thread that counts sleeping threads by a relaxed store, and another that reads the count by a relaxed load,
/// miss each other as in store buffering.
#[test]
fn a_count_of_sleeping_threads_needs_fences() {
    let waits = |fence: &str| {
        format!(
            "STORE(y, 1); {fence}
             while (!ACQUIRE(x)) WAIT(x, 0);"
        )
    };
    let wakes = |fence: &str| format!("RELEASE(x, 1); {fence} if (RELAXED(y)) WAKE(x, 1);");
    let fence = "atomic_thread_fence(memory_order_seq_cst);";
    for model in MemoryModel::ALL {
        let without = run(&[&waits(""), &wakes("")], model);
        assert_eq!(without.violations.is_empty(), model == MemoryModel::Sc, "{model}: {without:?}");
        let with = run(&[&waits(fence), &wakes(fence)], model);
        assert_eq!(with.violations.is_empty(), model != MemoryModel::Ra, "{model}: {with:?}");
    }
}

/// What comes before a wake-up happens before the end of the wait that it ends. A thread that did not sleep knows
/// of it only by an acquire load.
#[test]
fn data_behind_a_futex() {
    let with = |store: &str, load: &str| {
        let writer = format!("STORE(y, 7); {store}(x, 1); WAKE(x, 1);");
        let reader = format!("while (!{load}(x)) WAIT(x, 0); z = RELAXED(y);");
        let text = threads(GLOBALS, &[&writer, &reader], "assert(z == 7);");
        check_under(MemoryModel::Rc11, &text).1
    };
    assert!(with("RELEASE", "ACQUIRE").violations.is_empty());
    assert!(!with("STORE", "ACQUIRE").violations.is_empty());
    assert!(!with("RELEASE", "RELAXED").violations.is_empty());
}

#[test]
fn outcomes_are_those_of_schedules() {
    agree(GLOBALS, &["r += 1 + (WAIT(x, 0) == 0);", "x = 1; WAKE(x, 1);"], 2);
    agree(GLOBALS, &["r += 1 + WAKE(x, 9);", "WAIT(x, 0); r += 4;", "WAIT(x, 0); r += 4;"], 2);
    let waits = "while (!x) WAIT(x, 0); r += 1 + s++;";
    agree(GLOBALS, &[waits, waits, "x = 1; WAKE(x, 1);"], 2);
}

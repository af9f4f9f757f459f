//! A second panic while unwinding, which would abort the program, never aborts the checker, and
//! leaves nothing behind.
//!
//! Each scenario runs in a process of its own: should it abort or hang after all, then only that
//! one does.

use std::panic::catch_unwind;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mazurka::sync::Mutex;
use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::{Algorithm, Check, ViolationKind, thread};

/// Runs something when it is dropped.
struct AtEnd<F: FnMut()>(F);

impl<F: FnMut()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a test of this file in a process of its own.
fn run(scenario: &str) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", scenario, "--ignored", "--nocapture"]);
    command.stdout(Stdio::null()).env("RUST_BACKTRACE", "0");
    let mut child = command.spawn().unwrap();
    let started = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if started.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(10)),
            None => {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("the process of {scenario} does not end");
            }
        }
    };
    assert!(status.success(), "{scenario}: {status}");
}

/// What must hold after a check, whatever went on in it.
fn nothing_is_left() {
    assert!(!std::thread::panicking(), "this OS thread takes itself for panicking");
    assert!(catch_unwind(|| panic!("an ordinary one")).is_err());
    // Replacing the hook waits for everybody who is in it.
    let hook = std::panic::take_hook();
    std::panic::set_hook(hook);
}

fn poisoned() {
    let lock = Arc::new(Mutex::new(0));
    let theirs = Arc::clone(&lock);
    let child = thread::spawn(move || {
        // Dropped after the guard, so that the lock is poisoned by then.
        let _second = AtEnd(|| drop(theirs.lock().unwrap()));
        let _guard = theirs.lock().unwrap();
        panic!("the first");
    });
    drop(child.join());
}

#[test]
#[ignore = "run in a process of its own by the test below"]
fn scenario_of_a_violation() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).run(poisoned);
        let [violation] = &verdict.violations[..] else { panic!("{algorithm}: {verdict:?}") };
        assert_eq!(violation.kind, ViolationKind::Panic, "{algorithm}");
        assert!(violation.message.contains("unwinding"), "{violation}");
        let verdict = Check::new().replay(&violation.schedule.to_string()).run(poisoned);
        assert_eq!(verdict.violations.len(), 1, "{algorithm}");
    }
    nothing_is_left();
}

#[test]
fn a_second_panic_is_a_violation() {
    run("scenario_of_a_violation");
}

#[test]
#[ignore = "run in a process of its own by the test below"]
fn scenario_of_both_messages() {
    let verdict = Check::new().run(poisoned);
    let message = &verdict.violations[0].message;
    assert!(message.contains("the first"), "{message}");
    assert!(message.contains("PoisonError"), "{message}");
}

#[test]
fn both_panics_are_told() {
    run("scenario_of_both_messages");
}

#[test]
#[ignore = "run in a process of its own by the test below"]
fn scenario_of_several_threads() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).keep_going(true).run(|| {
            let x = Arc::new(AtomicUsize::new(0));
            for _ in 0..3 {
                let x = Arc::clone(&x);
                thread::spawn(move || {
                    let _second = AtEnd(|| assert_eq!(x.fetch_add(1, SeqCst), 10, "the second"));
                    x.fetch_add(1, SeqCst);
                    panic!("the first");
                });
            }
        });
        assert!(!verdict.violations.is_empty(), "{algorithm}");
        assert!(verdict.violations.iter().all(|v| v.kind == ViolationKind::Panic), "{algorithm}");
    }
    nothing_is_left();
}

#[test]
fn several_threads_may_do_so() {
    run("scenario_of_several_threads");
}

#[test]
#[ignore = "run in a process of its own by the test below"]
fn scenario_of_a_teardown() {
    // The main thread waits for ever; the child is then stopped where it is, and what its
    // destructors see does not make sense.
    let body = || {
        let x = Arc::new(AtomicUsize::new(0));
        thread::spawn(move || {
            x.store(5, SeqCst);
            let _check = AtEnd(|| assert_eq!(x.load(SeqCst), 5, "only in a teardown"));
            let _again = AtEnd(|| assert_eq!(x.fetch_add(0, SeqCst), 5, "only in a teardown"));
            thread::park();
        });
        thread::park();
    };
    for algorithm in Algorithm::ALL {
        for depth in [1, 2, 3, 100] {
            let check = Check::new().algorithm(algorithm).keep_going(true).max_depth(depth);
            let mut violations = check.run(body).violations.into_iter();
            assert!(violations.all(|v| v.kind == ViolationKind::Deadlock), "{algorithm} {depth}");
        }
    }
    nothing_is_left();
}

#[test]
fn an_execution_that_is_cut_short_may_do_so() {
    run("scenario_of_a_teardown");
}

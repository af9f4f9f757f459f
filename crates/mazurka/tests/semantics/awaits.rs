//! Loops that wait for one location.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::{Algorithm, Check, ViolationKind, thread};

use super::{outcomes, spawn_with, violation};

/// Whether loops that wait for one location are awaits: iterations are interpreted on this machine.
pub(super) const AWAITS: bool = cfg!(all(unix, target_arch = "x86_64"));

/// Checks that each of these explorers runs so many executions, which are fine.
#[track_caller]
fn runs(executions: u64, f: impl Fn() + Send + Sync) {
    if !AWAITS {
        return;
    }
    for algorithm in [Algorithm::Observers, Algorithm::Optimal, Algorithm::Graphs] {
        let verdict = Check::new().algorithm(algorithm).run(&f);
        assert_eq!(verdict.violations, [], "{algorithm}");
        assert!(verdict.is_complete(), "{algorithm}");
        assert_eq!(verdict.executions, executions, "{algorithm}");
    }
}

/// Runs so many threads.
fn several(threads: usize, f: impl Fn() + Send + Sync + 'static) {
    let f = Arc::new(f);
    let spawn = |_| {
        let f = Arc::clone(&f);
        thread::spawn(move || f())
    };
    let handles: Vec<_> = (0..threads).map(spawn).collect();
    handles.into_iter().for_each(|handle| handle.join().unwrap());
}

fn end_round(yields: bool) {
    if yields {
        mazurka::hint::spin_loop();
    }
}

#[test]
fn values_that_do_not_end_a_loop_are_not_read() {
    for yields in [false, true] {
        runs(1, || {
            let x = Arc::new(AtomicUsize::new(0));
            let child = spawn_with(&x, |x| (1..=16).for_each(|value| x.store(value, SeqCst)));
            while x.load(SeqCst) != 16 {
                end_round(yields);
            }
            child.join().unwrap();
        });
    }
}

/// As many as there are orders of the tickets.
#[test]
fn a_ticket_lock_has_no_failed_iteration() {
    for (yields, threads, executions) in [(false, 3, 6), (true, 3, 6), (true, 4, 24)] {
        runs(executions, || {
            let (next, serving) = (AtomicUsize::new(0), AtomicUsize::new(0));
            several(threads, move || {
                let ticket = next.fetch_add(1, SeqCst);
                while serving.load(SeqCst) != ticket {
                    end_round(yields);
                }
                serving.store(ticket + 1, SeqCst);
            });
        });
    }
}

/// A lock may look whether it is free before it is tried again: as many as there are orders of the threads.
#[test]
fn a_lock_that_looks_before_it_tries_again_has_no_failed_iteration() {
    for (threads, executions) in [(2, 2), (3, 6), (4, 24)] {
        runs(executions, || {
            let lock = AtomicUsize::new(0);
            several(threads, move || {
                while lock.compare_exchange_weak(0, 1, SeqCst, SeqCst).is_err() {
                    while lock.load(SeqCst) != 0 {
                        mazurka::hint::spin_loop();
                    }
                }
                lock.store(0, SeqCst);
            });
        });
    }
}

/// The code may have a table of what to do at which value.
#[test]
fn a_loop_that_matches_waits() {
    let body = || {
        let x = Arc::new(AtomicUsize::new(0));
        let child = spawn_with(&x, |x| (1..=5).for_each(|value| x.store(value, SeqCst)));
        let end = loop {
            match x.load(SeqCst) {
                0 | 2 | 4 => mazurka::hint::spin_loop(),
                1 | 3 => {}
                5 => break "five",
                _ => unreachable!(),
            }
        };
        assert_eq!(end, "five");
        child.join().unwrap();
    };
    runs(1, body);
}

/// A loop ends at a value at which its exchange fails.
#[test]
fn an_exchange_that_gives_up_at_a_value_has_a_guard() {
    runs(2, || {
        let x = Arc::new(AtomicUsize::new(3));
        let child = spawn_with(&x, |x| (1..=3).for_each(|it| x.store([4, 5, 0][it - 1], SeqCst)));
        // It ends at 0 and at 5.
        loop {
            let result = x.compare_exchange(0, 1, SeqCst, SeqCst);
            if result.is_ok() | (result == Err(5)) {
                break;
            }
        }
        child.join().unwrap();
    });
}

/// What a loop of exchanges waits for is no lock: others may store there.
#[test]
fn an_exchange_in_a_loop_takes_no_lock() {
    for algorithm in [Algorithm::Naive, Algorithm::EmDpor] {
        let seen = std::sync::Mutex::new(BTreeSet::new());
        let verdict = Check::new().algorithm(algorithm).keep_going(true).run(|| {
            let x = Arc::new(AtomicUsize::new(0));
            let child = spawn_with(&x, |x| x.store(1, SeqCst));
            while x.compare_exchange(0, 2, SeqCst, SeqCst).is_err() {}
            x.store(0, SeqCst);
            child.join().unwrap();
            seen.lock().unwrap().insert(x.load(SeqCst));
        });
        assert_eq!(verdict.violations[0].kind, ViolationKind::Livelock, "{algorithm}");
        assert_eq!(*seen.lock().unwrap(), BTreeSet::from([0, 1]), "{algorithm}");
    }
}

/// Iterations that write to the heap are run: the first one, and then one for each value.
#[test]
fn iterations_that_count_on_the_heap_are_run() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        spawn_with(&x, |x| x.store(1, SeqCst));
        let mut rounds = std::hint::black_box(Box::new(0));
        while x.load(SeqCst) == 0 {
            *rounds += 1;
            mazurka::hint::spin_loop();
        }
        *rounds
    });
    assert_eq!(seen, BTreeSet::from([0, 1]));
}

#[test]
fn iterations_that_change_a_local_variable_are_run() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        spawn_with(&x, |x| (1..3).for_each(|value| x.store(value, SeqCst)));
        let last = Cell::new(9);
        std::hint::black_box(&last);
        loop {
            let now = x.load(SeqCst);
            if now == 2 {
                return last.get();
            }
            last.set(now);
        }
    });
    assert_eq!(seen, BTreeSet::from([0, 1, 9]));
}

/// The operand of an operation is a part of the state.
#[test]
fn an_operation_with_another_operand_is_another_one() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(1));
        spawn_with(&x, |x| x.store(0, SeqCst));
        let mut operand = 1;
        // Swaps 1 while it finds 1, and 2 while it finds that.
        while x.swap(operand, SeqCst) == operand {
            operand = 3 - operand;
        }
        operand
    });
    assert_eq!(seen, BTreeSet::from([1, 2]));
}

#[test]
fn a_wait_without_an_end_is_a_livelock_at_its_location() {
    for yields in [false, true] {
        let violation = violation(|| {
            let flag = Arc::new(AtomicUsize::new(0).with_label("flag"));
            spawn_with(&flag, |flag| (1..4).for_each(|value| flag.store(value, SeqCst)));
            while flag.load(SeqCst) != 7 {
                end_round(yields);
            }
        });
        assert_eq!(violation.kind, ViolationKind::Livelock);
        assert!(violation.message.contains("'main' spins until another thread changes `flag`"));
    }
}

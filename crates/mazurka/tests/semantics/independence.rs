//! Executions are independent of each other.

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize as StdUsize, Ordering::Relaxed};

use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka::{Algorithm, Check, ViolationKind, thread};

use super::{lost_update, outcomes, spawn_with, violation};

#[test]
fn statics_start_afresh() {
    static COUNTER: AtomicUsize = AtomicUsize::new(5);
    static FLAG: AtomicBool = AtomicBool::new(true);
    let seen = outcomes(|| {
        assert!(FLAG.swap(false, SeqCst));
        let child = thread::spawn(|| COUNTER.fetch_add(1, SeqCst));
        let mine = COUNTER.fetch_add(1, SeqCst);
        (mine, child.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(5, 6), (6, 5)]));
}

#[test]
fn thread_locals_start_afresh() {
    mazurka::thread_local! {
        static SEEN: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }
    let seen = outcomes(|| {
        let visit = || {
            SEEN.set(SEEN.get() + 1);
            mazurka::choose(2);
            SEEN.get()
        };
        let child = thread::spawn(visit);
        (visit(), child.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(1, 1)]));
}

#[test]
fn a_program_that_is_not_deterministic_is_told_apart() {
    static RUNS: StdUsize = StdUsize::new(0);
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).run(|| {
            let x = Arc::new(AtomicUsize::new(0));
            spawn_with(&x, |x| x.store(1, SeqCst));
            x.load(SeqCst);
            if RUNS.fetch_add(1, Relaxed).is_multiple_of(2) {
                x.store(2, SeqCst);
            } else {
                x.load(SeqCst);
            }
            x.load(SeqCst);
        });
        let [violation] = &verdict.violations[..] else { panic!("{algorithm}: {verdict:?}") };
        assert_eq!(violation.kind, ViolationKind::Nondeterminism, "{algorithm}");
        for part in ["both times", "the first time", "and now", "store", "load"] {
            assert!(violation.message.contains(part), "no \"{part}\" in\n{violation}");
        }
    }
}

#[test]
fn a_program_that_creates_other_threads_each_time_is_told_apart() {
    for keep_going in [false, true] {
        let runs = StdUsize::new(0);
        let verdict = Check::new().keep_going(keep_going).max_executions(100).run(|| {
            let x = Arc::new(AtomicUsize::new(0));
            for _ in 0..1 + (2 + 7 * runs.fetch_add(1, Relaxed)) % 5 {
                spawn_with(&x, |x| x.fetch_add(1, SeqCst));
            }
        });
        let kinds: BTreeSet<_> = verdict.violations.iter().map(|v| v.kind).collect();
        assert_eq!(kinds, BTreeSet::from([ViolationKind::Nondeterminism]), "{keep_going}");
    }
}

#[test]
fn a_check_inside_of_a_check_is_refused() {
    let violation = violation(|| mazurka::check(|| ()));
    assert_eq!(violation.kind, ViolationKind::Panic);
    assert!(violation.message.contains("inside of the closure of another check"), "{violation}");
}

#[test]
fn operations_outside_of_a_check_are_refused() {
    let error = catch_unwind(|| AtomicUsize::new(0).load(SeqCst)).unwrap_err();
    let message = error.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| error.downcast_ref::<&str>().copied()).unwrap();
    assert!(message.contains("check"), "{message}");
}

#[test]
fn checks_run_side_by_side_on_several_os_threads() {
    std::thread::scope(|s| {
        let checks: Vec<_> = (0..4).map(|_| s.spawn(|| Check::new().run(lost_update))).collect();
        for check in checks {
            assert_eq!(check.join().unwrap().violations.len(), 1);
        }
    });
}

#[test]
fn so_is_one_that_differs_only_where_the_search_goes_another_way() {
    let runs = StdUsize::new(0);
    let verdict = Check::new().run(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let y = Arc::clone(&x);
        let other = thread::spawn(move || y.store(1, SeqCst));
        // No step is taken twice: but the first one could not be, the second time.
        match runs.fetch_add(1, Relaxed) {
            0 => assert!(x.load(SeqCst) < 2),
            _ => x.store(2, SeqCst),
        }
        other.join().unwrap();
    });
    assert_eq!(verdict.violations[0].kind, ViolationKind::Nondeterminism);
    assert!(verdict.violations[0].message.contains("(nothing yet)"), "{:?}", verdict.violations);
}

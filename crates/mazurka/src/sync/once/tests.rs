use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize as StdUsize, Ordering::Relaxed};

use super::*;
use crate::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use crate::sync::testing::{count, outcomes, violation};
use crate::sync::{Arc, Mutex};
use crate::{Check, thread};

/// So many threads call so many times each.
fn callers(threads: usize, calls: usize) -> u64 {
    count(move || {
        let shared = Arc::new((Once::new(), StdUsize::new(0)));
        for _ in 0..threads {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                for _ in 0..calls {
                    shared.0.call_once(|| {
                        shared.1.fetch_add(1, Relaxed);
                    });
                    assert!(shared.0.is_completed());
                    assert_eq!(shared.1.load(Relaxed), 1);
                }
            });
        }
    })
}

#[test]
fn it_only_matters_who_is_the_first() {
    assert_eq!(callers(1, 1), 1);
    assert_eq!(callers(2, 1), 2);
    assert_eq!(callers(3, 1), 3);
    assert_eq!(callers(4, 1), 4);
    assert_eq!(callers(4, 3), 4);
}

#[test]
fn callers_wait_for_the_one_who_runs() {
    let (seen, violations) = outcomes(|| {
        let (once, x) = (Once::new(), AtomicUsize::new(0));
        thread::scope(|s| {
            let init = |value| {
                once.call_once(|| {
                    x.store(value, SeqCst);
                    x.store(value + 10, SeqCst);
                });
                x.load(SeqCst)
            };
            let other = s.spawn(move || init(1));
            let completed = once.is_completed();
            let mine = init(2);
            assert_eq!(mine, other.join().unwrap());
            (mine, completed)
        })
    });
    assert_eq!(seen, BTreeSet::from([(11, false), (11, true), (12, false)]));
    assert!(violations.is_empty());
}

#[test]
fn explorers_agree_where_somebody_only_looks() {
    let (seen, violations) = outcomes(|| {
        let (once, winner) = (Once::new(), StdUsize::new(0));
        thread::scope(|s| {
            let looks = s.spawn(|| (once.is_completed(), once.is_completed()));
            let first = s.spawn(|| once.call_once(|| winner.store(1, Relaxed)));
            once.call_once(|| winner.store(2, Relaxed));
            let before = once.is_completed();
            first.join().unwrap();
            (looks.join().unwrap(), before, winner.load(Relaxed))
        })
    });
    assert_eq!(seen.len(), 3 * 2, "{seen:?}");
    assert!(violations.is_empty());
}

#[test]
fn a_call_that_panics_poisons() {
    crate::check(|| {
        let once = Arc::new(Once::new());
        let theirs = Arc::clone(&once);
        assert!(thread::spawn(move || theirs.call_once(|| panic!("first"))).join().is_err());
        assert!(!once.is_completed());
        let theirs = Arc::clone(&once);
        assert!(thread::spawn(move || theirs.call_once(|| ())).join().is_err());
        let theirs = Arc::clone(&once);
        assert!(thread::spawn(move || theirs.wait()).join().is_err());
        once.call_once_force(|state| assert!(state.is_poisoned()));
        once.call_once_force(|_| unreachable!());
        once.call_once(|| unreachable!());
        assert!(once.is_completed());
        once.wait();
    });
    let message = violation(|| {
        let once = Arc::new(Once::new());
        let theirs = Arc::clone(&once);
        drop(thread::spawn(move || theirs.call_once(|| panic!("first"))).join());
        once.call_once(|| ());
    });
    assert!(message.contains("Once instance has previously been poisoned"), "{message}");
}

#[test]
fn a_caller_may_find_it_poisoned_or_make_it_so() {
    let (seen, violations) = outcomes(|| {
        let once = Once::new();
        thread::scope(|s| {
            let bad = s.spawn(|| once.call_once(|| panic!("no")));
            let waits = s.spawn(|| once.wait());
            let mut poisoned = None;
            once.call_once_force(|state| poisoned = Some(state.is_poisoned()));
            (poisoned, bad.join().is_err(), waits.join().is_err())
        })
    });
    let expected =
        [(Some(false), false, false), (Some(true), true, false), (Some(true), true, true)];
    assert_eq!(seen, BTreeSet::from(expected));
    assert!(violations.is_empty());
}

#[test]
fn to_call_it_in_its_own_call_is_a_deadlock() {
    let message = violation(|| {
        let once = Once::new().with_label("setup");
        once.call_once(|| once.call_once(|| ()));
    });
    assert!(message.contains("'main' waits for the end of another call on `setup`"), "{message}");
    assert!(message.contains("held by 'main' since "), "{message}");
    let message = violation(|| Once::new().wait());
    assert!(message.contains("'main' waits for a call to complete Once created at"), "{message}");
}

#[test]
fn a_waiter_waits_for_the_value() {
    let executions = count(|| {
        let cell = Arc::new(OnceLock::new());
        let theirs = Arc::clone(&cell);
        thread::spawn(move || theirs.set(7).unwrap());
        assert_eq!(*cell.wait(), 7);
    });
    assert_eq!(executions, 1);
}

#[test]
fn a_cell_is_set_once() {
    let (seen, violations) = outcomes(|| {
        let cell = OnceLock::new();
        thread::scope(|s| {
            let other = s.spawn(|| cell.set(String::from("theirs")));
            let early = cell.get().cloned();
            let mine = cell.set(String::from("mine")).is_ok();
            assert_eq!(other.join().unwrap().is_err(), mine);
            (early, mine, cell.get().cloned())
        })
    });
    let theirs = Some("theirs".to_owned());
    let expected = [
        (None, true, Some("mine".to_owned())),
        (None, false, theirs.clone()),
        (theirs.clone(), false, theirs),
    ];
    assert_eq!(seen, BTreeSet::from(expected));
    assert!(violations.is_empty());
}

#[test]
fn a_cell_is_as_that_of_std() {
    crate::check(|| {
        let mut cell = OnceLock::new();
        assert_eq!(cell, OnceLock::default());
        assert_eq!(cell.get(), None);
        assert_eq!(cell.get_mut(), None);
        assert_eq!(format!("{cell:?}"), "OnceLock(<uninit>)");
        assert_eq!(cell.get_or_init(|| 1), &1);
        assert_eq!(cell.set(2), Err(2));
        *cell.get_mut().unwrap() += 2;
        assert_eq!(cell.clone(), OnceLock::from(3));
        assert_eq!(format!("{cell:?}"), "OnceLock(3)");
        assert_eq!((cell.take(), cell.get().copied(), cell.take()), (Some(3), None, None));
        cell.set(4).unwrap();
        assert_eq!(cell.into_inner(), Some(4));
        // A panic leaves it empty, and not poisoned.
        let cell = Arc::new(OnceLock::<i32>::new());
        let theirs = Arc::clone(&cell);
        assert!(thread::spawn(move || *theirs.get_or_init(|| panic!("no"))).join().is_err());
        assert_eq!(cell.get(), None);
        assert_eq!(*cell.get_or_init(|| 5), 5);
    });
}

#[test]
fn values_are_dropped_once() {
    struct Counts<'a>(&'a StdUsize);
    impl Drop for Counts<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Relaxed);
        }
    }
    crate::check(|| {
        let drops = StdUsize::new(0);
        drop(OnceLock::from(Counts(&drops)));
        assert_eq!(drops.load(Relaxed), 1);
        let cell = OnceLock::from(Counts(&drops));
        drop(cell.into_inner());
        assert_eq!(drops.load(Relaxed), 2);
        let captured = Counts(&drops);
        let lazy = LazyLock::new(move || captured);
        drop(lazy);
        assert_eq!(drops.load(Relaxed), 3);
        let captured = Counts(&drops);
        let lazy = LazyLock::new(move || captured);
        LazyLock::force(&lazy);
        assert_eq!(drops.load(Relaxed), 3);
        drop(lazy);
        assert_eq!(drops.load(Relaxed), 4);
    });
}

static ONCE: Once = Once::new();
static CELL: OnceLock<Vec<u32>> = OnceLock::new();
static LAZY: LazyLock<Mutex<Vec<u32>>> = LazyLock::new(|| Mutex::new(vec![1]));

#[test]
fn statics_start_afresh_in_every_execution() {
    for algorithm in crate::Algorithm::ALL {
        Check::new().algorithm(algorithm).check(|| {
            assert!(!ONCE.is_completed());
            assert_eq!(CELL.get(), None);
            assert!(LazyLock::get(&LAZY).is_none());
            let use_all = || {
                ONCE.call_once(|| ());
                CELL.get_or_init(|| vec![3]);
                LAZY.lock().unwrap().push(2);
            };
            let other = thread::spawn(use_all);
            use_all();
            other.join().unwrap();
            assert_eq!(CELL.get().unwrap(), &[3]);
            assert_eq!(*LAZY.lock().unwrap(), [1, 2, 2]);
        });
    }
}

#[test]
fn a_cell_from_outside_keeps_what_it_was_made_with() {
    let full = OnceLock::from(String::from("full"));
    let empty = OnceLock::new();
    let executions = count(|| {
        crate::choose(3);
        assert_eq!(full.get().unwrap(), "full");
        empty.set(String::from("now full")).unwrap();
    });
    assert_eq!(executions, 3);
    assert_eq!(full.into_inner().unwrap(), "full");
    assert_eq!(empty.into_inner().unwrap(), "now full");
}

#[test]
fn what_an_execution_has_given_out_stays_valid() {
    static KEPT: std::sync::Mutex<Vec<&'static String>> = std::sync::Mutex::new(Vec::new());
    static CELL: OnceLock<String> = OnceLock::new();
    Check::new().check(|| {
        let n = crate::choose(3);
        KEPT.lock().unwrap().push(CELL.get_or_init(|| n.to_string()));
    });
    assert_eq!(*KEPT.lock().unwrap(), ["0", "1", "2"]);
}

#[test]
fn a_lazy_value_is_made_once_by_whoever_is_first() {
    let executions = count(|| {
        let made = Arc::new(StdUsize::new(0));
        let theirs = Arc::clone(&made);
        let lazy = Arc::new(LazyLock::new(move || theirs.fetch_add(1, Relaxed) + 7));
        for _ in 0..3 {
            let (lazy, made) = (Arc::clone(&lazy), Arc::clone(&made));
            thread::spawn(move || {
                assert_eq!((**lazy, **lazy), (7, 7));
                assert_eq!(made.load(Relaxed), 1);
            });
        }
    });
    assert_eq!(executions, 3);
    crate::check(|| {
        assert_eq!(*LazyLock::<u8>::default(), 0);
        let lazy = LazyLock::new(|| 5);
        assert_eq!(format!("{lazy:?}"), "LazyLock(<uninit>)");
        assert_eq!(*lazy, 5);
        assert_eq!(format!("{lazy:?}"), "LazyLock(5)");
    });
}

#[test]
fn a_lazy_value_that_cannot_be_made_is_poisoned() {
    let message = violation(|| {
        let lazy = Arc::new(LazyLock::<u32>::new(|| panic!("cannot")));
        let theirs = Arc::clone(&lazy);
        assert!(thread::spawn(move || **theirs).join().is_err());
        assert_eq!(**lazy, 1);
    });
    assert!(message.contains("LazyLock instance has previously been poisoned"), "{message}");
}

#[test]
fn a_closure_that_is_used_up_is_told_apart() {
    let text = String::from("once only");
    let lazy = LazyLock::new(move || text);
    let verdict = Check::new().keep_going(true).run(|| {
        crate::choose(2);
        assert_eq!(*lazy, "once only");
    });
    assert_eq!(verdict.violations.len(), 1);
    assert!(verdict.violations[0].message.contains("its closure is used up"));
}

#[test]
fn they_can_be_used_in_a_teardown() {
    struct Uses(Arc<(Once, OnceLock<u32>)>);
    impl Drop for Uses {
        fn drop(&mut self) {
            self.0.0.call_once(|| ());
            assert!(self.0.0.is_completed());
            assert_eq!(*self.0.1.get_or_init(|| 1), 1);
            assert_eq!(self.0.1.get(), Some(&1));
        }
    }
    let verdict = Check::new().keep_going(true).run(|| {
        let shared = Arc::new((Once::new(), OnceLock::new()));
        let theirs = Arc::clone(&shared);
        thread::spawn(move || {
            let _uses = Uses(Arc::clone(&theirs));
            theirs.0.call_once(|| thread::park());
        });
        let _uses = Uses(shared);
        thread::park();
    });
    assert_eq!(verdict.violations.len(), 1, "{verdict:#?}");
    assert!(!std::thread::panicking());
}

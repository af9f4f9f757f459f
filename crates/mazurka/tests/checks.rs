//! Whole checks: what they find, and what they count.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex as StdMutex};

use mazurka::cell::UnsafeCell;
use mazurka::sync::Mutex;
use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka::{Algorithm, Check, ViolationKind, thread};

/// The explorers that see every outcome.
const EXACT: [Algorithm; 4] =
    [Algorithm::Naive, Algorithm::Dpor, Algorithm::Source, Algorithm::Optimal];

/// Every value that `f` returns under some schedule.
fn outcomes<T: Ord + Send>(algorithm: Algorithm, f: impl Fn() -> T + Send + Sync) -> BTreeSet<T> {
    let seen = StdMutex::new(BTreeSet::new());
    let verdict = Check::new().algorithm(algorithm).run(|| {
        let outcome = f();
        seen.lock().unwrap().insert(outcome);
    });
    assert!(verdict.violations.is_empty(), "{:?}", verdict.violations);
    assert!(verdict.is_complete());
    seen.into_inner().unwrap()
}

#[test]
fn a_lost_update_is_found_by_every_explorer() {
    for algorithm in EXACT {
        let seen = outcomes(algorithm, || {
            let x = AtomicUsize::new(0);
            thread::scope(|s| {
                for _ in 0..2 {
                    s.spawn(|| x.store(x.load(SeqCst) + 1, SeqCst));
                }
            });
            x.into_inner()
        });
        assert_eq!(seen, BTreeSet::from([1, 2]), "{algorithm}");
    }
}

#[test]
fn store_buffering_shows_no_outcome_that_sequential_consistency_forbids() {
    for algorithm in EXACT {
        let seen = outcomes(algorithm, || {
            let (x, y) = (AtomicUsize::new(0), AtomicUsize::new(0));
            thread::scope(|s| {
                let a = s.spawn(|| {
                    x.store(1, SeqCst);
                    y.load(SeqCst)
                });
                let b = s.spawn(|| {
                    y.store(1, SeqCst);
                    x.load(SeqCst)
                });
                (a.join().unwrap(), b.join().unwrap())
            })
        });
        assert_eq!(seen, BTreeSet::from([(0, 1), (1, 0), (1, 1)]), "{algorithm}");
    }
}

#[test]
fn a_try_lock_can_fail_and_succeed() {
    for algorithm in EXACT {
        let seen = outcomes(algorithm, || {
            let lock = Mutex::new(0);
            thread::scope(|s| {
                s.spawn(|| *lock.lock().unwrap() += 1);
                lock.try_lock().is_ok()
            })
        });
        assert_eq!(seen, BTreeSet::from([false, true]), "{algorithm}");
    }
}

#[test]
fn a_spin_lock_is_explored_to_its_end() {
    for algorithm in EXACT {
        let seen = outcomes(algorithm, || {
            let (locked, x) = (AtomicBool::new(false), AtomicUsize::new(0));
            thread::scope(|s| {
                for _ in 0..2 {
                    s.spawn(|| {
                        while locked.swap(true, SeqCst) {
                            mazurka::hint::spin_loop();
                        }
                        x.store(x.load(SeqCst) + 1, SeqCst);
                        locked.store(false, SeqCst);
                    });
                }
            });
            x.into_inner()
        });
        assert_eq!(seen, BTreeSet::from([2]), "{algorithm}");
    }
}

#[test]
fn whether_a_thread_has_finished_depends_on_the_schedule() {
    for algorithm in EXACT {
        let seen = outcomes(algorithm, || {
            let x = Arc::new(AtomicUsize::new(0));
            let theirs = Arc::clone(&x);
            let child = thread::spawn(move || theirs.store(1, SeqCst));
            let finished = child.is_finished();
            child.join().unwrap();
            finished
        });
        assert_eq!(seen, BTreeSet::from([false, true]), "{algorithm}");
    }
}

#[test]
fn polling_for_the_end_of_a_thread_comes_to_an_end() {
    let seen = outcomes(Algorithm::Optimal, || {
        let child = thread::spawn(|| AtomicUsize::new(0).store(1, SeqCst));
        while !child.is_finished() {
            thread::yield_now();
        }
    });
    assert_eq!(seen.len(), 1);
}

#[test]
fn a_park_with_a_timeout_may_time_out() {
    let seen = outcomes(Algorithm::Optimal, || {
        let flag = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&flag);
        let main = thread::current();
        let child = thread::spawn(move || {
            theirs.store(true, SeqCst);
            main.unpark();
        });
        thread::park_timeout(std::time::Duration::from_secs(1));
        let set = flag.load(SeqCst);
        child.join().unwrap();
        set
    });
    assert_eq!(seen, BTreeSet::from([false, true]));
}

#[test]
fn to_park_for_ever_is_a_deadlock() {
    let verdict = Check::new().run(thread::park);
    assert_eq!(verdict.violations[0].kind, ViolationKind::Deadlock);
    assert!(verdict.violations[0].message.contains("unpark"), "{}", verdict.violations[0]);
}

#[test]
fn a_weak_compare_exchange_fails_for_no_reason_only_if_asked_to() {
    let body = || {
        let x = AtomicUsize::new(0);
        assert!(x.compare_exchange_weak(0, 1, SeqCst, SeqCst).is_ok());
    };
    assert!(Check::new().run(body).violations.is_empty());
    let verdict = Check::new().spurious_failures(true).run(body);
    assert_eq!(verdict.violations.len(), 1);
}

struct Racy(UnsafeCell<u32>);
// SAFETY: not safe at all, which is the point.
unsafe impl Sync for Racy {}

#[test]
fn a_data_race_is_found() {
    let verdict = Check::new().run(|| {
        let cell = Racy(UnsafeCell::new(0));
        let cell = &cell;
        thread::scope(|s| {
            // SAFETY: none; but only one thread runs at a time.
            s.spawn(move || cell.0.with_mut(|x| unsafe { *x += 1 }));
            // SAFETY: as above.
            cell.0.with(|x| unsafe { *x })
        });
    });
    assert_eq!(verdict.violations[0].kind, ViolationKind::DataRace);
}

#[test]
fn a_failing_schedule_can_be_replayed() {
    let body = || {
        let x = AtomicUsize::new(0);
        let by = mazurka::choose(3);
        thread::scope(|s| {
            s.spawn(|| x.fetch_add(by, SeqCst));
            assert_ne!(x.load(SeqCst), 2);
        });
    };
    let verdict = Check::new().run(body);
    let schedule = verdict.violations[0].schedule.to_string();
    let again = Check::new().replay(&schedule).run(body);
    assert_eq!(again.violations.len(), 1);
    assert_eq!(again.violations[0].message, verdict.violations[0].message);
    assert_eq!(again.violations[0].schedule, verdict.violations[0].schedule);
    let wrong = Check::new().replay("0-7").run(body);
    assert!(wrong.violations[0].message.contains("does not fit"), "{:?}", wrong.violations);
}

#[test]
fn a_program_that_fails_at_once_is_reported() {
    let verdict = Check::new().run(|| panic!("at once"));
    assert!(verdict.violations[0].message.contains("at once"));
    assert_eq!(verdict.executions, 1);
}

#[test]
fn a_deadlock_has_one_message_whatever_thread_was_created_first() {
    let verdict = Check::new().algorithm(Algorithm::Naive).keep_going(true).run(|| {
        let thread = |name: &'static str| thread::Builder::new().name(name.to_owned());
        let x = Arc::new(AtomicUsize::new(0));
        for (outer, inner) in [("a", "b"), ("c", "d")] {
            let x = x.clone();
            let creates = move || {
                x.fetch_add(1, SeqCst);
                thread(inner).spawn(thread::park).unwrap();
            };
            thread(outer).spawn(creates).unwrap();
        }
    });
    assert_eq!((verdict.executions, verdict.violations.len()), (2, 1), "{verdict:?}");
}

#[test]
fn keep_going_finds_them_all() {
    let verdict = Check::new().keep_going(true).run(|| {
        let n = mazurka::choose(4);
        assert!(n.is_multiple_of(2), "{n} is odd");
    });
    assert_eq!(verdict.violations.len(), 2);
    assert_eq!(verdict.executions, 4);
}

#[test]
#[should_panic(expected = "inside of the closure of another check")]
fn a_check_cannot_be_inside_of_a_check() {
    mazurka::check(|| mazurka::check(|| ()));
}

#[test]
#[should_panic(expected = "only inside of `mazurka::check`")]
fn primitives_work_only_inside_of_a_check() {
    AtomicUsize::new(0).load(SeqCst);
}

#[test]
#[should_panic(expected = "MAZURKA_REPLAY=")]
fn a_failed_check_says_how_to_see_it_again() {
    mazurka::check(|| {
        let x = AtomicUsize::new(0);
        thread::scope(|s| {
            s.spawn(|| x.store(1, SeqCst));
            assert_eq!(x.load(SeqCst), 0);
        });
    });
}

/// While one check uses a static, another one ends that has used it before.
#[test]
fn a_static_keeps_its_value_when_another_check_ends() {
    static X: AtomicUsize = AtomicUsize::new(0);
    let (touched, has_touched) = std::sync::mpsc::channel();
    let (end, must_end) = std::sync::mpsc::channel();
    let ends = StdMutex::new((touched, must_end));
    let other = std::thread::spawn(move || {
        mazurka::check(|| {
            X.load(SeqCst);
            let (touched, must_end) = &*ends.lock().unwrap();
            touched.send(()).unwrap();
            must_end.recv().unwrap();
        });
    });
    has_touched.recv().unwrap();
    let other = StdMutex::new(Some((other, end)));
    mazurka::check(|| {
        X.store(1, SeqCst);
        if let Some((other, end)) = other.lock().unwrap().take() {
            end.send(()).unwrap();
            other.join().unwrap();
        }
        assert_eq!(X.load(SeqCst), 1);
    });
}

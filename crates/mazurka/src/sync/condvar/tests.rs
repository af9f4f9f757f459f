use std::collections::BTreeSet;
use std::time::Duration;

use super::*;
use crate::sync::Arc;
use crate::sync::testing::{count, outcomes, outcomes_of, violation};
use crate::{Check, thread};

const SOON: Duration = Duration::from_millis(1);

fn none() -> BTreeSet<String> {
    BTreeSet::new()
}

fn deadlock() -> BTreeSet<String> {
    BTreeSet::from(["Deadlock".to_owned()])
}

#[test]
fn a_waiter_finds_it_done_or_is_notified() {
    let executions = count(|| {
        let shared = Arc::new((Mutex::new(false), Condvar::new()));
        let theirs = Arc::clone(&shared);
        let other = thread::spawn(move || {
            *theirs.0.lock().unwrap() = true;
            theirs.1.notify_one();
        });
        let guard = shared.1.wait_while(shared.0.lock().unwrap(), |ready| !*ready).unwrap();
        assert!(*guard);
        drop(guard);
        other.join().unwrap();
    });
    // The first one to lock decides.
    assert_eq!(executions, 2);
}

#[test]
fn a_notification_that_comes_too_early_is_lost() {
    let (_, violations) = outcomes(|| {
        let shared = (Mutex::new(()), Condvar::new());
        thread::scope(|s| {
            s.spawn(|| shared.1.notify_one());
            drop(shared.1.wait(shared.0.lock().unwrap()));
        });
    });
    assert_eq!(violations, deadlock());
}

#[test]
fn who_waits_for_ever_is_named() {
    let message = violation(|| {
        let mutex = Mutex::new(());
        let condvar = Condvar::new().with_label("changed");
        drop(condvar.wait(mutex.lock().unwrap()));
    });
    assert!(message.contains("'main' waits for a notification on `changed` ("), "{message}");
}

/// Two wait until they get a token; which of them is woken first, and in which order they go on.
fn tokens(all: bool) -> (BTreeSet<(u32, u32)>, BTreeSet<String>) {
    outcomes(move || {
        let tokens = Mutex::new(0);
        let turn = Mutex::new(0);
        let condvar = Condvar::new();
        thread::scope(|s| {
            let take = || {
                let mut guard = condvar.wait_while(tokens.lock().unwrap(), |n| *n == 0).unwrap();
                *guard -= 1;
                let mut turn = turn.lock().unwrap();
                *turn += 1;
                *turn
            };
            let a = s.spawn(take);
            let b = s.spawn(take);
            *tokens.lock().unwrap() += 2;
            match all {
                true => condvar.notify_all(),
                false => {
                    condvar.notify_one();
                    condvar.notify_one();
                }
            }
            (a.join().unwrap(), b.join().unwrap())
        })
    })
}

#[test]
fn any_waiter_may_be_the_first() {
    let both = BTreeSet::from([(1, 2), (2, 1)]);
    assert_eq!(tokens(false), (both.clone(), none()));
    assert_eq!(tokens(true), (both, none()));
}

#[test]
fn one_notification_wakes_one_of_two() {
    let (_, violations) = outcomes(|| {
        let shared = (Mutex::new(false), Condvar::new());
        thread::scope(|s| {
            let wait = || drop(shared.1.wait_while(shared.0.lock().unwrap(), |ready| !*ready));
            s.spawn(wait);
            s.spawn(wait);
            *shared.0.lock().unwrap() = true;
            shared.1.notify_one();
        });
    });
    assert_eq!(violations, deadlock());
}

#[test]
fn who_is_woken_is_a_choice() {
    // Both wait before the notification, in two orders of locking; then either is woken.
    let verdict = Check::new().keep_going(true).algorithm(crate::Algorithm::Optimal).run(|| {
        let shared = Arc::new((Mutex::new(0), Condvar::new()));
        let wait = |shared: &Arc<(Mutex<u32>, Condvar)>| {
            let shared = Arc::clone(shared);
            thread::spawn(move || {
                let mut guard = shared.0.lock().unwrap();
                *guard += 1;
                drop(shared.1.wait(guard));
            })
        };
        let _waiters = [wait(&shared), wait(&shared)];
        let count = shared.0.lock().unwrap();
        crate::assume(*count == 2);
        drop(count);
        shared.1.notify_one();
    });
    assert_eq!(verdict.executions, 2 * 2);
    assert!(verdict.violations.iter().all(|v| v.kind == crate::ViolationKind::Deadlock));
}

#[test]
fn a_timeout_may_come_or_not() {
    let (seen, violations) = outcomes(|| {
        let shared = (Mutex::new(false), Condvar::new());
        thread::scope(|s| {
            s.spawn(|| {
                *shared.0.lock().unwrap() = true;
                shared.1.notify_one();
            });
            let (guard, result) = shared.1.wait_timeout(shared.0.lock().unwrap(), SOON).unwrap();
            (*guard, result.timed_out())
        })
    });
    // Once it is woken, it is so because it is ready; if not, it may be ready all the same.
    assert_eq!(seen, BTreeSet::from([(false, true), (true, false), (true, true)]));
    assert_eq!(violations, none());
}

#[test]
fn a_wait_for_a_condition_may_time_out() {
    let (seen, violations) = outcomes(|| {
        let shared = (Mutex::new(0), Condvar::new());
        thread::scope(|s| {
            let add = || {
                *shared.0.lock().unwrap() += 1;
                shared.1.notify_all();
            };
            s.spawn(add);
            s.spawn(add);
            let guard = shared.0.lock().unwrap();
            let (guard, result) = shared.1.wait_timeout_while(guard, SOON, |n| *n < 2).unwrap();
            (*guard, result.timed_out())
        })
    });
    assert_eq!(seen, BTreeSet::from([(0, true), (1, true), (2, false)]));
    assert_eq!(violations, none());
}

#[test]
fn a_notification_goes_to_one_who_waits_with_or_without_a_timeout() {
    let (seen, violations) = outcomes(|| {
        let shared = (Mutex::new(()), Condvar::new());
        thread::scope(|s| {
            let timed = s.spawn(|| {
                let guard = shared.0.lock().unwrap();
                shared.1.wait_timeout(guard, SOON).unwrap().1.timed_out()
            });
            let endless = s.spawn(|| drop(shared.1.wait(shared.0.lock().unwrap())));
            shared.1.notify_one();
            let timed_out = timed.join().unwrap();
            shared.1.notify_all();
            endless.join().unwrap();
            timed_out
        })
    });
    assert_eq!(seen, BTreeSet::from([false, true]));
    assert_eq!(violations, deadlock());
}

fn wakes(check: &Check) -> (BTreeSet<bool>, BTreeSet<String>) {
    outcomes_of(check, || {
        let shared = (Mutex::new(false), Condvar::new());
        thread::scope(|s| {
            s.spawn(|| {
                *shared.0.lock().unwrap() = true;
                shared.1.notify_one();
            });
            let guard = shared.0.lock().unwrap();
            if *guard {
                return true;
            }
            *shared.1.wait(guard).unwrap()
        })
    })
}

#[test]
fn a_waiter_wakes_for_no_reason_only_if_asked_for() {
    assert_eq!(wakes(&Check::new()), (BTreeSet::from([true]), none()));
    let spurious = Check::new().spurious_wakeups(true);
    assert_eq!(wakes(&spurious), (BTreeSet::from([false, true]), none()));
}

#[test]
fn a_loop_around_a_wait_ends_in_spite_of_waking_for_no_reason() {
    let (_, violations) = outcomes_of(&Check::new().spurious_wakeups(true), || {
        let shared = (Mutex::new(false), Condvar::new());
        thread::scope(|s| {
            s.spawn(|| {
                *shared.0.lock().unwrap() = true;
                shared.1.notify_all();
            });
            drop(shared.1.wait_while(shared.0.lock().unwrap(), |ready| !*ready).unwrap());
        });
    });
    assert_eq!(violations, none());
    // To be woken for no reason does not hide that nobody does it for a reason.
    let (_, violations) = outcomes_of(&Check::new().spurious_wakeups(true), || {
        let shared = (Mutex::new(()), Condvar::new());
        drop(shared.1.wait(shared.0.lock().unwrap()));
    });
    assert_eq!(violations, deadlock());
}

#[test]
fn two_mutexes_are_refused() {
    let message = violation(|| {
        let (a, b, condvar) = (Mutex::new(()), Mutex::new(()), Condvar::new());
        drop(condvar.wait_timeout(a.lock().unwrap(), SOON));
        drop(condvar.wait_timeout(b.lock().unwrap(), SOON));
    });
    assert!(message.contains("a condition variable with two mutexes"), "{message}");
}

#[test]
fn a_waiter_learns_of_poison() {
    let (seen, violations) = outcomes(|| {
        let shared = (Mutex::new(()), Condvar::new());
        thread::scope(|s| {
            let other = s.spawn(|| {
                let _guard = shared.0.lock();
                shared.1.notify_one();
                panic!("with the lock held");
            });
            let guard = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
            let poisoned = match shared.1.wait_timeout(guard, SOON) {
                Ok((_, result)) => (false, result.timed_out()),
                Err(error) => (true, error.get_ref().1.timed_out()),
            };
            let _ = other.join();
            poisoned
        })
    });
    assert_eq!(seen, BTreeSet::from([(false, true), (true, false), (true, true)]));
    assert_eq!(violations, none());
}

#[test]
fn it_can_be_used_in_a_teardown() {
    struct Waits(Arc<(Mutex<bool>, Condvar)>);
    impl Drop for Waits {
        fn drop(&mut self) {
            let guard = self.0.0.lock().unwrap();
            let guard = self.0.1.wait_while(guard, |ready| !*ready).unwrap();
            drop(self.0.1.wait_timeout(guard, SOON));
            self.0.1.notify_all();
        }
    }
    let verdict = Check::new().keep_going(true).run(|| {
        let shared = Arc::new((Mutex::new(false), Condvar::new()));
        let theirs = Arc::clone(&shared);
        let _waits = Waits(Arc::clone(&shared));
        thread::spawn(move || {
            let _waits = Waits(Arc::clone(&theirs));
            drop(theirs.1.wait(theirs.0.lock().unwrap()));
        });
        drop(shared.1.wait(shared.0.lock().unwrap()));
    });
    assert_eq!(verdict.violations.len(), 1);
    assert!(!std::thread::panicking());
}

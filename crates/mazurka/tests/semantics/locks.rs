//! Locks, tokens and choices.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Mutex, TryLockError};
use mazurka::{Algorithm, Check, thread};

use super::{outcomes, outcomes_of, spawn_with};

#[test]
fn try_lock_can_fail_and_succeed() {
    let seen = outcomes(|| {
        let lock = Arc::new(Mutex::new(0));
        let child = spawn_with(&lock, |lock| *lock.lock().unwrap() += 1);
        let seen = match lock.try_lock() {
            Ok(guard) => Some(*guard),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Poisoned(_)) => unreachable!(),
        };
        child.join().unwrap();
        seen
    });
    assert_eq!(seen, BTreeSet::from([None, Some(0), Some(1)]));
}

#[test]
fn two_try_locks_cannot_both_fail() {
    let seen = outcomes(|| {
        let lock = Arc::new(Mutex::new(()));
        let child = spawn_with(&lock, |lock| lock.try_lock().is_ok());
        let mine = lock.try_lock().is_ok();
        (mine, child.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(true, true), (true, false), (false, true)]));
}

#[test]
fn park_timeout_comes_back_before_and_after() {
    let seen = outcomes(|| {
        let done = Arc::new(AtomicBool::new(false));
        let main = thread::current();
        let child = spawn_with(&done, move |done| {
            done.store(true, SeqCst);
            main.unpark();
        });
        thread::park_timeout(Duration::from_secs(1));
        let seen = done.load(SeqCst);
        child.join().unwrap();
        seen
    });
    assert_eq!(seen, BTreeSet::from([false, true]));
}

#[test]
fn a_token_is_there_once() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let main = thread::current();
        let child = spawn_with(&x, move |x| {
            x.store(1, SeqCst);
            main.unpark();
            main.unpark();
        });
        thread::park();
        let seen = x.load(SeqCst);
        child.join().unwrap();
        seen
    });
    assert_eq!(seen, BTreeSet::from([1]));
}

#[test]
fn weak_compare_exchange_fails_for_no_reason_if_asked_to() {
    let body = || {
        let x = AtomicUsize::new(1);
        let swapped = x.compare_exchange_weak(1, 2, SeqCst, SeqCst);
        let strong = x.compare_exchange(swapped.map_or(1, |_| 2), 3, SeqCst, SeqCst);
        (swapped, strong.is_ok(), x.load(SeqCst))
    };
    assert_eq!(outcomes(body), BTreeSet::from([(Ok(1), true, 3)]));
    let seen = outcomes_of(&Check::new().spurious_failures(true), body);
    assert_eq!(seen, BTreeSet::from([(Ok(1), true, 3), (Err(1), true, 3)]));
}

#[test]
fn every_choice_is_explored_in_every_order() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let child = spawn_with(&x, |x| x.store(10 * (1 + mazurka::choose(3)), SeqCst));
        let chosen = mazurka::choose(2);
        let seen = x.load(SeqCst);
        child.join().unwrap();
        (chosen, seen)
    });
    let expected = (0..2).flat_map(|chosen| [0, 10, 20, 30].map(|seen| (chosen, seen)));
    assert_eq!(seen, expected.collect());
    let verdict = Check::new().algorithm(Algorithm::Optimal).run(|| {
        mazurka::choose(3);
        mazurka::choose(2);
    });
    assert_eq!((verdict.executions, verdict.is_complete()), (6, true));
}

#[test]
fn a_failed_assumption_is_not_a_failure() {
    let verdict = Check::new().run(|| {
        let chosen = mazurka::choose(4);
        mazurka::assume(chosen > 0);
        assert_ne!(chosen, 0);
    });
    assert_eq!((verdict.executions, verdict.blocked), (3, 1));
    assert!(verdict.violations.is_empty() && verdict.is_complete());
}

/// A check that starts over replaces its machine, and both use the static.
#[test]
fn a_check_that_starts_over_may_use_statics() {
    static LOCK: Mutex<()> = Mutex::new(());
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).run(|| {
            drop(LOCK.lock());
            let other = thread::spawn(|| drop(LOCK.lock()));
            // From now on the end of a thread is a step.
            other.is_finished();
            other.join().unwrap();
        });
        assert_eq!(verdict.violations, [], "{algorithm}");
        assert!(!verdict.restarts.is_empty(), "{algorithm}");
    }
}

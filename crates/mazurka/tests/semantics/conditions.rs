//! Condition variables, and what else threads wait for.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Barrier, Condvar, Mutex, Once, OnceLock, RwLock, TryLockError};
use mazurka::thread::{self, JoinHandle};
use mazurka::{Check, ViolationKind};

use super::{named, outcomes, outcomes_of, spawn_with, violation};

type Flag = (Mutex<bool>, Condvar);

fn flag() -> Arc<Flag> {
    Arc::new((Mutex::new(false), Condvar::new()))
}

fn set((ready, changed): &Flag) {
    *ready.lock().unwrap() = true;
    changed.notify_one();
}

#[test]
fn a_wait_that_looks_first_is_not_missed() {
    let seen = outcomes(|| {
        let flag = flag();
        let child = spawn_with(&flag, set);
        let (ready, changed) = &*flag;
        let mut waits = 0;
        let mut guard = ready.lock().unwrap();
        while !*guard {
            waits += 1;
            guard = changed.wait(guard).unwrap();
        }
        drop(guard);
        child.join().unwrap();
        waits
    });
    assert_eq!(seen, BTreeSet::from([0, 1]));
}

#[test]
fn a_wait_that_does_not_look_is_missed() {
    let violation = violation(|| {
        let flag = flag();
        spawn_with(&flag, set);
        named("waiter", &flag, |(ready, changed)| {
            let guard = ready.lock().unwrap();
            drop(changed.wait(guard));
        });
    });
    assert_eq!(violation.kind, ViolationKind::Deadlock);
    assert!(violation.message.contains("'waiter' waits for a notification"), "{violation}");
}

#[test]
fn wait_timeout_can_time_out_or_be_notified() {
    let seen = outcomes(|| {
        let flag = flag();
        let child = spawn_with(&flag, set);
        let (ready, changed) = &*flag;
        let guard = ready.lock().unwrap();
        let (guard, result) = changed.wait_timeout(guard, Duration::from_secs(1)).unwrap();
        let seen = (result.timed_out(), *guard);
        drop(guard);
        child.join().unwrap();
        seen
    });
    assert_eq!(seen, BTreeSet::from([(true, false), (true, true), (false, true)]));
}

#[test]
fn wait_timeout_ends_although_nobody_notifies() {
    let seen = outcomes(|| {
        let (ready, changed) = &*flag();
        let guard = ready.lock().unwrap();
        let (guard, result) =
            changed.wait_timeout_while(guard, Duration::from_secs(1), |ready| !*ready).unwrap();
        (result.timed_out(), *guard)
    });
    assert_eq!(seen, BTreeSet::from([(true, false)]));
}

struct Crowd {
    /// How many wait or have waited.
    waiting: Mutex<usize>,
    changed: Condvar,
    /// Who was woken first.
    first: AtomicUsize,
}

/// Two threads that wait, both of them when this returns.
fn crowd() -> (Arc<Crowd>, [JoinHandle<()>; 2]) {
    let crowd = Arc::new(Crowd {
        waiting: Mutex::new(0),
        changed: Condvar::new(),
        first: AtomicUsize::new(0),
    });
    let threads = [1, 2].map(|me| {
        spawn_with(&crowd, move |crowd| {
            let mut waiting = crowd.waiting.lock().unwrap();
            *waiting += 1;
            drop(crowd.changed.wait(waiting));
            let _ = crowd.first.compare_exchange(0, me, SeqCst, SeqCst);
        })
    });
    mazurka::assume(*crowd.waiting.lock().unwrap() == 2);
    (crowd, threads)
}

#[test]
fn a_notification_wakes_any_one() {
    let seen = outcomes(|| {
        let (crowd, threads) = crowd();
        crowd.changed.notify_one();
        while crowd.first.load(SeqCst) == 0 {
            thread::yield_now();
        }
        let first = crowd.first.load(SeqCst);
        crowd.changed.notify_one();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        first
    });
    assert_eq!(seen, BTreeSet::from([1, 2]));
}

#[test]
fn a_notification_wakes_only_one() {
    let violation = violation(|| {
        let (crowd, _threads) = crowd();
        crowd.changed.notify_one();
    });
    assert_eq!(violation.kind, ViolationKind::Deadlock);
    assert_eq!(violation.message.matches("waits for a notification").count(), 1, "{violation}");
}

#[test]
fn a_notification_to_all_wakes_all() {
    let seen = outcomes(|| {
        let (crowd, threads) = crowd();
        crowd.changed.notify_all();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        crowd.first.load(SeqCst)
    });
    assert_eq!(seen, BTreeSet::from([1, 2]));
}

#[test]
fn waiters_wake_for_no_reason_if_asked_to() {
    let body = || {
        let flag = flag();
        let child = spawn_with(&flag, set);
        let (ready, changed) = &*flag;
        let guard = ready.lock().unwrap();
        if *guard {
            return None;
        }
        let guard = changed.wait(guard).unwrap();
        let seen = *guard;
        drop(guard);
        child.join().unwrap();
        Some(seen)
    };
    assert_eq!(outcomes(body), BTreeSet::from([None, Some(true)]));
    let seen = outcomes_of(&Check::new().spurious_wakeups(true), body);
    assert_eq!(seen, BTreeSet::from([None, Some(false), Some(true)]));
}

#[test]
fn readers_share_and_writers_do_not() {
    let seen = outcomes(|| {
        let lock = Arc::new(RwLock::new(0));
        let reader = spawn_with(&lock, |lock| {
            let guard = lock.read().unwrap();
            // Another reader does not matter, a writer does.
            (*guard, lock.try_read().is_ok())
        });
        let writer = spawn_with(&lock, |lock| *lock.write().unwrap() += 1);
        let tried = match lock.try_write() {
            Ok(guard) => Some(*guard),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Poisoned(_)) => unreachable!(),
        };
        writer.join().unwrap();
        (reader.join().unwrap(), tried)
    });
    let expected = [(0, None), (0, Some(0)), (0, Some(1)), (1, None), (1, Some(0)), (1, Some(1))];
    assert_eq!(seen, expected.map(|(read, tried)| ((read, true), tried)).into());
}

#[test]
fn a_barrier_has_one_leader_and_lets_nobody_through_early() {
    let seen = outcomes(|| {
        let shared = Arc::new((Barrier::new(2), AtomicUsize::new(0)));
        let pass = |(barrier, arrived): &(Barrier, AtomicUsize)| {
            arrived.fetch_add(1, SeqCst);
            let leads = barrier.wait().is_leader();
            assert_eq!(arrived.load(SeqCst), 2);
            leads
        };
        let child = spawn_with(&shared, pass);
        (pass(&shared), child.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(true, false), (false, true)]));
}

#[test]
fn what_is_done_once_is_done_by_anybody() {
    let seen = outcomes(|| {
        let shared = Arc::new((Once::new(), AtomicUsize::new(0), OnceLock::new()));
        let visit = |(once, calls, cell): &(Once, AtomicUsize, OnceLock<usize>), me: usize| {
            once.call_once(|| {
                calls.fetch_add(1, SeqCst);
            });
            assert_eq!(calls.load(SeqCst), 1);
            *cell.get_or_init(|| me)
        };
        let child = spawn_with(&shared, move |shared| visit(shared, 1));
        let mine = visit(&shared, 0);
        assert_eq!(mine, child.join().unwrap());
        mine
    });
    assert_eq!(seen, BTreeSet::from([0, 1]));
}

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

/// A thread that waits, and says so: waiting, woken.
fn waiter(shared: &Arc<(Mutex<[usize; 2]>, Condvar)>) -> JoinHandle<()> {
    spawn_with(shared, |(state, changed)| {
        let mut guard = state.lock().unwrap();
        guard[0] += 1;
        guard = changed.wait(guard).unwrap();
        guard[1] += 1;
    })
}

#[test]
fn one_notification_wakes_one() {
    let seen = outcomes(|| {
        let shared = Arc::new((Mutex::new([0, 0]), Condvar::new()));
        let (first, second) = (waiter(&shared), waiter(&shared));
        let (state, changed) = &*shared;
        let waiting = state.lock().unwrap()[0];
        changed.notify_one();
        // Whoever still waits.
        let woken = first.is_finished() as usize + second.is_finished() as usize;
        assert!(woken <= 1 && woken <= waiting);
        // In the end both must go.
        mazurka::assume(state.lock().unwrap()[0] == 2);
        changed.notify_all();
        first.join().unwrap();
        second.join().unwrap();
        (waiting, woken)
    });
    // A waiter that announces itself holds the lock until it waits.
    assert_eq!(seen, BTreeSet::from([(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]));
}

#[test]
fn a_notification_wakes_any_of_those_that_wait() {
    let seen = outcomes(|| {
        let shared = Arc::new((Mutex::new([0, 0]), Condvar::new()));
        let threads = [waiter(&shared), waiter(&shared)];
        let (state, changed) = &*shared;
        mazurka::assume(state.lock().unwrap()[0] == 2);
        changed.notify_one();
        while state.lock().unwrap()[1] == 0 {
            thread::yield_now();
        }
        let woken = threads.each_ref().map(JoinHandle::is_finished);
        changed.notify_all();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        woken
    });
    assert!(seen.contains(&[true, false]) && seen.contains(&[false, true]), "{seen:?}");
    assert!(!seen.contains(&[true, true]), "{seen:?}");
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
            once.call_once(|| drop(calls.fetch_add(1, SeqCst)));
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

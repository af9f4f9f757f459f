//! Panics.

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize as StdUsize, Ordering::Relaxed};

use mazurka::sync::Mutex;
use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::{Check, ViolationKind, thread};

use super::{outcomes, spawn_with, violation};

#[test]
fn a_childs_panic_is_what_join_returns() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let child = spawn_with(&x, |x| {
            if x.load(SeqCst) == 1 {
                panic!("it was 1");
            }
            7
        });
        x.store(1, SeqCst);
        child.join().map_err(|payload| *payload.downcast::<&str>().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([Ok(7), Err("it was 1")]));
}

#[test]
fn a_panic_of_a_scoped_thread_is_its_scopes() {
    let seen = outcomes(|| {
        thread::scope(|s| s.spawn(|| panic!("joined")).join().is_err())
            && catch_unwind(|| thread::scope(|s| drop(s.spawn(|| panic!("not joined"))))).is_err()
    });
    assert_eq!(seen, BTreeSet::from([true]));
}

#[test]
fn a_panic_that_nobody_hears_of_is_a_violation() {
    let violation = violation(|| {
        let x = Arc::new(AtomicUsize::new(0));
        drop(spawn_with(&x, |x| assert_eq!(x.load(SeqCst), 0, "unheard")));
        x.store(1, SeqCst);
    });
    assert_eq!(violation.kind, ViolationKind::Panic);
    assert!(violation.message.contains("unheard"), "{violation}");
}

#[test]
fn a_panic_poisons_the_lock_that_it_leaves() {
    let seen = outcomes(|| {
        let lock = Arc::new(Mutex::new(0));
        let child = spawn_with(&lock, |lock| {
            let mut guard = lock.lock().unwrap();
            *guard = 1;
            panic!("with a guard");
        });
        let outcome = match lock.lock() {
            Ok(guard) => (false, *guard),
            Err(poisoned) => (true, *poisoned.into_inner()),
        };
        // Whoever came first: now it is poisoned.
        assert!(child.join().is_err() && lock.is_poisoned());
        outcome
    });
    assert_eq!(seen, BTreeSet::from([(false, 0), (true, 1)]));
}

/// Runs something when it is dropped.
struct AtEnd<F: FnMut()>(F);

impl<F: FnMut()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[test]
fn to_wait_for_ones_own_guard_while_unwinding_is_a_deadlock() {
    let violation = violation(|| {
        let lock = Mutex::new(0).with_label("mine");
        let _guard = lock.lock().unwrap();
        // Dropped before the guard.
        let _second = AtEnd(|| drop(lock.lock()));
        panic!("the first");
    });
    assert_eq!(violation.kind, ViolationKind::Deadlock);
    assert!(violation.message.contains("`mine`"), "{violation}");
}

#[test]
fn what_an_execution_owns_is_dropped_once() {
    let (made, dropped) = (Arc::new(StdUsize::new(0)), Arc::new(StdUsize::new(0)));
    let verdict = Check::new().keep_going(true).run({
        let (made, dropped) = (Arc::clone(&made), Arc::clone(&dropped));
        move || {
            let own = || {
                made.fetch_add(1, Relaxed);
                let dropped = Arc::clone(&dropped);
                AtEnd(move || {
                    dropped.fetch_add(1, Relaxed);
                })
            };
            let locks = Arc::new([Mutex::new(()), Mutex::new(())]);
            for i in 0..2 {
                let _here = own();
                let there = own();
                spawn_with(&locks, move |locks: &[Mutex<()>; 2]| {
                    let _there = there;
                    let _first = locks[i].lock();
                    let _second = locks[1 - i].lock();
                });
            }
        }
    });
    assert_eq!(verdict.violations.len(), 1);
    assert!(made.load(Relaxed) >= 4 * 3);
    assert_eq!(made.load(Relaxed), dropped.load(Relaxed));
}

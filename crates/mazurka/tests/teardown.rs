//! Destructors that run while an execution is abandoned: every operation acts on the current value.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize as StdUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex as StdMutex};

use mazurka::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst};
use mazurka::sync::mpsc::{channel, sync_channel};
use mazurka::sync::{Mutex, RwLock};
use mazurka::{Algorithm, Check, ViolationKind, assume, thread};

/// Runs something when it is dropped.
struct AtEnd<F: FnMut()>(F);

impl<F: FnMut()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Stands for a box that was freed twice.
const FREED_TWICE: usize = 0;

/// Owns the box that an atomic pointer points to.
struct Owner {
    pointer: AtomicPtr<String>,
    live: Arc<StdMutex<BTreeSet<usize>>>,
}

impl Owner {
    fn new(live: &Arc<StdMutex<BTreeSet<usize>>>) -> Self {
        let pointer = Box::into_raw(Box::new("text".to_owned()));
        assert!(live.lock().unwrap().insert(pointer.addr()), "the box was never freed");
        Owner { pointer: AtomicPtr::new(pointer), live: Arc::clone(live) }
    }

    fn free(&self) {
        let pointer = self.pointer.swap(std::ptr::null_mut(), SeqCst);
        if !pointer.is_null() {
            let mut live = self.live.lock().unwrap();
            if !live.remove(&pointer.addr()) {
                // A panic may get lost in a teardown.
                live.insert(FREED_TWICE);
                return;
            }
            // SAFETY: the pointer comes from a box that has not been freed.
            drop(unsafe { Box::from_raw(pointer) });
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.free();
    }
}

#[test]
fn a_destructor_that_swaps_a_pointer_frees_once() {
    for algorithm in Algorithm::ALL {
        for depth in 1..6 {
            let live = Arc::new(StdMutex::new(BTreeSet::new()));
            let check = Check::new().algorithm(algorithm).max_depth(depth).max_executions(20);
            check.run(|| {
                let owner = Arc::new(Owner::new(&live));
                let theirs = Arc::clone(&owner);
                let child = thread::spawn(move || theirs.free());
                owner.free();
                let _ = child.join();
                owner.free();
            });
            assert!(
                live.lock().unwrap().is_empty(),
                "{algorithm}, depth {depth}: a box leaks, or is freed twice"
            );
        }
    }
}

/// Whether a thread spins is found out by running it ahead. What it has freed meanwhile is gone.
#[test]
fn a_pointer_that_was_freed_ahead_does_not_come_back() {
    let live = Arc::new(StdMutex::new(BTreeSet::new()));
    let verdict = Check::new().run(|| {
        let owner = Arc::new(Owner::new(&live));
        let theirs = Arc::clone(&owner);
        let child = thread::spawn(move || {
            for _ in 0..2 {
                let _ = theirs.pointer.load(SeqCst);
                thread::yield_now();
            }
            theirs.free();
        });
        owner.free();
        let _ = child.join();
    });
    assert!(verdict.is_complete() && verdict.violations.is_empty(), "{verdict:?}");
    assert!(live.lock().unwrap().is_empty(), "a box leaks, or is freed twice");
}

/// Runs `at_end` in a destructor of an execution that is abandoned, and returns its result.
fn at_the_end<R: Send>(at_end: impl Fn() -> R + Send + Sync) -> R {
    let result = StdMutex::new(None);
    let verdict = Check::new().run(|| {
        let _at_end = AtEnd(|| *result.lock().unwrap() = Some(at_end()));
        assume(false);
    });
    assert_eq!((verdict.executions, verdict.blocked), (0, 1));
    result.into_inner().unwrap().expect("the destructor ran to its end")
}

#[test]
fn atomics_have_their_values() {
    let seen = at_the_end(|| {
        let x = AtomicUsize::new(1);
        let seen = vec![x.fetch_add(2, SeqCst), x.swap(7, SeqCst), x.load(SeqCst)];
        assert_eq!(x.compare_exchange(1, 2, SeqCst, SeqCst), Err(7));
        assert_eq!(x.compare_exchange_weak(7, 9, SeqCst, SeqCst), Ok(7));
        x.store(x.load(SeqCst) + 1, SeqCst);
        (seen, x.into_inner())
    });
    assert_eq!(seen, (vec![1, 3, 7], 10));
}

#[test]
fn locks_exclude() {
    let seen = at_the_end(|| {
        let (mutex, lock) = (Mutex::new(1), RwLock::new(1));
        let guard = mutex.lock().unwrap();
        let reader = lock.read().unwrap();
        let held = (mutex.try_lock().is_err(), lock.try_write().is_err(), lock.try_read().is_ok());
        drop((guard, reader));
        *mutex.lock().unwrap() += 1;
        *lock.write().unwrap() += 1;
        let free = (mutex.try_lock().is_ok(), lock.try_write().is_ok());
        (held, free, mutex.into_inner().unwrap() + lock.into_inner().unwrap())
    });
    assert_eq!(seen, ((true, true, true), (true, true), 4));
}

#[test]
fn channels_keep_messages() {
    let seen = at_the_end(|| {
        let (sender, receiver) = channel();
        sender.send(1).unwrap();
        let first = (receiver.recv(), receiver.try_recv().is_err());
        drop(receiver);
        let (bounded, inbox) = sync_channel(1);
        bounded.send(2).unwrap();
        let full = bounded.try_send(3).is_err();
        (first, sender.send(4).is_err(), full, inbox.recv())
    });
    assert_eq!(seen, ((Ok(1), true), true, true, Ok(2)));
}

#[test]
fn a_thread_that_a_destructor_spawns_runs() {
    let seen = at_the_end(|| {
        let child = thread::spawn(|| 1);
        let mut two = 0;
        thread::scope(|scope| {
            scope.spawn(|| two = 2);
        });
        child.join().unwrap() + two
    });
    assert_eq!(seen, 3);
}

/// The lock is held by a thread that has not been unwound yet: the destructor must not get it, and
/// cannot wait.
#[test]
fn a_destructor_does_not_share_a_lock() {
    let inside = StdUsize::new(0);
    let verdict = Check::new().run(|| {
        let lock = Mutex::new(());
        thread::scope(|scope| {
            let _guard = lock.lock().unwrap();
            scope.spawn(|| {
                let _at_end = AtEnd(|| {
                    let _guard = lock.lock();
                    inside.fetch_add(1, Relaxed);
                });
                thread::park();
            });
            thread::park();
        });
    });
    assert_eq!(verdict.violations[0].kind, ViolationKind::Deadlock);
    assert_eq!(inside.load(Relaxed), 0);
}

/// A destructor that aborts if its thread panics, as that of a worker thread of tokio does.
struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::abort();
        }
    }
}

#[test]
fn a_teardown_is_no_panic() {
    let seen = at_the_end(|| {
        let _abort = AbortOnPanic;
        let is_poisoned = {
            let lock = std::sync::Mutex::new(());
            drop(lock.lock());
            lock.is_poisoned()
        };
        (std::thread::panicking(), thread::panicking(), is_poisoned)
    });
    assert_eq!(seen, (false, false, false));
    assert!(!std::thread::panicking());
}

#[test]
fn locks_are_not_poisoned_by_a_teardown() {
    let lock = StdMutex::new(());
    for _ in 0..3 {
        Check::new().run(|| {
            let _guard = lock.lock().unwrap();
            assume(false);
        });
    }
    assert!(!lock.is_poisoned());
}

/// Catches what unwinds it, and goes on.
#[test]
fn code_that_catches_a_teardown_is_unwound_again() {
    for algorithm in Algorithm::ALL {
        for depth in 1..5 {
            let check = Check::new().algorithm(algorithm).max_depth(depth).max_executions(5);
            check.run(|| {
                let x = Arc::new(AtomicUsize::new(0));
                let theirs = Arc::clone(&x);
                let child = thread::spawn(move || {
                    let _abort = AbortOnPanic;
                    for _ in 0..3 {
                        let add = std::panic::AssertUnwindSafe(|| theirs.fetch_add(1, SeqCst));
                        let _ = std::panic::catch_unwind(|| {
                            let _abort = AbortOnPanic;
                            add()
                        });
                    }
                    theirs.fetch_add(1, SeqCst);
                });
                x.fetch_add(1, SeqCst);
                let _ = child.join();
            });
            assert!(!std::thread::panicking(), "{algorithm}, depth {depth}");
        }
    }
    assert!(std::panic::catch_unwind(|| panic!("an ordinary one")).is_err());
    assert!(!std::thread::panicking());
}

/// A panic that a destructor catches, while the execution is abandoned.
#[test]
fn a_destructor_may_panic_and_catch_it() {
    let seen = at_the_end(|| {
        let x = AtomicUsize::new(1);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _at_end = AtEnd(|| x.store(2, SeqCst));
            assert_eq!(x.load(SeqCst), 3);
        }));
        (result.is_err(), x.load(SeqCst), std::thread::panicking())
    });
    assert_eq!(seen, (true, 2, false));
}

/// Every OS thread that checks balances the panics that the standard library counts.
#[test]
fn threads_that_check_end_without_panics() {
    let check = || {
        Check::new().run(|| {
            let _abort = AbortOnPanic;
            let x = AtomicUsize::new(0);
            x.store(1, SeqCst);
            assume(false);
        });
        assert!(!std::thread::panicking());
    };
    for _ in 0..3 {
        std::thread::spawn(check).join().unwrap();
    }
    check();
}

/// Counts the values that are dropped in the middle of an operation.
struct Fragile {
    is_in_operation: std::cell::Cell<bool>,
    broken: Arc<StdUsize>,
}

impl Fragile {
    /// Performs two atomic operations. Code that is not prepared for a panic relies on performing both.
    fn operate(&self, number: &AtomicUsize) {
        self.is_in_operation.set(true);
        number.fetch_add(1, SeqCst);
        number.fetch_sub(1, SeqCst);
        self.is_in_operation.set(false);
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        self.broken.fetch_add(self.is_in_operation.get().into(), Relaxed);
    }
}

#[test]
fn an_execution_that_is_cut_ends_by_itself() {
    for algorithm in Algorithm::ALL {
        for depth in 1..8 {
            let broken = Arc::new(StdUsize::new(0));
            let check = Check::new().algorithm(algorithm).max_depth(depth).max_executions(20);
            check.run(|| {
                let number = mazurka::sync::Arc::new(AtomicUsize::new(0));
                let spawn = || {
                    let number = number.clone();
                    let broken = Arc::clone(&broken);
                    let fragile = Fragile { is_in_operation: false.into(), broken };
                    thread::spawn(move || fragile.operate(&number))
                };
                [spawn(), spawn()].into_iter().for_each(|child| child.join().unwrap());
            });
            assert_eq!(broken.load(Relaxed), 0, "{algorithm}, {depth}");
        }
    }
}

/// The number of mappings that a program may have is limited, and a stack takes two of them.
#[test]
fn stacks_of_abandoned_threads_are_used_again() {
    let verdict = Check::new().run(|| {
        let lock = Mutex::new(());
        let _guard = lock.lock().unwrap();
        let _waits_for_itself = AtEnd(|| drop(lock.lock()));
        let number = mazurka::choose(200) * mazurka::choose(200);
        assume(number == 40_000);
    });
    assert!(verdict.is_complete() && verdict.violations.is_empty(), "{verdict:?}");
    assert_eq!(verdict.blocked, 40_000);
}

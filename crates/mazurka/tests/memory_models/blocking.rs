//! Objects that threads wait for. If all atomic accesses are `SeqCst`, a program has the same outcomes
//! under RC11 as for an explorer of schedules.

use std::collections::BTreeSet;
use std::sync::Mutex as Seen;
use std::time::Duration;

use mazurka::sync::atomic::Ordering::{Acquire, Relaxed, SeqCst};
use mazurka::sync::atomic::{AtomicU32, fence};
use mazurka::sync::{Barrier, Condvar, Mutex, Once, RwLock};
use mazurka::{Algorithm, Check, MemoryModel, hint, thread};

use super::outcomes;

/// Checks that the outcomes of a program are those of the explorers of schedules, and that there are so
/// many.
#[track_caller]
pub(super) fn agree(f: impl Fn() -> u32 + Send + Sync, expected: usize) {
    let seen = Seen::new(BTreeSet::new());
    let check = Check::new().algorithm(Algorithm::Optimal).memory_model(MemoryModel::Sc);
    let verdict = check.keep_going(true).run(|| {
        let outcome = f();
        seen.lock().unwrap().insert(outcome);
    });
    assert!(verdict.violations.is_empty() && verdict.is_complete(), "{verdict:?}");
    let schedules = seen.into_inner().unwrap();
    assert_eq!(schedules.len(), expected, "{schedules:?}");
    assert_eq!(outcomes(MemoryModel::Rc11, f).0, schedules);
}

#[test]
fn mutexes() {
    agree(
        || {
            let n = Mutex::new(1);
            thread::scope(|s| {
                s.spawn(|| *n.lock().unwrap() *= 3);
                s.spawn(|| *n.lock().unwrap() += 2);
                s.spawn(|| n.try_lock().map(|mut n| *n += 10).is_ok());
            });
            n.into_inner().unwrap()
        },
        6,
    );
}

#[test]
fn reader_writer_locks() {
    agree(
        || {
            let (n, seen) = (RwLock::new(1), AtomicU32::new(0));
            thread::scope(|s| {
                s.spawn(|| *n.write().unwrap() *= 3);
                s.spawn(|| seen.fetch_add(*n.read().unwrap(), SeqCst));
                s.spawn(|| seen.fetch_add(*n.read().unwrap(), SeqCst));
            });
            seen.load(SeqCst)
        },
        3,
    );
}

#[test]
fn condition_variables() {
    agree(
        || {
            let (ready, changed) = (Mutex::new(0), Condvar::new());
            let seen = AtomicU32::new(0);
            let wait = |add: u32| {
                let mut ready = ready.lock().unwrap();
                while *ready == 0 {
                    ready = changed.wait(ready).unwrap();
                }
                *ready -= 1;
                seen.fetch_add(add * (*ready + 1), SeqCst);
            };
            thread::scope(|s| {
                s.spawn(|| wait(1));
                s.spawn(|| wait(4));
                s.spawn(|| {
                    *ready.lock().unwrap() += 2;
                    changed.notify_all();
                });
            });
            seen.load(SeqCst)
        },
        2,
    );
}

#[test]
fn waits_with_a_timeout() {
    agree(
        || {
            let (mutex, changed) = (Mutex::new(0), Condvar::new());
            let (mutex, changed) = (&mutex, &changed);
            let wait = || {
                let guard = mutex.lock().unwrap();
                changed.wait_timeout(guard, Duration::from_millis(1)).unwrap().1.timed_out()
            };
            thread::scope(|s| {
                s.spawn(|| changed.notify_one());
                let waiter = s.spawn(wait);
                s.spawn(|| changed.notify_one());
                u32::from(waiter.join().unwrap())
            })
        },
        2,
    );
}

#[test]
fn barriers() {
    agree(
        || {
            let (barrier, order) = (Barrier::new(2), AtomicU32::new(0));
            let arrive = |add: u32| {
                barrier.wait();
                if order.fetch_add(1, SeqCst) == 0 { add } else { 0 }
            };
            thread::scope(|s| {
                let [a, b] = [s.spawn(|| arrive(1)), s.spawn(|| arrive(2))];
                a.join().unwrap() + b.join().unwrap()
            })
        },
        2,
    );
}

#[test]
fn once() {
    agree(
        || {
            let (once, n) = (Once::new(), AtomicU32::new(0));
            thread::scope(|s| {
                s.spawn(|| once.call_once(|| n.store(1, SeqCst)));
                s.spawn(|| once.call_once(|| n.store(2, SeqCst)));
            });
            n.load(SeqCst)
        },
        2,
    );
}

#[test]
fn parking() {
    agree(
        || {
            let n = AtomicU32::new(0);
            thread::scope(|s| {
                let parked = s.spawn(|| {
                    thread::park();
                    n.load(SeqCst)
                });
                n.store(1, SeqCst);
                parked.thread().unpark();
                n.store(2, SeqCst);
                parked.join().unwrap()
            })
        },
        2,
    );
}

#[test]
fn joins_of_joins() {
    agree(
        || {
            let n = AtomicU32::new(0);
            thread::scope(|s| {
                let outer = s.spawn(|| {
                    thread::scope(|s| s.spawn(|| n.fetch_add(1, SeqCst)).join().unwrap())
                });
                s.spawn(|| n.store(4, SeqCst));
                outer.join().unwrap() + n.load(SeqCst)
            })
        },
        3,
    );
}

/// The reader of a sequence lock has a fence in each round.
#[test]
fn a_spin_loop_with_a_fence_waits() {
    for order in [Acquire, SeqCst] {
        let spin = || {
            let ready = AtomicU32::new(0);
            thread::scope(|s| {
                s.spawn(|| ready.store(1, Relaxed));
                loop {
                    let seen = ready.load(Relaxed);
                    fence(order);
                    if seen == 1 {
                        break seen;
                    }
                    hint::spin_loop();
                }
            })
        };
        // If iterations are run, the reader waits, or need not.
        let executions = if cfg!(all(unix, target_arch = "x86_64")) { 1 } else { 2 };
        let expected = (BTreeSet::from([1]), executions);
        assert_eq!(outcomes(MemoryModel::Rc11, spin), expected, "{order:?}");
    }
}

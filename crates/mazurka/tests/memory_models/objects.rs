//! Locks and other objects under a memory model.

use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::AtomicU32;
use mazurka::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use mazurka::sync::{Arc, Barrier, Condvar, Mutex, OnceLock, RwLock};
use mazurka::{Check, MemoryModel, ViolationKind, thread};

use super::{assert_fails, assert_fine, outcomes, rc11};

struct Plain(UnsafeCell<u32>);
// SAFETY: whether it is accessed properly is what the tests are about.
unsafe impl Sync for Plain {}
// SAFETY: as above.
unsafe impl Send for Plain {}

impl Plain {
    fn new() -> Self {
        Plain(UnsafeCell::new(0))
    }

    fn add(&self) {
        // SAFETY: the pointer is valid. Whether there is a data race is what the tests are about.
        self.0.with_mut(|value| unsafe { *value += 1 });
    }

    fn get(&self) -> u32 {
        // SAFETY: as above.
        self.0.with(|value| unsafe { *value })
    }
}

#[test]
fn a_mutex_orders_what_it_protects() {
    let verdict = rc11(|| {
        let (lock, data) = (Mutex::new(()), Plain::new());
        thread::scope(|s| {
            for _ in 0..3 {
                s.spawn(|| {
                    let _guard = lock.lock().unwrap();
                    data.add();
                });
            }
        });
        assert_eq!(data.get(), 3);
    });
    assert_fine(&verdict);
    assert_eq!(verdict.executions, 6);
}

#[test]
fn a_reader_writer_lock_orders_what_it_protects() {
    let verdict = rc11(|| {
        let (lock, data) = (RwLock::new(()), Plain::new());
        thread::scope(|s| {
            s.spawn(|| {
                let _guard = lock.write().unwrap();
                data.add();
            });
            for _ in 0..2 {
                s.spawn(|| {
                    let _guard = lock.read().unwrap();
                    assert!(data.get() < 2);
                });
            }
        });
    });
    assert_fine(&verdict);
}

/// It says that another thread has the lock, and not what that thread did before.
#[test]
fn an_attempt_that_fails_orders_nothing() {
    for is_mutex in [true, false] {
        let (seen, _) = outcomes(MemoryModel::Rc11, || {
            let (x, mutex, lock) = (AtomicU32::new(0), Mutex::new(()), RwLock::new(()));
            thread::scope(|s| {
                s.spawn(|| {
                    x.store(1, Relaxed);
                    match is_mutex {
                        true => drop(mutex.lock().unwrap()),
                        false => drop(lock.write().unwrap()),
                    }
                });
                let is_refused = match is_mutex {
                    true => mutex.try_lock().is_err(),
                    false => lock.try_read().is_err(),
                };
                (is_refused, x.load(Relaxed))
            })
        });
        assert_eq!(seen, [(false, 0), (false, 1), (true, 0), (true, 1)].into());
    }
}

#[test]
fn a_condition_variable_passes_data_on() {
    let verdict = rc11(|| {
        let (lock, ready, data) = (Mutex::new(false), Condvar::new(), Plain::new());
        thread::scope(|s| {
            s.spawn(|| {
                data.add();
                *lock.lock().unwrap() = true;
                ready.notify_one();
            });
            s.spawn(|| {
                let mut guard = lock.lock().unwrap();
                while !*guard {
                    guard = ready.wait(guard).unwrap();
                }
                assert_eq!(data.get(), 1);
            });
        });
    });
    assert_fine(&verdict);
}

#[test]
fn a_lost_notification_is_a_deadlock() {
    let verdict = rc11(|| {
        let (lock, ready) = (Mutex::new(()), Condvar::new());
        thread::scope(|s| {
            s.spawn(|| ready.notify_one());
            s.spawn(|| drop(ready.wait(lock.lock().unwrap()).unwrap()));
        });
    });
    assert_fails(&verdict, ViolationKind::Deadlock);
}

#[test]
fn two_locks_in_two_orders_are_a_deadlock() {
    let verdict = rc11(|| {
        let (a, b) = (Mutex::new(0), Mutex::new(0));
        let lock = |first: &Mutex<u32>, second: &Mutex<u32>| {
            let _first = first.lock().unwrap();
            let _second = second.lock().unwrap();
        };
        thread::scope(|s| {
            s.spawn(|| lock(&a, &b));
            s.spawn(|| lock(&b, &a));
        });
    });
    assert_fails(&verdict, ViolationKind::Deadlock);
}

#[test]
fn a_barrier_orders_both_sides() {
    let verdict = rc11(|| {
        let (barrier, data) = (Barrier::new(2), [Plain::new(), Plain::new()]);
        thread::scope(|s| {
            for me in 0..2 {
                let (barrier, data) = (&barrier, &data);
                s.spawn(move || {
                    data[me].add();
                    barrier.wait();
                    assert_eq!(data[1 - me].get(), 1);
                });
            }
        });
    });
    assert_fine(&verdict);
}

#[test]
fn a_once_lock_publishes_its_value() {
    let verdict = rc11(|| {
        let cell = OnceLock::new();
        thread::scope(|s| {
            for _ in 0..2 {
                s.spawn(|| {
                    let value = cell.get_or_init(|| {
                        let value = Plain::new();
                        value.add();
                        value
                    });
                    assert_eq!(value.get(), 1);
                });
            }
        });
    });
    assert_fine(&verdict);
}

#[test]
fn unpark_happens_before_the_end_of_park() {
    let verdict = rc11(|| {
        let data = Arc::new(Plain::new());
        let theirs = data.clone();
        let main = thread::current();
        let child = thread::spawn(move || {
            theirs.add();
            main.unpark();
        });
        thread::park();
        assert_eq!(data.get(), 1);
        child.join().unwrap();
    });
    assert_fine(&verdict);
}

/// A value whose destructor reads plain memory, so that drops are steps.
struct Last(Arc<Plain>);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.add();
    }
}

#[test]
fn the_last_drop_of_an_arc_happens_after_the_others() {
    let verdict = rc11(|| {
        let value = Arc::new(Last(Arc::new(Plain::new())));
        let theirs = value.clone();
        let child = thread::spawn(move || {
            theirs.0.get();
        });
        value.0.get();
        drop(value);
        child.join().unwrap();
    });
    assert_fine(&verdict);
}

#[test]
fn a_race_names_both_accesses() {
    let check = Check::new().memory_model(mazurka::MemoryModel::Rc11);
    let (verdict, reports) = check.report(|| {
        let (data, flag) = (Plain::new(), AtomicU32::new(0));
        thread::scope(|s| {
            s.spawn(|| {
                data.add();
                flag.store(1, Relaxed);
            });
            s.spawn(|| {
                if flag.load(Acquire) == 1 {
                    data.get();
                }
            });
        });
    });
    assert_fails(&verdict, ViolationKind::DataRace);
    let text = reports[0].to_string();
    assert!(text.contains("data race"), "{text}");
    // The schedule names the model, and a replay finds the same.
    let schedule = verdict.violations[0].schedule.to_string();
    assert!(schedule.starts_with("rc11:"), "{schedule}");
}

#[test]
fn initialisation_before_publication_is_no_race() {
    assert_fine(&rc11(|| {
        let flag = Arc::new(AtomicU32::new(0));
        let data = Arc::new(Plain::new());
        data.add();
        let (theirs, seen) = (data.clone(), flag.clone());
        let child = thread::spawn(move || {
            theirs.get();
            seen.store(1, Release);
        });
        if flag.load(Acquire) == 1 {
            data.add();
        }
        child.join().unwrap();
    }));
}

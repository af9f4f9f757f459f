//! The classic litmus tests, with the number of execution graphs counted by hand.

use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use mazurka::sync::atomic::{AtomicU32, fence};
use mazurka::{MemoryModel, ViolationKind, thread};

use super::{assert_fails, assert_fine, outcomes, rc11};

fn atomics<const N: usize>() -> [AtomicU32; N] {
    [const { AtomicU32::new(0) }; N]
}

/// Store buffering. Each load reads from one of two writes.
fn store_buffering(store: Ordering, load: Ordering, between: Option<Ordering>) -> (u32, u32) {
    let [x, y] = atomics();
    let side = |mine: &AtomicU32, other: &AtomicU32| {
        mine.store(1, store);
        if let Some(between) = between {
            fence(between);
        }
        other.load(load)
    };
    thread::scope(|s| {
        let first = s.spawn(|| side(&x, &y));
        let second = s.spawn(|| side(&y, &x));
        (first.join().unwrap(), second.join().unwrap())
    })
}

#[test]
fn store_buffering_needs_seq_cst() {
    let run = |store, load, between| {
        let (seen, graphs) = outcomes(MemoryModel::Rc11, || store_buffering(store, load, between));
        (seen.contains(&(0, 0)), seen.len(), graphs)
    };
    assert_eq!(run(SeqCst, SeqCst, None), (false, 3, 3));
    assert_eq!(run(Release, Acquire, None), (true, 4, 4));
    assert_eq!(run(Relaxed, Relaxed, None), (true, 4, 4));
    assert_eq!(run(SeqCst, Acquire, None), (true, 4, 4));
    assert_eq!(run(Relaxed, Relaxed, Some(SeqCst)), (false, 3, 3));
    assert_eq!(run(Relaxed, Relaxed, Some(AcqRel)), (true, 4, 4));
}

#[test]
fn store_buffering_on_hardware() {
    for (model, allowed) in [
        (MemoryModel::Sc, false),
        (MemoryModel::Tso, true),
        (MemoryModel::Pso, true),
        (MemoryModel::Ra, true),
    ] {
        let check = mazurka::Check::new().algorithm(mazurka::Algorithm::Graphs);
        let verdict = check.memory_model(model).run(|| {
            assert_ne!(store_buffering(Release, Acquire, None), (0, 0));
        });
        assert_eq!(!verdict.violations.is_empty(), allowed, "{model}: {verdict:?}");
    }
}

/// Message passing of plain data.
fn message_passing(store: Ordering, load: Ordering, fences: Option<(Ordering, Ordering)>) {
    let data = Shared(UnsafeCell::new(0));
    let flag = AtomicU32::new(0);
    thread::scope(|s| {
        s.spawn(|| {
            data.set(42);
            if let Some((release, _)) = fences {
                fence(release);
            }
            flag.store(1, store);
        });
        s.spawn(|| {
            if flag.load(load) == 1 {
                if let Some((_, acquire)) = fences {
                    fence(acquire);
                }
                assert_eq!(data.get(), 42);
            }
        });
    });
}

struct Shared(UnsafeCell<u32>);

impl Shared {
    fn get(&self) -> u32 {
        // SAFETY: the pointer is valid. Whether there is a data race is what the tests are about.
        self.0.with(|value| unsafe { *value })
    }

    fn set(&self, new: u32) {
        // SAFETY: as above.
        self.0.with_mut(|value| unsafe { *value = new });
    }
}

// SAFETY: whether it is accessed properly is what the tests are about.
unsafe impl Sync for Shared {}

#[test]
fn message_passing_needs_release_and_acquire_or_fences() {
    let verdict = rc11(|| message_passing(Release, Acquire, None));
    assert_fine(&verdict);
    assert_eq!(verdict.executions, 2);
    assert_fine(&rc11(|| message_passing(Relaxed, Relaxed, Some((Release, Acquire)))));
    assert_fine(&rc11(|| message_passing(SeqCst, SeqCst, None)));
    for (store, load) in [(Relaxed, Relaxed), (Release, Relaxed), (Relaxed, Acquire)] {
        assert_fails(&rc11(|| message_passing(store, load, None)), ViolationKind::DataRace);
    }
}

#[test]
fn atomic_message_passing() {
    let run = |store, load| {
        outcomes(MemoryModel::Rc11, || {
            let [data, flag] = atomics();
            thread::scope(|s| {
                s.spawn(|| {
                    data.store(1, Relaxed);
                    flag.store(1, store);
                });
                let reader = s.spawn(|| (flag.load(load), data.load(Relaxed)));
                reader.join().unwrap()
            })
        })
    };
    let (seen, graphs) = run(Release, Acquire);
    assert_eq!((seen.contains(&(1, 0)), graphs), (false, 3));
    let (seen, graphs) = run(Relaxed, Relaxed);
    assert_eq!((seen.contains(&(1, 0)), graphs), (true, 4));
}

#[test]
fn load_buffering_never_shows_both() {
    let (seen, graphs) = outcomes(MemoryModel::Rc11, || {
        let [x, y] = atomics();
        let side = |from: &AtomicU32, to: &AtomicU32| {
            let seen = from.load(Relaxed);
            to.store(1, Relaxed);
            seen
        };
        thread::scope(|s| {
            let first = s.spawn(|| side(&x, &y));
            let second = s.spawn(|| side(&y, &x));
            (first.join().unwrap(), second.join().unwrap())
        })
    });
    assert!(!seen.contains(&(1, 1)));
    assert_eq!((seen.len(), graphs), (3, 3));
}

/// Independent reads of independent writes.
fn iriw(load: Ordering) -> (bool, u64) {
    let (seen, graphs) = outcomes(MemoryModel::Rc11, || {
        let [x, y] = atomics();
        let store = if load == SeqCst { SeqCst } else { Release };
        thread::scope(|s| {
            s.spawn(|| x.store(1, store));
            s.spawn(|| y.store(1, store));
            let first = s.spawn(|| (x.load(load), y.load(load)));
            let second = s.spawn(|| (y.load(load), x.load(load)));
            (first.join().unwrap(), second.join().unwrap())
        })
    });
    (seen.contains(&((1, 0), (1, 0))), graphs)
}

#[test]
fn independent_reads_agree_only_with_seq_cst() {
    assert_eq!(iriw(Acquire), (true, 16));
    assert_eq!(iriw(SeqCst), (false, 15));
}

#[test]
fn coherence_of_one_location() {
    // Two writes, and two reads of one thread: 2 orders of the writes, and in each the reads see
    // positions that do not decrease, of 3.
    let (seen, graphs) = outcomes(MemoryModel::Rc11, || {
        let x = AtomicU32::new(0);
        thread::scope(|s| {
            s.spawn(|| x.store(1, Relaxed));
            s.spawn(|| x.store(2, Relaxed));
            let reader = s.spawn(|| (x.load(Relaxed), x.load(Relaxed)));
            reader.join().unwrap()
        })
    });
    assert_eq!(graphs, 12);
    assert!(!seen.contains(&(1, 0)) && seen.contains(&(1, 2)) && seen.contains(&(2, 1)));
}

#[test]
fn read_modify_writes_continue_release_sequences() {
    let run = |rmw: bool| {
        rc11(move || {
            let data = Shared(UnsafeCell::new(0));
            let flag = AtomicU32::new(0);
            thread::scope(|s| {
                s.spawn(|| {
                    data.set(42);
                    flag.store(1, Release);
                });
                s.spawn(|| match rmw {
                    true => _ = flag.compare_exchange(1, 2, Relaxed, Relaxed),
                    false => flag.store(2, Relaxed),
                });
                s.spawn(|| {
                    if flag.load(Acquire) == 2 {
                        data.get();
                    }
                });
            });
        })
    };
    assert_fine(&run(true));
    assert_fails(&run(false), ViolationKind::DataRace);
}

/// Peterson's algorithm for two threads, which enter once, with so many fences.
fn peterson(order: [Ordering; 2], fences: u32) {
    let [store, load] = order;
    let [a, b] = atomics();
    let turn = AtomicU32::new(0);
    let inside = Shared(UnsafeCell::new(0));
    let enter = |mine: &AtomicU32, other: &AtomicU32, me: u32| {
        mine.store(1, store);
        if fences > 1 {
            fence(SeqCst);
        }
        turn.store(1 - me, store);
        if fences > 0 {
            fence(SeqCst);
        }
        while other.load(load) == 1 && turn.load(load) != me {
            mazurka::hint::spin_loop();
        }
        inside.set(1);
        mine.store(0, if store == Relaxed { Release } else { store });
    };
    thread::scope(|s| {
        s.spawn(|| enter(&a, &b, 0));
        s.spawn(|| enter(&b, &a, 1));
    });
}

#[test]
fn peterson_needs_seq_cst() {
    assert_fine(&rc11(|| peterson([SeqCst, SeqCst], 0)));
    assert_fails(&rc11(|| peterson([Release, Acquire], 0)), ViolationKind::DataRace);
    // A fence before the loads does not suffice. If the first thread misses the flag of the second, the
    // store of the second to `turn` may still be earlier in coherence order.
    assert_fails(&rc11(|| peterson([Release, Acquire], 1)), ViolationKind::DataRace);
    assert_fine(&rc11(|| peterson([Release, Acquire], 2)));
}

/// Dekker's entry protocol without waiting: a thread that sees the other one does not enter.
fn dekker(store: Ordering, load: Ordering) {
    let [a, b] = atomics();
    let inside = Shared(UnsafeCell::new(0));
    let enter = |mine: &AtomicU32, other: &AtomicU32| {
        mine.store(1, store);
        if other.load(load) == 0 {
            inside.set(1);
        }
    };
    thread::scope(|s| {
        s.spawn(|| enter(&a, &b));
        s.spawn(|| enter(&b, &a));
    });
}

#[test]
fn dekker_needs_seq_cst() {
    assert_fine(&rc11(|| dekker(SeqCst, SeqCst)));
    assert_fails(&rc11(|| dekker(Release, Acquire)), ViolationKind::DataRace);
}

/// A seqlock whose data are two relaxed atomics. A reader that sees the same even number before and after
/// has read a consistent pair.
fn seqlock(fenced: bool) {
    let number = AtomicU32::new(0);
    let data: [AtomicU32; 2] = atomics();
    thread::scope(|s| {
        s.spawn(|| {
            number.store(1, Relaxed);
            if fenced {
                fence(Release);
            }
            data[0].store(1, Relaxed);
            data[1].store(1, Relaxed);
            number.store(2, Release);
        });
        s.spawn(|| {
            let before = number.load(Acquire);
            let pair = (data[0].load(Relaxed), data[1].load(Relaxed));
            if fenced {
                fence(Acquire);
            }
            let after = number.load(Relaxed);
            if before == after && before.is_multiple_of(2) {
                assert!(pair == (0, 0) || pair == (1, 1), "{pair:?}");
            }
        });
    });
}

#[test]
fn a_seqlock_needs_its_fences() {
    assert_fine(&rc11(|| seqlock(true)));
    assert!(!rc11(|| seqlock(false)).violations.is_empty());
}

/// The reference count of an `Arc` whose value is written before each drop.
fn counted(drop: Ordering, fenced: bool) {
    let count = AtomicU32::new(2);
    let value = Shared(UnsafeCell::new(0));
    let release = || {
        value.get();
        if count.fetch_sub(1, drop) == 1 {
            if fenced {
                fence(Acquire);
            }
            // Frees the value.
            value.set(7);
        }
    };
    thread::scope(|s| {
        s.spawn(release);
        s.spawn(release);
    });
}

#[test]
fn a_reference_count_needs_release_and_acquire() {
    assert_fine(&rc11(|| counted(Release, true)));
    assert_fine(&rc11(|| counted(AcqRel, false)));
    assert_fails(&rc11(|| counted(Relaxed, true)), ViolationKind::DataRace);
    assert_fails(&rc11(|| counted(Release, false)), ViolationKind::DataRace);
}

/// A swap that fails stores the value that is there already. The thread waits for another value.
#[test]
fn a_spin_lock_of_swaps_ends() {
    let spin_lock = |unlocks: bool| {
        let (locked, inside) = (AtomicU32::new(0), Shared(UnsafeCell::new(0)));
        let enter = |unlocks: bool| {
            while locked.swap(1, Acquire) == 1 {
                mazurka::hint::spin_loop();
            }
            inside.set(1);
            if unlocks {
                locked.store(0, Release);
            }
        };
        thread::scope(|s| {
            s.spawn(|| enter(true));
            s.spawn(|| enter(unlocks));
        });
    };
    let verdict = rc11(|| spin_lock(true));
    assert_fine(&verdict);
    // Two orders. If iterations are run, the second thread fails first or not in each of them.
    let awaits = cfg!(all(unix, target_arch = "x86_64"));
    let executions = verdict.executions;
    assert!(if awaits { executions == 2 } else { executions <= 4 }, "{executions}");
    let verdict = rc11(|| spin_lock(false));
    assert_fails(&verdict, ViolationKind::Livelock);
    // If the first thread enters first, the other one may fail before, if iterations are run. Otherwise the first
    // one waits for ever.
    let executions = verdict.executions;
    assert!(if awaits { executions == 2 } else { executions <= 3 }, "{executions}");
}

#[test]
fn a_spin_lock_of_relaxed_loads_ends() {
    let verdict = rc11(|| {
        let flag = AtomicU32::new(0);
        thread::scope(|s| {
            s.spawn(|| flag.store(1, Relaxed));
            s.spawn(|| {
                while flag.load(Relaxed) == 0 {
                    mazurka::hint::spin_loop();
                }
            });
        });
    });
    assert_fine(&verdict);
}

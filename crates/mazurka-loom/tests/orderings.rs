//! What loom's own tests check about memory orderings, and the answers of C++20.

use std::collections::BTreeSet;
use std::sync::Mutex;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use loom::sync::atomic::{AtomicUsize, fence};
use loom::thread;

/// Returns the results that a model returns.
fn outcomes<T: Ord + Clone + Send + 'static>(
    f: impl Fn() -> T + Send + Sync + 'static,
) -> BTreeSet<T> {
    let seen = std::sync::Arc::new(Mutex::new(BTreeSet::new()));
    let all = seen.clone();
    loom::model(move || {
        let outcome = f();
        all.lock().unwrap().insert(outcome);
    });
    let seen = seen.lock().unwrap();
    seen.clone()
}

/// Returns whether a model fails.
fn fails(f: impl Fn() + Send + Sync + 'static) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| loom::model(f))).is_err()
}

fn atomic() -> Arc<AtomicUsize> {
    Arc::new(AtomicUsize::new(0))
}

fn store_buffering(order: (Ordering, Ordering), between: Option<Ordering>) -> [usize; 2] {
    let (x, y) = (atomic(), atomic());
    let side = move |mine: Arc<AtomicUsize>, other: Arc<AtomicUsize>| {
        mine.store(1, order.0);
        if let Some(order) = between {
            fence(order);
        }
        other.load(order.1)
    };
    let child = thread::spawn({
        let (x, y) = (x.clone(), y.clone());
        move || side(x, y)
    });
    let mine = side(y, x);
    [mine, child.join().unwrap()]
}

#[test]
fn store_buffering_shows_two_zeros_unless_seq_cst() {
    let shows =
        |order, between| outcomes(move || store_buffering(order, between)).contains(&[0, 0]);
    assert!(shows((Relaxed, Relaxed), None));
    assert!(shows((Release, Acquire), None));
    assert!(shows((Relaxed, Relaxed), Some(AcqRel)));
    assert!(!shows((SeqCst, SeqCst), None));
    assert!(!shows((Relaxed, Relaxed), Some(SeqCst)));
}

/// RC11 forbids values out of thin air by forbidding this.
#[test]
fn load_buffering_never_shows_two_ones() {
    let seen = outcomes(|| {
        let (x, y) = (atomic(), atomic());
        let child = thread::spawn({
            let (x, y) = (x.clone(), y.clone());
            move || {
                let seen = y.load(Relaxed);
                x.store(1, Relaxed);
                seen
            }
        });
        let seen = x.load(Relaxed);
        y.store(1, Relaxed);
        [seen, child.join().unwrap()]
    });
    assert_eq!(seen, BTreeSet::from([[0, 0], [0, 1], [1, 0]]));
}

/// Passes data on by a flag, with a fence or not on each side.
fn message_passing(order: (Ordering, Ordering), fences: (bool, bool)) -> impl Fn() + Send + Sync {
    move || {
        let (data, flag) = (Arc::new(UnsafeCell::new(0)), atomic());
        let child = thread::spawn({
            let (data, flag) = (data.clone(), flag.clone());
            move || {
                // SAFETY: a data race is a violation.
                data.with_mut(|data| unsafe { *data = 1 });
                if fences.0 {
                    fence(Release);
                }
                flag.store(1, order.0);
            }
        });
        if flag.load(order.1) == 1 {
            if fences.1 {
                fence(Acquire);
            }
            // SAFETY: a data race is a violation.
            data.with(|data| assert_eq!(unsafe { *data }, 1));
        }
        child.join().unwrap();
    }
}

#[test]
fn fences_synchronise_with_fences_stores_and_loads() {
    assert!(!fails(message_passing((Release, Acquire), (false, false))));
    assert!(!fails(message_passing((Relaxed, Relaxed), (true, true))));
    assert!(!fails(message_passing((Release, Relaxed), (false, true))));
    assert!(!fails(message_passing((Relaxed, Acquire), (true, false))));
    assert!(fails(message_passing((Relaxed, Acquire), (false, false))));
    assert!(fails(message_passing((Release, Relaxed), (false, false))));
    assert!(fails(message_passing((Relaxed, Relaxed), (true, false))));
    assert!(fails(message_passing((Relaxed, Relaxed), (false, true))));
}

/// A hazard pointer: the one who reclaims sees the protection, or the one who protects sees that it is
/// too late.
#[test]
fn hazard_pointers_need_seq_cst_fences() {
    let model = |order: Ordering| {
        move || {
            let [unlinked, protected, freed] = [atomic(), atomic(), atomic()];
            let child = thread::spawn({
                let [unlinked, protected, freed] = [&unlinked, &protected, &freed].map(Arc::clone);
                move || {
                    protected.store(1, Relaxed);
                    fence(order);
                    if unlinked.load(Relaxed) == 0 {
                        assert_eq!(freed.load(Relaxed), 0);
                    }
                }
            });
            unlinked.store(1, Relaxed);
            fence(order);
            if protected.load(Relaxed) == 0 {
                freed.store(1, Relaxed);
            }
            child.join().unwrap();
        }
    };
    assert!(!fails(model(SeqCst)));
    assert!(fails(model(AcqRel)));
}

/// Read-to-write causality, by a relaxed store, or with a store in between that releases.
fn causality(with_release: bool) -> [usize; 3] {
    let [x, y, z] = [atomic(), atomic(), atomic()];
    let reads = thread::spawn({
        let (from, y) = (if with_release { z.clone() } else { x.clone() }, y.clone());
        move || {
            let seen = from.load(if with_release { Acquire } else { Relaxed });
            fence(SeqCst);
            (seen, y.load(Relaxed))
        }
    });
    let writes = thread::spawn({
        let x = x.clone();
        move || {
            y.store(1, Relaxed);
            fence(SeqCst);
            x.load(Relaxed)
        }
    });
    x.store(1, Relaxed);
    if with_release {
        z.store(1, Release);
    }
    let (a, b) = reads.join().unwrap();
    [a, b, writes.join().unwrap()]
}

/// C++11 allowed both. C++20 does not.
#[test]
fn seq_cst_fences_restore_causality() {
    for with_release in [false, true] {
        let seen = outcomes(move || causality(with_release));
        assert!(!seen.contains(&[1, 0, 0]), "{seen:?}");
        assert_eq!(seen.len(), 7, "{seen:?}");
    }
}

fn independent_reads(store: Ordering, load: Ordering) -> usize {
    let (x, y) = (atomic(), atomic());
    let reader = |first: &Arc<AtomicUsize>, second: &Arc<AtomicUsize>| {
        let (first, second) = (first.clone(), second.clone());
        thread::spawn(move || {
            while first.load(load) == 0 {
                thread::yield_now();
            }
            second.load(load)
        })
    };
    let readers = [reader(&x, &y), reader(&y, &x)];
    let writer = thread::spawn(move || y.store(1, store));
    x.store(1, store);
    writer.join().unwrap();
    readers.into_iter().map(|reader| reader.join().unwrap()).sum()
}

#[test]
fn readers_may_disagree_unless_seq_cst() {
    assert_eq!(outcomes(|| independent_reads(Release, Acquire)), BTreeSet::from([0, 1, 2]));
    assert_eq!(outcomes(|| independent_reads(SeqCst, SeqCst)), BTreeSet::from([1, 2]));
}

#[test]
fn read_modify_writes_see_the_last_value() {
    let seen = outcomes(|| {
        let number = atomic();
        let child = thread::spawn({
            let number = number.clone();
            move || number.fetch_add(1, Relaxed)
        });
        let mine = number.fetch_add(1, Relaxed);
        [mine, child.join().unwrap()]
    });
    assert_eq!(seen, BTreeSet::from([[0, 1], [1, 0]]));
    // An exchange that succeeds comes immediately behind the value that it expects.
    let seen = outcomes(|| {
        let (a, b) = (atomic(), atomic());
        let child = thread::spawn({
            let (a, b) = (a.clone(), b.clone());
            move || {
                a.store(1, Release);
                let _ = b.compare_exchange(0, 2, AcqRel, Acquire);
            }
        });
        b.store(1, Release);
        let _ = a.compare_exchange(0, 2, AcqRel, Acquire);
        child.join().unwrap();
        [a.load(Acquire), b.load(Acquire)]
    });
    assert_eq!(seen, BTreeSet::from([[1, 1]]));
}

/// A model whose failure needs weak memory, with a bound on preemptions.
#[test]
#[ignore = "another test runs it"]
fn store_buffering_with_a_bound() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(|| assert_ne!(store_buffering((Relaxed, Relaxed), None), [0, 0]));
}

/// A bound on preemptions hides weak memory, unless the environment asks for a memory model.
#[test]
fn a_memory_model_has_no_bound_on_preemptions() {
    let passes = |model: &str| {
        let test = ["--ignored", "--exact", "store_buffering_with_a_bound"];
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        let output = command.args(test).env("MAZURKA_MEMORY_MODEL", model).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("1 passed") || text.contains("1 failed"), "{text}");
        output.status.success()
    };
    assert!(passes("auto"));
    assert!(passes("sc"));
    assert!(!passes("rc11"));
}

/// A spin lock whose guard owns the pointer to the data.
struct Lock {
    is_taken: AtomicUsize,
    data: UnsafeCell<u32>,
}

struct Guard {
    lock: Arc<Lock>,
    pointer: loom::cell::MutPtr<u32>,
}

impl Lock {
    fn lock(this: &Arc<Lock>) -> Guard {
        while this.is_taken.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            thread::yield_now();
        }
        Guard { lock: Arc::clone(this), pointer: this.data.get_mut() }
    }
}

impl Drop for Guard {
    /// Releases the lock. The pointer is dropped after that.
    fn drop(&mut self) {
        self.lock.is_taken.store(0, Release);
    }
}

fn two_critical_sections(uses_late: bool) {
    let lock = Arc::new(Lock { is_taken: AtomicUsize::new(0), data: UnsafeCell::new(0) });
    let add = move |lock: Arc<Lock>| {
        let guard = Lock::lock(&lock);
        // SAFETY: the guard is alive.
        unsafe { *guard.pointer.deref() += 1 };
        if uses_late {
            lock.is_taken.store(0, Release);
            // SAFETY: the memory exists. The race is what the model looks for.
            unsafe { *guard.pointer.deref() += 1 };
        }
    };
    let other = thread::spawn({
        let lock = lock.clone();
        move || add(lock)
    });
    add(lock);
    other.join().unwrap();
}

#[test]
fn a_pointer_may_be_dropped_after_the_lock_is_released() {
    assert!(!fails(|| two_critical_sections(false)));
    assert!(fails(|| two_critical_sections(true)));
}

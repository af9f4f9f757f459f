//! What programs can and cannot do under the checker.

mod awaits;
mod bounds;
mod channels;
mod conditions;
mod consistency;
mod independence;
mod locks;
mod panics;
mod replay;
mod spinning;
mod violations;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex as StdMutex};

use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::thread::{self, JoinHandle};
use mazurka::{Algorithm, Bound, Check, Violation};

/// Everything that `f` can return, which is the same to every explorer.
pub(crate) fn outcomes<T, F>(f: F) -> BTreeSet<T>
where
    T: Ord + Clone + Send + std::fmt::Debug,
    F: Fn() -> T + Send + Sync,
{
    outcomes_of(&Check::new(), f)
}

pub(crate) fn outcomes_of<T, F>(check: &Check, f: F) -> BTreeSet<T>
where
    T: Ord + Clone + Send + std::fmt::Debug,
    F: Fn() -> T + Send + Sync,
{
    let mut all = None;
    for algorithm in Algorithm::ALL {
        let seen = StdMutex::new(BTreeSet::new());
        let verdict = check.clone().algorithm(algorithm).run(|| {
            let outcome = f();
            seen.lock().unwrap().insert(outcome);
        });
        assert_eq!(verdict.violations, [], "{algorithm}");
        assert!(verdict.is_complete(), "{algorithm}");
        let seen = seen.into_inner().unwrap();
        assert_eq!(*all.get_or_insert_with(|| seen.clone()), seen, "{algorithm}");
    }
    all.unwrap()
}

/// The violation that every explorer finds in `f`.
pub(crate) fn violation<F: Fn() + Send + Sync>(f: F) -> Violation {
    let find = |algorithm| {
        let verdict = Check::new().algorithm(algorithm).run(&f);
        assert_eq!(verdict.stopped, Some(Bound::Violation), "{algorithm}");
        let mut violations = verdict.violations;
        assert_eq!(violations.len(), 1, "{algorithm}");
        violations.pop().unwrap()
    };
    let found: Vec<_> = Algorithm::ALL.into_iter().map(find).collect();
    assert!(found.iter().all(|violation| violation.kind == found[0].kind), "{found:?}");
    found[0].clone()
}

pub(crate) fn spawn_with<T, R>(
    shared: &Arc<T>,
    f: impl FnOnce(&T) -> R + Send + 'static,
) -> JoinHandle<R>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
{
    let shared = Arc::clone(shared);
    thread::spawn(move || f(&shared))
}

pub(crate) fn x_and_y() -> Arc<(AtomicUsize, AtomicUsize)> {
    Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)))
}

pub(crate) fn named<T, F>(name: &str, shared: &Arc<T>, f: F) -> JoinHandle<()>
where
    T: Send + Sync + 'static,
    F: FnOnce(&T) + Send + 'static,
{
    let shared = Arc::clone(shared);
    thread::Builder::new().name(name.into()).spawn(move || f(&shared)).unwrap()
}

/// One of two increments may be lost.
pub(crate) fn lost_update() {
    let counter = Arc::new(AtomicUsize::new(0).with_label("counter"));
    let increment = |counter: &AtomicUsize| {
        let seen = counter.load(SeqCst);
        counter.store(seen + 1, SeqCst);
    };
    let child = spawn_with(&counter, increment);
    increment(&counter);
    child.join().unwrap();
    assert_eq!(counter.load(SeqCst), 2, "an update was lost");
}

/// Plain memory.
pub(crate) struct Plain(UnsafeCell<usize>);

// SAFETY: threads take turns on one OS thread; races are what the tests look for.
unsafe impl Sync for Plain {}

impl Plain {
    pub(crate) fn new() -> Self {
        Plain(UnsafeCell::new(0).with_label("plain"))
    }

    #[track_caller]
    pub(crate) fn get(&self) -> usize {
        // SAFETY: as above.
        self.0.with(|value| unsafe { *value })
    }

    #[track_caller]
    pub(crate) fn set(&self, new: usize) {
        // SAFETY: as above.
        self.0.with_mut(|value| unsafe { *value = new });
    }
}

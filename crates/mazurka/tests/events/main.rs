//! Event loops: what they promise, and how many executions they make.

mod counts;
mod journal;
mod locks;
mod queues;
mod quitting;
mod violations;
mod waiting;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex as StdMutex};

use mazurka::{Algorithm, Check};

/// Everything that `f` can put down, which is the same to every explorer.
fn outcomes<T>(f: impl Fn(Notes<T>) + Send + Sync) -> BTreeSet<T>
where
    T: Ord + Clone + Send + std::fmt::Debug + 'static,
{
    let mut all = None;
    for algorithm in Algorithm::ALL {
        let notes = Notes(Arc::default());
        let verdict = Check::new().algorithm(algorithm).run(|| f(notes.clone()));
        assert_eq!(verdict.violations, [], "{algorithm}");
        assert!(verdict.is_complete(), "{algorithm}");
        assert!(algorithm != Algorithm::EventDriven || verdict.blocked == 0, "{verdict:?}");
        let seen = std::mem::take(&mut *notes.0.lock().unwrap());
        assert_eq!(*all.get_or_insert_with(|| seen.clone()), seen, "{algorithm}");
    }
    all.unwrap()
}

/// What is put down in all executions. The checker knows nothing of it: it makes no steps.
struct Notes<T>(Arc<StdMutex<BTreeSet<T>>>);

impl<T: Ord> Notes<T> {
    fn put(&self, note: T) {
        self.0.lock().unwrap().insert(note);
    }
}

impl<T> Clone for Notes<T> {
    fn clone(&self) -> Self {
        Notes(Arc::clone(&self.0))
    }
}

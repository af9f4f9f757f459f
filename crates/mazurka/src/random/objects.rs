//! What the threads of a random program share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex as StdMutex;

use super::program::STATICS;
use crate::cell::Cell;
use crate::event::Handle;
use crate::sync::atomic::AtomicU32;
use crate::sync::{Arc, Barrier, Condvar, Mutex, Once, OnceLock, RwLock};
use crate::thread::Thread;

/// What each thread has seen, by the path of its ancestors.
pub(super) type Outcome = BTreeMap<Vec<usize>, Vec<u32>>;
/// All outcomes of a program.
pub(super) type Outcomes = StdMutex<BTreeSet<Outcome>>;

/// Plain memory that threads share in spite of the type's warning: the checker finds the races.
pub(super) struct Plain(pub(super) Cell<u32>);

// SAFETY: threads of a check share one OS thread, and a copy of a number is all they take.
unsafe impl Sync for Plain {}

/// What the threads of one execution share.
pub(super) struct Objects {
    variables: Vec<AtomicU32>,
    pub(super) plain: Plain,
    pub(super) mutexes: [Mutex<u32>; 2],
    pub(super) rwlock: RwLock<u32>,
    pub(super) condvar: Condvar,
    pub(super) barrier: Barrier,
    pub(super) once: Once,
    pub(super) cell: OnceLock<u32>,
    /// The event loop, if the program posts to it.
    pub(super) handle: Option<Handle>,
    /// The threads, once all of them have been spawned.
    pub(super) threads: StdMutex<Vec<Thread>>,
    pub(super) log: Log,
}

static STATIC: AtomicU32 = AtomicU32::new(0);

impl Objects {
    pub(super) fn new(handle: Option<Handle>, outcomes: Arc<Outcomes>) -> Self {
        Objects {
            variables: (0..STATICS).map(|_| AtomicU32::new(0)).collect(),
            plain: Plain(Cell::new(0)),
            mutexes: [const { Mutex::new(0) }; 2],
            rwlock: RwLock::new(0),
            condvar: Condvar::new(),
            barrier: Barrier::new(2),
            once: Once::new(),
            cell: OnceLock::new(),
            handle,
            threads: StdMutex::default(),
            log: Log { state: StdMutex::default(), outcomes },
        }
    }

    pub(super) fn variable(&self, number: usize) -> &AtomicU32 {
        self.variables.get(number).unwrap_or(&STATIC)
    }
}

/// The log of an execution. Once all of its threads have ended, it is an outcome.
pub(super) struct Log {
    state: StdMutex<(Outcome, usize)>,
    outcomes: Arc<Outcomes>,
}

impl Log {
    /// One more thread is to end before the execution is over.
    pub(super) fn begin(&self) {
        self.state.lock().unwrap().1 += 1;
    }

    /// A thread has seen something.
    pub(super) fn note(&self, path: &[usize], seen: u32) {
        self.state.lock().unwrap().0.entry(path.to_vec()).or_default().push(seen);
    }

    /// A thread has ended.
    pub(super) fn end(&self) {
        let (outcome, running) = &mut *self.state.lock().unwrap();
        *running -= 1;
        if *running == 0 {
            self.outcomes.lock().unwrap().insert(outcome.clone());
        }
    }
}

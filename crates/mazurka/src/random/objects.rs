//! What the threads of a random program share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicUsize as StdUsize, Ordering::Relaxed};

use super::program::STATICS;
use super::variable::{Orderings, Variable};
use crate::cell::Cell;
use crate::event::Handle;
use crate::sync::atomic::{AtomicPtr, AtomicU32, Ordering::SeqCst};
use crate::sync::{Arc, Barrier, Condvar, Mutex, Once, OnceLock, RwLock};
use crate::thread::Thread;

/// The first part of the paths of threads of `spawn_many`. The second part is a number that only the log uses.
pub(super) const MANY: usize = 100;

/// What each thread has seen, by the path of its ancestors. What the threads of `spawn_many` have seen is
/// sorted.
pub(super) type Outcome = BTreeMap<Vec<usize>, Vec<u32>>;
/// All outcomes of a program.
pub(super) type Outcomes = StdMutex<BTreeSet<Outcome>>;

/// Plain memory that threads share in spite of the type's warning: the checker finds the races.
pub(super) struct Plain(pub(super) Cell<u32>);

// SAFETY: threads of a check share one OS thread, and a copy of a number is all they take.
unsafe impl Sync for Plain {}

/// An atomic pointer that owns the box it points to. Its destructor frees the box, as that of a queue
/// without locks does.
pub(super) struct Slot {
    pointer: AtomicPtr<u64>,
    /// The boxes that have not been freed yet.
    live: StdMutex<BTreeSet<usize>>,
}

/// How often a box was freed twice, in any execution.
pub(super) static FREED_TWICE: StdUsize = StdUsize::new(0);

impl Slot {
    /// Creates a slot with a box.
    fn new() -> Self {
        let first = Box::into_raw(Box::new(0));
        Slot { pointer: AtomicPtr::new(first), live: StdMutex::new(BTreeSet::from([first.addr()])) }
    }

    /// Puts a box into the slot, and returns whether there was one.
    pub(super) fn put(&self, content: u64) -> bool {
        let new = Box::into_raw(Box::new(content));
        self.live.lock().unwrap().insert(new.addr());
        self.free(self.pointer.swap(new, SeqCst))
    }

    /// Frees the box in the slot, and returns whether there was one.
    pub(super) fn take(&self) -> bool {
        self.free(self.pointer.swap(std::ptr::null_mut(), SeqCst))
    }

    fn free(&self, pointer: *mut u64) -> bool {
        if pointer.is_null() {
            return false;
        }
        if !self.live.lock().unwrap().remove(&pointer.addr()) {
            FREED_TWICE.fetch_add(1, Relaxed);
            return true;
        }
        // SAFETY: it comes from a box that has not been freed.
        drop(unsafe { Box::from_raw(pointer) });
        true
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // Which thread drops the last `Arc` is not part of the schedule, so this must not be a step.
        let pointer = *self.pointer.get_mut();
        self.free(pointer);
    }
}

/// What the threads of one execution share.
pub(super) struct Objects {
    variables: Vec<AtomicU32>,
    orderings: Orderings,
    pub(super) plain: Plain,
    pub(super) slot: Slot,
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
    pub(super) fn new(
        handle: Option<Handle>,
        orderings: Orderings,
        outcomes: Arc<Outcomes>,
    ) -> Self {
        Objects {
            variables: (0..STATICS).map(|_| AtomicU32::new(0)).collect(),
            orderings,
            plain: Plain(Cell::new(0)),
            slot: Slot::new(),
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

    pub(super) fn variable(&self, number: usize) -> Variable<'_> {
        let atomic = self.variables.get(number).unwrap_or(&STATIC);
        Variable::new(atomic, self.orderings.of(number))
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
            self.outcomes.lock().unwrap().insert(sorted(outcome.clone()));
        }
    }
}

/// Numbers the threads of `spawn_many` by what they have seen. They have no children.
fn sorted(mut outcome: Outcome) -> Outcome {
    let mut seen: Vec<Vec<u32>> =
        outcome.extract_if(vec![MANY]..vec![MANY + 1], |_, _| true).map(|(_, seen)| seen).collect();
    seen.sort();
    outcome.extend(seen.into_iter().enumerate().map(|(number, seen)| (vec![MANY, number], seen)));
    outcome
}

//! How many executions a program needs, found by brute force.
//!
//! A program notes what it does to what it shares. `naive` runs every interleaving of it, and how many
//! classes these make is counted by the definitions: two executions are in one *trace* if everything
//! that is in conflict comes in the same order, posts to one queue included; and in one *class* if that
//! holds without posts, and without what one thread does to a lock.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex as StdMutex};

use mazurka::event::Handle;
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Mutex, MutexGuard};
use mazurka::{Algorithm, Check, Verdict};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Read,
    Write,
    /// By which thread.
    Lock(&'static str),
    Post,
}

/// One thing that was done: by which task, and to what.
type Entry = (&'static str, &'static str, Kind);

/// What a program does, one execution after the other.
#[derive(Clone, Default)]
pub(crate) struct Journal(Arc<StdMutex<Vec<Vec<Entry>>>>);

impl Journal {
    fn note(&self, task: &'static str, what: &'static str, kind: Kind) {
        self.0.lock().unwrap().last_mut().unwrap().push((task, what, kind));
    }

    /// A task has begun.
    pub(crate) fn begin(&self, task: &'static str) {
        // Nobody else touches that.
        self.note(task, task, Kind::Read);
    }

    pub(crate) fn store(&self, task: &'static str, name: &'static str, cell: &AtomicU32) {
        cell.store(1, SeqCst);
        self.note(task, name, Kind::Write);
    }

    pub(crate) fn load(&self, task: &'static str, name: &'static str, cell: &AtomicU32) -> u32 {
        let value = cell.load(SeqCst);
        self.note(task, name, Kind::Read);
        value
    }

    pub(crate) fn lock<'a>(
        &self,
        (thread, task): (&'static str, &'static str),
        name: &'static str,
        lock: &'a Mutex<()>,
    ) -> MutexGuard<'a, ()> {
        let guard = lock.lock().unwrap();
        self.note(task, name, Kind::Lock(thread));
        guard
    }

    /// Changes what a lock keeps: then it is not only a lock.
    pub(crate) fn add(&self, task: &'static str, name: &'static str, kept: &Mutex<u32>) {
        let mut guard = kept.lock().unwrap();
        self.note(task, name, Kind::Write);
        *guard += 1;
    }

    /// Posts an event, by a task, to the queue of a loop.
    pub(crate) fn post(
        &self,
        (task, queue): (&'static str, &'static str),
        handle: &Handle,
        name: &'static str,
        handler: impl FnOnce() + Send + 'static,
    ) {
        let journal = self.clone();
        handle.post(move || {
            journal.begin(name);
            handler();
        });
        self.note(task, queue, Kind::Post);
    }

    /// Tells a loop to end.
    pub(crate) fn quit(&self, (task, queue): (&'static str, &'static str), handle: &Handle) {
        handle.quit();
        self.note(task, queue, Kind::Post);
    }
}

/// The pairs of entries that are in conflict, in their order, and all entries.
type Form = (BTreeSet<(Entry, Entry)>, BTreeSet<Entry>);

fn form(entries: &[Entry], in_conflict: impl Fn(Kind, Kind) -> bool) -> Form {
    let mut pairs = BTreeSet::new();
    for (i, later) in entries.iter().enumerate() {
        let earlier = entries[..i].iter().filter(|earlier| earlier.1 == later.1);
        pairs.extend(earlier.filter(|e| in_conflict(e.2, later.2)).map(|e| (*e, *later)));
    }
    (pairs, entries.iter().copied().collect())
}

fn trace(entries: &[Entry]) -> Form {
    form(entries, |a, b| !(a == Kind::Read && b == Kind::Read))
}

fn class(entries: &[Entry]) -> Form {
    form(entries, |a, b| match (a, b) {
        (Kind::Post, Kind::Post) | (Kind::Read, Kind::Read) => false,
        (Kind::Lock(one), Kind::Lock(other)) => one != other,
        _ => true,
    })
}

fn run(algorithm: Algorithm, f: &(impl Fn(&Journal) + Send + Sync)) -> (Verdict, Journal) {
    let journal = Journal::default();
    let verdict = Check::new().algorithm(algorithm).keep_going(true).run(|| {
        journal.0.lock().unwrap().push(Vec::new());
        f(&journal);
    });
    assert!(verdict.is_complete(), "{algorithm}");
    (verdict, journal)
}

/// Counts traces and classes by brute force, and sees to it that every explorer agrees.
pub(crate) fn counts(f: impl Fn(&Journal) + Send + Sync) -> (usize, usize) {
    counts_by(Algorithm::Naive, f)
}

/// The same by an explorer that runs every trace, for programs with too many interleavings.
pub(crate) fn counts_by(
    everything: Algorithm,
    f: impl Fn(&Journal) + Send + Sync,
) -> (usize, usize) {
    let (reference, journal) = run(everything, &f);
    let executions = journal.0.lock().unwrap();
    let traces: BTreeSet<Form> = executions.iter().map(|entries| trace(entries)).collect();
    let classes: BTreeSet<Form> = executions.iter().map(|entries| class(entries)).collect();
    let kinds = |verdict: &Verdict| -> BTreeSet<&str> {
        verdict.violations.iter().map(|violation| violation.kind.name()).collect()
    };
    for algorithm in Algorithm::ALL.into_iter().filter(|a| *a != Algorithm::Naive) {
        let (verdict, journal) = run(algorithm, &f);
        assert_eq!(kinds(&verdict), kinds(&reference), "{algorithm}");
        let found = journal.0.lock().unwrap();
        let covered: BTreeSet<Form> = found.iter().map(|entries| class(entries)).collect();
        match algorithm {
            Algorithm::Optimal | Algorithm::Source => {
                assert_eq!(verdict.executions as usize, traces.len(), "{algorithm}");
            }
            Algorithm::Observers => assert!(verdict.executions as usize <= traces.len()),
            Algorithm::EventDriven => {
                assert_eq!(verdict.executions as usize, classes.len(), "{algorithm}");
                assert_eq!(verdict.blocked, 0, "{algorithm}");
                assert_eq!(covered, classes, "{algorithm}");
            }
            Algorithm::EmDpor => {
                // It need not tell apart what is left in the queues of a deadlock.
                let orders = |forms: &BTreeSet<Form>| -> BTreeSet<_> {
                    forms.iter().map(|form| form.0.clone()).collect()
                };
                assert_eq!(orders(&covered), orders(&classes), "{algorithm}");
            }
            _ => {}
        }
    }
    (traces.len(), classes.len())
}

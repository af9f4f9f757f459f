//! How many executions there are: by brute force, and by each explorer.

use std::sync::Arc;

use mazurka::event::EventLoop;
use mazurka::sync::Mutex;
use mazurka::sync::atomic::AtomicU32;
use mazurka::thread;

use super::journal::{Journal, counts};

/// Traces, classes and executions of `em-dpor`.
fn summary(f: impl Fn(&Journal) + Send + Sync) -> (usize, usize, u64) {
    let (counts, em_dpor) = counts(f);
    (counts.traces, counts.classes, em_dpor)
}

/// Events that have nothing to do with each other come in any order, and one is enough.
#[test]
fn the_order_of_events_alone_is_no_matter() {
    let found = summary(|journal| {
        let worker = EventLoop::spawn("worker");
        for (poster, event) in [("p", "a"), ("q", "b"), ("r", "c")] {
            let (journal, handle) = (journal.clone(), worker.handle());
            thread::spawn(move || journal.post((poster, "queue"), &handle, event, || ()));
        }
    });
    assert_eq!(found, (6, 1, 1));
}

/// Of three events two are in conflict.
#[test]
fn events_in_conflict_come_in_both_orders() {
    let found = summary(|journal| {
        let worker = EventLoop::spawn("worker");
        let shared = Arc::new(AtomicU32::new(0));
        for (poster, event) in [("p", "a"), ("q", "b"), ("r", "c")] {
            let (journal, handle) = (journal.clone(), worker.handle());
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let inner = journal.clone();
                journal.post((poster, "queue"), &handle, event, move || {
                    if event != "c" {
                        inner.store(event, "shared", &shared);
                    }
                });
            });
        }
    });
    assert_eq!((found.0, found.1), (6, 2));
}

/// A handler and a thread contend for a lock, and two handlers of one loop do not.
#[test]
fn locks_are_contended_for_by_threads() {
    let found = summary(|journal| {
        let worker = EventLoop::spawn("worker");
        let lock = Arc::new(Mutex::new(0));
        for (poster, event) in [("p", "a"), ("q", "b")] {
            let (journal, handle) = (journal.clone(), worker.handle());
            let lock = Arc::clone(&lock);
            thread::spawn(move || {
                let inner = journal.clone();
                journal.post((poster, "queue"), &handle, event, move || {
                    *inner.lock(("worker", event), "lock", &lock) += 1;
                });
            });
        }
        *journal.lock(("main", "main"), "lock", &lock) += 1;
    });
    // Each handler comes before the main thread or after it: four classes. Traces: two orders of
    // the events, and main before, between and after them.
    assert_eq!((found.0, found.1), (6, 4));
}

/// A loop that ends leaves events behind: which ones makes a difference.
#[test]
fn what_is_never_handled_makes_a_difference() {
    let found = summary(|journal| {
        let worker = EventLoop::spawn("worker");
        for (poster, event) in [("p", "a"), ("q", "b")] {
            let (journal, handle) = (journal.clone(), worker.handle());
            thread::spawn(move || journal.post((poster, "queue"), &handle, event, || ()));
        }
        journal.quit(("main", "queue"), &worker);
    });
    // Each of the two events is handled or not.
    assert_eq!((found.0, found.1), (6, 4));
}

/// Two loops that lock crosswise get stuck; what is left in their queues makes a difference.
#[test]
fn deadlocks_leave_events_behind() {
    let found = summary(|journal| {
        let (one, two) = (EventLoop::spawn("one"), EventLoop::spawn("two"));
        let locks = [Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0))];
        let names = ["first", "second"];
        let (theirs, handle) = (journal.clone(), one.handle());
        thread::spawn(move || theirs.post(("p", "one"), &handle, "c", || ()));
        for (worker, event, outer, inner) in [(&one, "a", 0, 1), (&two, "b", 1, 0)] {
            let (theirs, locks) = (journal.clone(), locks.clone());
            let thread = if event == "a" { "one" } else { "two" };
            journal.post(("main", thread), worker, event, move || {
                let _outer = theirs.lock((thread, event), names[outer], &locks[outer]);
                let _inner = theirs.lock((thread, event), names[inner], &locks[inner]);
            });
        }
    });
    // One of the handlers after the other, in two ways, or both stuck. Then the third event has come
    // first, or never comes.
    assert_eq!(found.1, 4);
}

/// Events, threads and what they read: a handler that looks before it writes.
#[test]
fn handlers_and_threads_read_and_write() {
    let found = summary(|journal| {
        let worker = EventLoop::spawn("worker");
        let shared = Arc::new(AtomicU32::new(0));
        for (poster, event) in [("p", "a"), ("q", "b")] {
            let (journal, handle) = (journal.clone(), worker.handle());
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let inner = journal.clone();
                journal.post((poster, "queue"), &handle, event, move || {
                    if inner.load(event, "shared", &shared) == 0 && event == "b" {
                        inner.store("b again", "shared", &shared);
                    }
                });
            });
        }
        journal.store("main", "shared", &shared);
    });
    assert_eq!((found.0, found.1), (8, 7));
}

//! How many executions there are: by brute force, and by each explorer.

use std::sync::Arc;

use mazurka::event::EventLoop;
use mazurka::sync::Mutex;
use mazurka::sync::atomic::AtomicU32;
use mazurka::{Algorithm, thread};

use super::journal::{counts, counts_by};

type Handler = Box<dyn FnOnce() + Send>;

/// Events that have nothing to do with each other come in any order, and one is enough.
#[test]
fn the_order_of_events_alone_is_no_matter() {
    let found = counts(|journal| {
        let worker = EventLoop::spawn("worker");
        for (poster, event) in [("p", "a"), ("q", "b"), ("r", "c")] {
            let (journal, handle) = (journal.clone(), worker.handle());
            thread::spawn(move || journal.post((poster, "queue"), &handle, event, || ()));
        }
    });
    assert_eq!(found, (6, 1));
}

/// Of three events two are in conflict.
#[test]
fn events_in_conflict_come_in_both_orders() {
    let found = counts(|journal| {
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
    assert_eq!(found, (6, 2));
}

/// A handler and a thread contend for a lock, and two handlers of one loop do not.
#[test]
fn locks_are_contended_for_by_threads() {
    let found = counts(|journal| {
        let worker = EventLoop::spawn("worker");
        let lock = Arc::new(Mutex::new(()));
        for (poster, event) in [("p", "a"), ("q", "b")] {
            let (journal, handle) = (journal.clone(), worker.handle());
            let lock = Arc::clone(&lock);
            thread::spawn(move || {
                let inner = journal.clone();
                journal.post((poster, "queue"), &handle, event, move || {
                    drop(inner.lock(("worker", event), "lock", &lock));
                });
            });
        }
        drop(journal.lock(("main", "main"), "lock", &lock));
    });
    // Each handler comes before the main thread or after it: four classes. Traces: two orders of
    // the events, and main before, between and after them.
    assert_eq!(found, (6, 4));
}

/// If the lock keeps something, then handlers of one loop are in conflict too.
#[test]
fn what_a_lock_keeps_is_shared() {
    let found = counts(|journal| {
        let worker = EventLoop::spawn("worker");
        let kept = Arc::new(Mutex::new(0));
        for (poster, event) in [("p", "a"), ("q", "b")] {
            let (journal, handle) = (journal.clone(), worker.handle());
            let kept = Arc::clone(&kept);
            thread::spawn(move || {
                let inner = journal.clone();
                journal.post((poster, "queue"), &handle, event, move || {
                    inner.add(event, "kept", &kept);
                });
            });
        }
        journal.add("main", "kept", &kept);
    });
    assert_eq!(found, (6, 6));
}

/// A loop that ends leaves events behind: which ones makes a difference.
#[test]
fn what_is_never_handled_makes_a_difference() {
    let found = counts(|journal| {
        let worker = EventLoop::spawn("worker");
        for (poster, event) in [("p", "a"), ("q", "b")] {
            let (journal, handle) = (journal.clone(), worker.handle());
            thread::spawn(move || journal.post((poster, "queue"), &handle, event, || ()));
        }
        journal.quit(("main", "queue"), &worker);
    });
    // Each of the two events is handled or not.
    assert_eq!(found, (6, 4));
}

/// Two loops that lock crosswise get stuck; what is left in their queues makes a difference.
#[test]
fn deadlocks_leave_events_behind() {
    let found = counts(|journal| {
        let (one, two) = (EventLoop::spawn("one"), EventLoop::spawn("two"));
        let locks = [Arc::new(Mutex::new(())), Arc::new(Mutex::new(()))];
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
    let found = counts(|journal| {
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
    assert_eq!(found, (8, 7));
}

/// Figure 9 of the paper on event-driven programs, as in the catalogue, which says why these are the
/// counts.
#[test]
fn conflicts_hang_on_the_order_of_events_in_several_queues() {
    let found = counts_by(Algorithm::Optimal, |journal| {
        let [t1, t2, t3] = ["t1", "t2", "t3"].map(EventLoop::spawn);
        let [x, y, v] = [(); 3].map(|()| Arc::new(AtomicU32::new(0)));
        let store = |task: &'static str, name: &'static str, cell: &Arc<AtomicU32>| {
            let (journal, cell) = (journal.clone(), Arc::clone(cell));
            move || journal.store(task, name, &cell)
        };
        let post = |(poster, queue), to: &EventLoop, event, handler: Handler| {
            let (journal, handle) = (journal.clone(), to.handle());
            move || journal.post((poster, queue), &handle, event, handler)
        };
        let e6 = post(("e1", "q3"), &t3, "e6", Box::new(store("e6", "v", &v)));
        let t8 = store("t8", "x", &x);
        let e1 = Box::new(move || {
            e6();
            thread::spawn(t8);
        });
        let (first, then) = (store("e2", "y", &y), store("e2", "x", &x));
        let e2 = Box::new(move || {
            first();
            then();
        });
        let e3 = Box::new(post(("e3", "q3"), &t3, "e5", Box::new(store("e5", "v", &v))));
        let e4 = Box::new(store("e4", "y", &y));
        thread::spawn(post(("t4", "q1"), &t1, "e1", e1));
        thread::spawn(post(("t5", "q1"), &t1, "e2", e2));
        thread::spawn(post(("t6", "q2"), &t2, "e3", e3));
        thread::spawn(post(("t7", "q2"), &t2, "e4", e4));
    });
    assert_eq!(found, (21, 8));
}

//! Handlers and threads that share more than memory.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka::event::{EventLoop, Handle};
use mazurka::sync::{Mutex, RwLock};
use mazurka::thread;

use super::outcomes;

/// Posts an event from a thread of its own, so that it comes anywhere among others.
fn post_from_thread(to: &Handle, handler: impl FnOnce() + Send + 'static) {
    let to = to.clone();
    thread::spawn(move || to.post(handler));
}

#[test]
fn handlers_write_under_a_lock_and_a_thread_reads() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let shared = Arc::new(RwLock::new(0));
        for digit in 1..=2 {
            let shared = Arc::clone(&shared);
            post_from_thread(&worker, move || {
                let mut value = shared.write().unwrap();
                *value = *value * 10 + digit;
            });
        }
        notes.put(*shared.read().unwrap());
    });
    assert_eq!(seen, BTreeSet::from([0, 1, 2, 12, 21]));
}

#[test]
fn handlers_read_under_a_lock_and_a_thread_writes() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let shared = Arc::new(RwLock::new(0));
        let results = Arc::new(Mutex::new([0; 2]));
        for i in 0..2 {
            let (shared, results) = (Arc::clone(&shared), Arc::clone(&results));
            post_from_thread(&worker, move || {
                let value = *shared.read().unwrap();
                results.lock().unwrap()[i] = value;
            });
        }
        *shared.write().unwrap() = 1;
        worker.post(move || notes.put(*results.lock().unwrap()));
    });
    // The last event may come before the others.
    let all = [[0, 0], [0, 1], [1, 0], [1, 1]];
    assert_eq!(seen, BTreeSet::from(all));
}

/// A handler that finds a lock taken does without.
#[test]
fn handlers_try_a_lock() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let lock = Arc::new(Mutex::new(()));
        for name in ["a", "b"] {
            let (lock, notes) = (Arc::clone(&lock), notes.clone());
            post_from_thread(&worker, move || notes.put((name, lock.try_lock().is_ok())));
        }
        drop(lock.lock().unwrap());
    });
    let all = [("a", false), ("a", true), ("b", false), ("b", true)];
    assert_eq!(seen, BTreeSet::from(all));
}

mazurka::thread_local! {
    static ORDER: Cell<u32> = const { Cell::new(0) };
}

/// Handlers of one thread share its thread-local values.
#[test]
fn handlers_share_thread_local_values() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        for digit in 1..=2 {
            post_from_thread(&worker, move || ORDER.set(ORDER.get() * 10 + digit));
        }
        post_from_thread(&worker, move || notes.put(ORDER.get()));
    });
    assert_eq!(seen, BTreeSet::from([0, 1, 2, 12, 21]));
}

/// What is kept in a lock is shared by handlers of one thread, too.
#[test]
fn handlers_of_one_thread_write_to_what_a_lock_keeps() {
    let seen = outcomes(|notes| {
        let worker = EventLoop::spawn("worker");
        let order = Arc::new(Mutex::new(0));
        let posters = [1, 2].map(|digit| {
            let (order, handle) = (Arc::clone(&order), worker.handle());
            thread::spawn(move || {
                handle.post(move || {
                    let mut order = order.lock().unwrap();
                    *order = *order * 10 + digit;
                });
            })
        });
        for poster in posters {
            poster.join().unwrap();
        }
        worker.quit();
        worker.join().unwrap();
        notes.put(*order.lock().unwrap());
    });
    assert_eq!(seen, BTreeSet::from([12, 21]));
}

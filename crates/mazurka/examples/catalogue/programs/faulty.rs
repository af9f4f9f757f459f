//! Programs with a bug.

use std::sync::Arc;

use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka::thread;

use super::{join_all, spawn_named};

pub(super) fn lost_update(n: usize) {
    let counter = Arc::new(AtomicUsize::new(0).with_label("counter"));
    let increment = |i: usize| {
        spawn_named(format!("adder {i}"), &counter, |counter: &AtomicUsize| {
            let seen = counter.load(SeqCst);
            counter.store(seen + 1, SeqCst);
        })
    };
    let threads: Vec<_> = (1..=n).map(increment).collect();
    join_all(threads);
    assert_eq!(counter.load(SeqCst), n, "an update was lost");
}

struct Message {
    ready: AtomicBool,
    text: UnsafeCell<&'static str>,
}

// SAFETY: it is not, and that is the bug; but threads take turns on one OS thread.
unsafe impl Sync for Message {}

pub(super) fn early_flag() {
    let message = Arc::new(Message {
        ready: AtomicBool::new(false).with_label("ready"),
        text: UnsafeCell::new("").with_label("text"),
    });
    let writer = spawn_named("writer", &message, |message: &Message| {
        message.ready.store(true, SeqCst);
        // SAFETY: threads take turns on one OS thread.
        message.text.with_mut(|text| unsafe { *text = "hello" });
    });
    let reader = spawn_named("reader", &message, |message: &Message| {
        if message.ready.load(SeqCst) {
            // SAFETY: threads take turns on one OS thread.
            message.text.with(|text| unsafe { *text });
        }
    });
    join_all([writer, reader]);
}

pub(super) fn endless_spin() {
    let flags = Arc::new([
        AtomicBool::new(false).with_label("closed"),
        AtomicBool::new(false).with_label("done"),
    ]);
    let worker = spawn_named("worker", &flags, |[closed, done]: &[AtomicBool; 2]| {
        if !closed.load(SeqCst) {
            done.store(true, SeqCst);
        }
    });
    let waiter = spawn_named("waiter", &flags, |[closed, done]: &[AtomicBool; 2]| {
        closed.store(true, SeqCst);
        while !done.load(SeqCst) {
            thread::yield_now();
        }
    });
    join_all([worker, waiter]);
}

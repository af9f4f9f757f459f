//! What sequential consistency forbids.

use std::sync::Arc;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use super::spawn_with;

type Two = (AtomicUsize, AtomicUsize);

fn x_and_y() -> Arc<Two> {
    Arc::new((AtomicUsize::new(0).with_label("x"), AtomicUsize::new(0).with_label("y")))
}

pub(super) fn store_buffering() {
    let shared = x_and_y();
    let first = spawn_with(&shared, |(x, y)| {
        x.store(1, SeqCst);
        y.load(SeqCst)
    });
    let second = spawn_with(&shared, |(x, y)| {
        y.store(1, SeqCst);
        x.load(SeqCst)
    });
    let seen = (first.join().unwrap(), second.join().unwrap());
    assert_ne!(seen, (0, 0), "both stores came after both loads");
}

pub(super) fn iriw() {
    let shared = x_and_y();
    spawn_with(&shared, |(x, _)| x.store(1, SeqCst));
    spawn_with(&shared, |(_, y)| y.store(1, SeqCst));
    let first = spawn_with(&shared, |(x, y)| (x.load(SeqCst), y.load(SeqCst)));
    let second = spawn_with(&shared, |(x, y)| (y.load(SeqCst), x.load(SeqCst)));
    let seen = (first.join().unwrap(), second.join().unwrap());
    assert_ne!(seen, ((1, 0), (1, 0)), "the stores came in two orders");
}

pub(super) fn message_passing() {
    let shared = x_and_y();
    spawn_with(&shared, |(data, flag)| {
        data.store(42, SeqCst);
        flag.store(1, SeqCst);
    });
    spawn_with(&shared, |(data, flag)| {
        if flag.load(SeqCst) == 1 {
            assert_eq!(data.load(SeqCst), 42);
        }
    });
}

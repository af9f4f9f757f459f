//! Threads that use one variable, or one each.

use std::sync::Arc;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::thread;

use super::{join_all, spawn_with};

fn x() -> Arc<AtomicUsize> {
    Arc::new(AtomicUsize::new(0).with_label("x"))
}

pub(super) fn lastwrite(n: usize) {
    let x = x();
    let threads: Vec<_> = (1..=n).map(|i| spawn_with(&x, move |x| x.store(i, SeqCst))).collect();
    join_all(threads);
    assert!((1..=n).contains(&x.load(SeqCst)));
}

pub(super) fn floating_read(n: usize) {
    let x = x();
    for i in 1..=n {
        spawn_with(&x, move |x| x.store(i, SeqCst));
    }
    spawn_with(&x, |x| x.load(SeqCst));
}

pub(super) fn readers(n: usize) {
    let x = x();
    spawn_with(&x, |x| x.store(1, SeqCst));
    for _ in 0..n {
        spawn_with(&x, |x| x.load(SeqCst));
    }
}

pub(super) fn readers_joined(n: usize) {
    let x = x();
    let writer = spawn_with(&x, |x| x.store(1, SeqCst));
    let readers: Vec<_> = (0..n).map(|_| spawn_with(&x, |x| x.load(SeqCst))).collect();
    writer.join().unwrap();
    join_all(readers);
}

pub(super) fn casrot(n: usize) {
    let x = x();
    for i in 1..=n {
        spawn_with(&x, move |x| x.compare_exchange(i - 1, i, SeqCst, SeqCst).is_ok());
    }
}

pub(super) fn n_writes_a_read_two_threads(n: usize) {
    let x = x();
    for id in 1..=2 {
        spawn_with(&x, move |x| {
            for i in 0..n {
                x.store(id * 1000 + i, SeqCst);
            }
            x.load(SeqCst)
        });
    }
}

pub(super) fn redundant_co(n: usize) {
    let x = x();
    for id in 1..=2 {
        spawn_with(&x, move |x| {
            for i in 0..n {
                x.store(id * 1000 + i, SeqCst);
            }
        });
    }
    spawn_with(&x, |x| (x.load(SeqCst), x.load(SeqCst)));
}

pub(super) fn share_nothing(n: usize) {
    let thread = |i| {
        thread::spawn(move || {
            let own = AtomicUsize::new(0);
            own.store(i, SeqCst);
            assert_eq!(own.load(SeqCst), i);
        })
    };
    let threads: Vec<_> = (0..n).map(thread).collect();
    join_all(threads);
}

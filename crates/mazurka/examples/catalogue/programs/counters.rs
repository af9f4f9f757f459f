//! Counting under a lock, and over a channel.

use std::sync::Arc;

use mazurka::sync::Mutex;

use super::{join_all, spawn_with};

fn count(threads: usize, times: usize) {
    let counter = Arc::new(Mutex::new(0).with_label("counter"));
    let increment = move |counter: &Mutex<usize>| {
        for _ in 0..times {
            *counter.lock().unwrap() += 1;
        }
    };
    let threads: Vec<_> = (0..threads).map(|_| spawn_with(&counter, increment)).collect();
    let expected = threads.len() * times;
    join_all(threads);
    assert_eq!(*counter.lock().unwrap(), expected);
}

pub(super) fn mutex(n: usize) {
    count(n, 1);
}

pub(super) fn pthread_demo(n: usize) {
    count(2, n);
}

//! Counting under a lock, and over a channel.

use std::sync::Arc;

use mazurka::sync::{Mutex, mpsc};
use mazurka::thread;

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

pub(super) fn n_senders(n: usize) {
    let (sender, receiver) = mpsc::channel();
    for i in 0..n {
        let sender = sender.clone();
        thread::spawn(move || sender.send(i).unwrap());
    }
    let mut sum = 0;
    for _ in 0..n {
        sum += receiver.recv().unwrap();
    }
    assert_eq!(sum, n * (n - 1) / 2);
}

//! Locks that wait for each other.

use std::sync::Arc;

use mazurka::sync::{Condvar, Mutex};

use super::{join_all, spawn_named};

pub(super) fn dining_philosophers(n: usize) {
    let forks: Arc<Vec<_>> = Arc::new((0..n).map(|_| Mutex::new(()).with_label("fork")).collect());
    let philosopher = |i: usize| {
        spawn_named(format!("philosopher {i}"), &forks, move |forks: &Vec<Mutex<()>>| {
            let _left = forks[i].lock().unwrap();
            let _right = forks[(i + 1) % n].lock().unwrap();
        })
    };
    let philosophers: Vec<_> = (0..n).map(philosopher).collect();
    join_all(philosophers);
}

pub(super) fn abba_deadlock() {
    let accounts =
        Arc::new([Mutex::new(100).with_label("savings"), Mutex::new(100).with_label("checking")]);
    let transfer = |from: usize, to: usize| {
        move |accounts: &[Mutex<i32>; 2]| {
            let mut from = accounts[from].lock().unwrap();
            let mut to = accounts[to].lock().unwrap();
            *from -= 10;
            *to += 10;
        }
    };
    let save = spawn_named("save", &accounts, transfer(1, 0));
    let spend = spawn_named("spend", &accounts, transfer(0, 1));
    join_all([save, spend]);
}

/// The notification may come before anybody waits for it.
pub(super) fn missed_notification() {
    let shared = Arc::new((Mutex::new(false).with_label("ready"), Condvar::new()));
    let notifier = spawn_named("notifier", &shared, |(ready, changed): &(Mutex<bool>, Condvar)| {
        *ready.lock().unwrap() = true;
        changed.notify_one();
    });
    let waiter = spawn_named("waiter", &shared, |(ready, changed): &(Mutex<bool>, Condvar)| {
        let ready = ready.lock().unwrap();
        let ready = changed.wait(ready).unwrap();
        assert!(*ready);
    });
    join_all([notifier, waiter]);
}

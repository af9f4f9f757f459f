//! Locks made of loads and stores.

use std::sync::Arc;

use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka::{assume, thread};

use super::{join_all, spawn_named, spawn_with};

struct Lamport {
    x: AtomicUsize,
    y: AtomicUsize,
    /// By thread; the first one is number 1.
    b: Vec<AtomicBool>,
}

/// Lamport's second fast mutex, once for each thread. It waits by assumptions: where they do not
/// hold, the thread stops.
pub(super) fn lamport(n: usize) {
    let shared = Arc::new(Lamport {
        x: AtomicUsize::new(0).with_label("x"),
        y: AtomicUsize::new(0).with_label("y"),
        b: (0..=n).map(|_| AtomicBool::new(false).with_label("b")).collect(),
    });
    for i in 1..=n {
        spawn_with(&shared, move |shared| {
            shared.acquire(i);
            shared.y.store(0, SeqCst);
            shared.b[i].store(false, SeqCst);
        });
    }
}

impl Lamport {
    fn acquire(&self, i: usize) {
        loop {
            self.b[i].store(true, SeqCst);
            self.x.store(i, SeqCst);
            if self.y.load(SeqCst) != 0 {
                self.b[i].store(false, SeqCst);
                assume(self.y.load(SeqCst) == 0);
                continue;
            }
            self.y.store(i, SeqCst);
            if self.x.load(SeqCst) != i {
                self.b[i].store(false, SeqCst);
                for b in &self.b[1..] {
                    assume(!b.load(SeqCst));
                }
                if self.y.load(SeqCst) != i {
                    assume(self.y.load(SeqCst) == 0);
                    continue;
                }
            }
            return;
        }
    }
}

/// Two threads that try to acquire a lock `n` times at most. It does not exclude.
pub(super) fn opt_lock(n: usize) {
    let x = AtomicUsize::new(0).with_label("x");
    let y = AtomicUsize::new(0).with_label("y");
    let shared = Arc::new((x, y));
    for id in 1..=2 {
        spawn_with(&shared, move |(x, y)| {
            for _ in 0..n {
                x.store(id, SeqCst);
                y.store(1, SeqCst);
                if x.load(SeqCst) == id {
                    y.load(SeqCst);
                    break;
                }
            }
        });
    }
}

struct Peterson {
    interested: [AtomicBool; 2],
    turn: AtomicUsize,
    occupied: AtomicBool,
}

pub(super) fn peterson() {
    let flag = |label| AtomicBool::new(false).with_label(label);
    let shared = Arc::new(Peterson {
        interested: [flag("interested[0]"), flag("interested[1]")],
        turn: AtomicUsize::new(0).with_label("turn"),
        occupied: flag("occupied"),
    });
    join_all([0, 1].map(|me| {
        spawn_named(format!("p{me}"), &shared, move |shared: &Peterson| {
            let other = 1 - me;
            shared.interested[me].store(true, SeqCst);
            shared.turn.store(other, SeqCst);
            while shared.interested[other].load(SeqCst) && shared.turn.load(SeqCst) == other {
                thread::yield_now();
            }
            assert!(!shared.occupied.swap(true, SeqCst), "two in the critical section");
            shared.occupied.store(false, SeqCst);
            shared.interested[me].store(false, SeqCst);
        })
    }));
}

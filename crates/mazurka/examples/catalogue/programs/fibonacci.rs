//! Two sums that grow by each other.

use std::sync::Arc;

use mazurka::sync::atomic::{AtomicU64, Ordering::SeqCst};
use mazurka::thread::JoinHandle;

use super::{join_all, spawn_with};

struct Sums {
    i: AtomicU64,
    j: AtomicU64,
}

fn start(n: usize) -> (Arc<Sums>, [JoinHandle<()>; 2]) {
    let i = AtomicU64::new(1).with_label("i");
    let j = AtomicU64::new(1).with_label("j");
    let sums = Arc::new(Sums { i, j });
    let grow = move |sum: &AtomicU64, by: &AtomicU64| {
        for _ in 0..n {
            sum.store(sum.load(SeqCst).saturating_add(by.load(SeqCst)), SeqCst);
        }
    };
    let first = spawn_with(&sums, move |sums| grow(&sums.i, &sums.j));
    let second = spawn_with(&sums, move |sums| grow(&sums.j, &sums.i));
    (sums, [first, second])
}

/// Neither sum can get above what they get to by turns.
fn finish(n: usize, sums: &Sums) {
    let bound = fibonacci(2 * n + 2);
    let (i, j) = (sums.i.load(SeqCst), sums.j.load(SeqCst));
    assert!(i <= bound && j <= bound, "i = {i} and j = {j} with a bound of {bound}");
}

fn fibonacci(n: usize) -> u64 {
    (0..n).fold((0, 1_u64), |(this, next), _| (next, next.saturating_add(this))).0
}

pub(super) fn joined(n: usize) {
    let (sums, threads) = start(n);
    join_all(threads);
    finish(n, &sums);
}

pub(super) fn unjoined(n: usize) {
    let (sums, _threads) = start(n);
    finish(n, &sums);
}

//! Sequential consistency.

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use super::{outcomes, spawn_with, x_and_y};

#[test]
fn store_buffering_shows_what_sequential_consistency_allows() {
    let seen = outcomes(|| {
        let shared = x_and_y();
        let first = spawn_with(&shared, |(x, y)| {
            x.store(1, SeqCst);
            y.load(SeqCst)
        });
        let second = spawn_with(&shared, |(x, y)| {
            y.store(1, SeqCst);
            x.load(SeqCst)
        });
        (first.join().unwrap(), second.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(0, 1), (1, 0), (1, 1)]));
}

#[test]
fn independent_writes_are_seen_in_one_order() {
    let seen = outcomes(|| {
        let shared = x_and_y();
        spawn_with(&shared, |(x, _)| x.store(1, SeqCst));
        spawn_with(&shared, |(_, y)| y.store(1, SeqCst));
        let first = spawn_with(&shared, |(x, y)| [x.load(SeqCst), y.load(SeqCst)]);
        let second = spawn_with(&shared, |(x, y)| [y.load(SeqCst), x.load(SeqCst)]);
        (first.join().unwrap(), second.join().unwrap())
    });
    let pairs = [[0, 0], [0, 1], [1, 0], [1, 1]];
    let mut allowed: BTreeSet<_> = pairs.iter().flat_map(|a| pairs.map(|b| (*a, b))).collect();
    allowed.remove(&([1, 0], [1, 0]));
    assert_eq!(seen, allowed);
}

#[test]
fn a_message_is_there_when_its_flag_is() {
    let seen = outcomes(|| {
        let shared = x_and_y();
        spawn_with(&shared, |(data, flag)| {
            data.store(1, SeqCst);
            flag.store(1, SeqCst);
        });
        (shared.1.load(SeqCst), shared.0.load(SeqCst))
    });
    assert_eq!(seen, BTreeSet::from([(0, 0), (0, 1), (1, 1)]));
}

#[test]
fn two_reads_of_one_variable_do_not_go_back() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        spawn_with(&x, |x| {
            x.store(1, SeqCst);
            x.store(2, SeqCst);
        });
        (x.load(SeqCst), x.load(SeqCst))
    });
    assert_eq!(seen, BTreeSet::from([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]));
}

#[test]
fn a_compare_exchange_has_one_winner() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let threads = [1, 2, 3]
            .map(|i| spawn_with(&x, move |x| x.compare_exchange(0, i, SeqCst, SeqCst).is_ok()));
        let winners = threads.map(|thread| thread.join().unwrap());
        assert_eq!(winners.iter().filter(|wins| **wins).count(), 1);
        (winners, x.load(SeqCst))
    });
    assert_eq!(seen.len(), 3);
}

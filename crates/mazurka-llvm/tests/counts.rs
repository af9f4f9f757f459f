//! What the explorers count on programs of the catalogue, from an independent tool's figures.

mod common;

use common::{catalogue, check};
use mazurka_core::explore::Algorithm::{self, Observers, Optimal, Source};

#[track_caller]
fn counts(name: &str, n: u32, algorithms: &[Algorithm], executions: u64) {
    let program = catalogue(name, n);
    for algorithm in algorithms {
        let verdict = check(&program, *algorithm);
        assert_eq!(verdict.executions, executions, "{name}({n}) with {algorithm}");
    }
}

const ALL: &[Algorithm] = &[Source, Optimal, Observers];
const WITHOUT: &[Algorithm] = &[Source, Optimal];
const WITH: &[Algorithm] = &[Observers];

#[test]
fn lastwrite() {
    counts("lastwrite", 2, WITHOUT, 2);
    counts("lastwrite", 7, WITHOUT, 5040);
    counts("lastwrite", 7, WITH, 7);
}

#[test]
fn floating_read() {
    counts("floating_read", 6, WITHOUT, 5040);
    counts("floating_read", 6, WITH, 6 * 32 + 1);
}

#[test]
fn fib_bench() {
    counts("fib_bench_unjoined", 3, ALL, 1698);
    for (n, executions) in [(1, 3), (2, 19), (3, 141), (4, 1107)] {
        counts("fib_bench", n, ALL, executions);
    }
}

#[test]
fn lamport() {
    for (algorithm, executions, blocked) in
        [(Source, 16, 16), (Optimal, 16, 16), (Observers, 14, 12)]
    {
        let verdict = check(&catalogue("lamport", 2), algorithm);
        assert_eq!((verdict.executions, verdict.blocked), (executions, blocked), "{algorithm}");
    }
    let verdict = check(&catalogue("lamport", 3), Optimal);
    assert_eq!((verdict.executions, verdict.blocked), (9216, 11525));
}

#[test]
fn opt_lock() {
    for (n, without, with) in [(2, 42, 26), (3, 126, 42), (4, 346, 58), (5, 922, 74)] {
        counts("opt_lock", n, &[Optimal], without);
        counts("opt_lock", n, WITH, with);
    }
}

#[test]
fn lastzero() {
    for (n, executions) in [(4, 28), (5, 64), (6, 144), (7, 320)] {
        counts("lastzero", n, ALL, executions);
    }
}

#[test]
fn locks() {
    counts("pthread_demo", 5, ALL, 252);
    counts("mutex_counter", 5, ALL, 120);
    counts("indexer", 12, &[Optimal, Observers], 8);
    counts("indexer", 13, &[Optimal, Observers], 64);
}

#[test]
fn others() {
    counts("readers", 8, ALL, 256);
    counts("casrot", 6, &[Optimal, Observers], 144);
    counts("casrot", 8, &[Optimal, Observers], 2048);
    counts("n_writes_a_read_two_threads", 5, &[Optimal], 672);
    counts("n_writes_a_read_two_threads", 5, WITH, 20);
    counts("redundant_co", 3, &[Optimal], 560);
    counts("redundant_co", 3, WITH, 181);
}

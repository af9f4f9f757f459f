//! The programs of the observers paper.

mod common;

use common::{count, program};
use mazurka_core::explore::Algorithm;

#[test]
fn lock_has_as_many_executions_as_in_the_paper() {
    for (n, optimal, observers) in [(2, 4, 2), (3, 30, 6), (4, 336, 24), (5, 5040, 120)] {
        let lock = || program("lock", &format!("lock:test({n})")).ignore_deadlocks(true);
        assert_eq!(count(lock(), Algorithm::Optimal), optimal, "optimal, {n}");
        assert_eq!(count(lock(), Algorithm::Observers), observers, "observers, {n}");
    }
}

#[test]
fn selective_has_one_execution_with_observers() {
    for (n, optimal) in [(2, 2), (3, 6), (4, 24), (5, 120), (6, 720)] {
        let selective = || program("selective", &format!("selective:test({n})"));
        assert_eq!(count(selective(), Algorithm::Optimal), optimal, "optimal, {n}");
        assert_eq!(count(selective(), Algorithm::Observers), 1, "observers, {n}");
    }
}

#[test]
fn not_selective_has_one_execution_per_order() {
    for (n, orders) in [(2, 2), (3, 6), (4, 24), (5, 120), (6, 720)] {
        let program = || program("not_selective", &format!("not_selective:test({n})"));
        assert_eq!(count(program(), Algorithm::Optimal), orders, "optimal, {n}");
        assert_eq!(count(program(), Algorithm::Observers), orders, "observers, {n}");
    }
}

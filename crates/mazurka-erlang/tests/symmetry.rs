//! Processes that are interchangeable, and programs that tell them apart.

mod common;

use common::{exhaustive, program};
use mazurka_core::explore::Checkable;
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::{Verdict, ViolationKind};
use mazurka_erlang::Delivery;

fn check(call: &str, algorithm: Algorithm, symmetry: Option<bool>) -> Verdict {
    let program = program("alike", &format!("alike:{call}()")).ignore_deadlocks(true);
    program.check(&Options { symmetry, ..exhaustive(algorithm) }, &mut ())
}

/// Returns the numbers of executions of `optimal` without symmetry and with it. The program must be right.
fn counts(call: &str, twins: u32) -> [u64; 2] {
    [false, true].map(|symmetry| {
        let verdict = check(call, Algorithm::Optimal, Some(symmetry));
        assert!(verdict.violations.is_empty(), "{call}: {:#?}", verdict.violations);
        assert_eq!(verdict.twins, if symmetry { twins } else { 0 }, "{call}");
        assert_eq!(verdict.blocked, 0, "{call}");
        verdict.executions
    })
}

#[test]
fn every_order_of_three_processes_is_a_permutation_of_one() {
    for call in ["senders", "by_name", "with_options", "compared", "tickets"] {
        assert_eq!(counts(call, 3), [6, 1], "{call}");
    }
    assert_eq!(counts("adders", 3), [1, 1]);
}

/// How many processes read before the write decides, and not which.
#[test]
fn reads_before_and_after_a_write() {
    assert_eq!(counts("readers", 3), [8, 4]);
}

#[test]
fn processes_that_were_started_otherwise_are_no_twins() {
    for (call, executions) in [("arguments", 6), ("priorities", 6), ("zeros", 2), ("between", 3)] {
        assert_eq!(counts(call, 0), [executions; 2], "{call}");
    }
}

#[test]
fn observers_reduces_symmetry_by_default() {
    for (symmetry, executions) in [(None, 1), (Some(true), 1), (Some(false), 6)] {
        assert_eq!(check("tickets", Algorithm::Observers, symmetry).executions, executions);
    }
    assert_eq!(check("tickets", Algorithm::Optimal, None).executions, 6);
}

#[test]
fn a_violation_is_found_in_one_of_the_permutations() {
    for algorithm in [Algorithm::Observers, Algorithm::Optimal, Algorithm::Naive] {
        let [all, some] = [false, true].map(|symmetry| check("updates", algorithm, Some(symmetry)));
        assert_eq!(all.violations.len(), some.violations.len(), "{algorithm}");
        assert_eq!(some.violations[0].kind, ViolationKind::Crash, "{algorithm}");
        assert!(some.executions < all.executions, "{algorithm}");
    }
}

#[test]
fn programs_that_tell_processes_apart_are_explored_without_symmetry() {
    let calls = [
        "pids",
        "order",
        "references",
        "integers",
        "addressed",
        "later",
        "children",
        "timers",
        "monitored",
        "linked",
        "alive",
        "named",
        "random",
    ];
    for call in calls {
        for algorithm in [Algorithm::Optimal, Algorithm::Observers, Algorithm::Naive] {
            let [all, some] = [false, true].map(|symmetry| check(call, algorithm, Some(symmetry)));
            let about = format!("{call}, {algorithm}");
            assert_eq!(all.executions, some.executions, "{about}");
            assert_eq!(some.twins, 0, "{about}");
            assert_eq!(all.violations, some.violations, "{about}");
            assert!(!all.violations.is_empty(), "{about}");
        }
    }
}

/// A channel is a process that the sender creates.
#[test]
fn messages_in_flight_tell_senders_apart() {
    let program = program("alike", "alike:senders()").delivery(Delivery::Pairwise);
    let [all, some] = [false, true].map(|symmetry| {
        let options = Options { symmetry: Some(symmetry), ..exhaustive(Algorithm::Optimal) };
        program.check(&options, &mut ())
    });
    assert_eq!((all.executions, some.twins), (some.executions, 0));
}

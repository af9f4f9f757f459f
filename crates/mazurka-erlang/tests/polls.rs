//! Loops that poll a number run no iterations in vain.

mod common;

use common::{outcomes, program, verdict};
use mazurka_core::search::Algorithm;
use mazurka_core::verdict::ViolationKind;
use mazurka_erlang::ErlangProgram;

fn polls(call: &str) -> ErlangProgram {
    let program = program("polls", &format!("polls:{call}")).treat_as_normal("killed");
    // The owner of the table waits for ever.
    program.ignore_deadlocks(
        ["table_killed()", "table_deleted()", "table_unnamed()", "name_killed()"].contains(&call),
    )
}

/// The number of executions of `observers`. Processes that take a lock do so in every order, and a process that
/// polls needs no execution for each value that it could have read before.
const EXECUTIONS: [(&str, u64); 23] = [
    ("last(1)", 1),
    ("last(16)", 1),
    ("tickets(2)", 2),
    ("tickets(3)", 6),
    ("tickets(4)", 24),
    ("locks(2)", 2),
    ("locks(3)", 6),
    ("locks(4)", 24),
    ("counted()", 2),
    ("killed()", 4),
    // The put comes before the first, second or third read, or after all of them.
    ("counting()", 4),
    ("spawning()", 1),
    ("table_last(1)", 1),
    ("table_last(16)", 1),
    ("table_deleted()", 1),
    ("table_emptied()", 1),
    ("table_private()", 1),
    ("table_named(16)", 1),
    ("table_unnamed()", 1),
    ("name_given(1)", 1),
    ("name_given(4)", 1),
    // The name is free at the start, and at the end.
    ("name_taken()", 2),
    ("name_passed_on()", 1),
];

#[test]
fn failed_iterations_are_not_run() {
    for (call, executions) in EXECUTIONS {
        let verdict = verdict(&polls(call), Algorithm::Observers);
        assert_eq!((verdict.executions, verdict.blocked), (executions, 0), "{call}");
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{call}");
    }
}

#[test]
fn every_explorer_runs_each_trace() {
    let algorithms = [Algorithm::Optimal, Algorithm::Unfolding, Algorithm::DataCentric];
    let tables = [
        "table_last(2)",
        "table_deleted()",
        "table_emptied()",
        "table_killed()",
        "table_named(2)",
        "table_unnamed()",
    ];
    let numbers =
        ["last(2)", "tickets(2)", "locks(2)", "counted()", "killed()", "counting()", "spawning()"];
    let names = ["name_given(2)", "name_taken()", "name_passed_on()", "name_killed()"];
    for call in numbers.into_iter().chain(tables).chain(names) {
        let (all, _) = outcomes(&polls(call), Algorithm::Naive);
        for algorithm in algorithms {
            let (found, verdict) = outcomes(&polls(call), algorithm);
            assert_eq!(found.ends, all.ends, "{call}, {algorithm}");
            assert_eq!(verdict.blocked, 0, "{call}, {algorithm}");
            if algorithm != Algorithm::DataCentric {
                assert_eq!(verdict.executions, all.traces.len() as u64, "{call}, {algorithm}");
            }
        }
    }
}

#[test]
fn a_poll_that_never_ends_is_a_livelock() {
    // Servers may wait for ever, but no process may loop for ever.
    for program in [polls("never()"), polls("never()").ignore_deadlocks(true)] {
        let violation = verdict(&program, Algorithm::Observers).violations.remove(0);
        assert_eq!(violation.kind, ViolationKind::Livelock);
        let text = violation.message;
        assert!(text.contains("P loops as long as number 1 of the array #Ref<P.1> is 1"), "{text}");
    }
}

#[test]
fn a_poll_of_a_name_that_never_ends_is_a_livelock() {
    let violation = verdict(&polls("name_never()"), Algorithm::Observers).violations.remove(0);
    assert_eq!(violation.kind, ViolationKind::Livelock);
    let text = violation.message;
    assert!(text.contains("P loops as long as no process has the name two"), "{text}");
}

#[test]
fn a_poll_of_an_entry_that_never_ends_is_a_livelock() {
    let violation = verdict(&polls("table_never()"), Algorithm::Observers).violations.remove(0);
    assert_eq!(violation.kind, ViolationKind::Livelock);
    let text = violation.message;
    assert!(text.contains("P loops as long as the table #Ref<P.1> has the objects []"), "{text}");
}

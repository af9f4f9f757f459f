//! The ledger of clusters, checked by Mazurka: `examples/cluster_ledger.rs`.

#[path = "../examples/cluster_ledger.rs"]
mod example;

use example::{Protocol, search};
use mazurka::Check;
use mazurka_core::verdict::Verdict;

fn check(protocol: Protocol) -> Verdict {
    Check::new().run(move || search(protocol))
}

/// Checks a mistake, and returns the message of the violation.
fn message(mistake: Protocol) -> String {
    let verdict = check(mistake);
    verdict.violations.first().expect("the mistake is found").message.clone()
}

#[test]
fn every_execution_of_every_branch_is_counted_once() {
    let verdict = check(Protocol::default());
    assert!(verdict.violations.is_empty() && verdict.is_complete(), "{:?}", verdict.violations);
    assert!(verdict.executions > 1000, "{}", verdict.executions);
}

#[test]
fn a_late_result_adds_no_branch_to_a_fork_that_is_forgotten() {
    let message = message(Protocol { applies_late: true, ..Protocol::default() });
    assert!(message.contains("every execution is counted once"), "{message}");
}

#[test]
fn the_second_result_of_a_part_does_not_count() {
    let message = message(Protocol { counts_duplicates: true, ..Protocol::default() });
    assert!(message.contains("every execution is counted once"), "{message}");
}

#[test]
fn later_branches_are_not_asleep() {
    let message = message(Protocol { forgets_order: true, ..Protocol::default() });
    let is_found = ["every execution is counted once", "other branches are asleep"];
    assert!(is_found.iter().any(|found| message.contains(found)), "{message}");
}

#[test]
fn acknowledging_first_loses_parts() {
    let message = message(Protocol { acknowledges_first: true, ..Protocol::default() });
    assert!(message.contains("a part of the search is lost"), "{message}");
}

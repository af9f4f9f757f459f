//! The protocol of clusters, checked by Mazurka: `examples/cluster_protocol.rs`.

#[path = "../examples/cluster_protocol.rs"]
mod example;

use example::{Protocol, search};
use mazurka::Check;
use mazurka_core::verdict::Verdict;

fn check(protocol: Protocol) -> Verdict {
    Check::new().run(move || search(protocol))
}

#[test]
fn all_executions_are_counted_once() {
    for sweeps in [false, true] {
        let verdict = check(Protocol { sweeps, ..Protocol::default() });
        assert!(verdict.violations.is_empty() && verdict.is_complete(), "{:?}", verdict.violations);
        assert!(verdict.executions > 100, "{}", verdict.executions);
    }
}

#[test]
fn acknowledging_first_loses_parts() {
    let wrong = Protocol { acknowledges_first: true, ..Protocol::default() };
    let verdict = check(wrong);
    assert!(verdict.violations[0].message.contains("a part of the search is lost"));
    // Publishing open parts again when the queue is empty makes up for it.
    let verdict = check(Protocol { sweeps: true, ..wrong });
    assert!(verdict.violations.is_empty() && verdict.is_complete(), "{:?}", verdict.violations);
}

#[test]
fn counting_duplicates_counts_too_much() {
    let verdict = check(Protocol { counts_duplicates: true, ..Protocol::default() });
    assert!(!verdict.violations.is_empty());
}

#[test]
fn a_job_that_has_ended_is_not_begun_again() {
    let verdict = check(Protocol { overlooks_end: true, ..Protocol::default() });
    assert!(verdict.violations[0].message.contains("a job that has ended begins again"));
}

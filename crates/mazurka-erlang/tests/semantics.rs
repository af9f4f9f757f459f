//! What processes can do to each other: every explorer finds the same outcomes as the one that
//! tries every interleaving.

mod common;

use common::{outcomes, program, verdict};
use mazurka_core::explore::Algorithm;

/// Checks a program of the catalogue: what it prints, in all its executions; the reasons for which
/// processes may end; and how many executions there are with `optimal` and with `observers`.
fn check(name: &str, call: &str, normal: &[&str], printed: &[&str], counts: (u64, u64)) {
    let mut program = program(name, &format!("{name}:{call}")).ignore_deadlocks(true);
    for reason in normal {
        program = program.treat_as_normal(*reason);
    }
    let all = outcomes(&program, Algorithm::Naive);
    let found: Vec<&str> = all.iter().map(|outcome| outcome.printed.trim_end()).collect();
    let mut found = found.into_iter().map(str::to_owned).collect::<Vec<_>>();
    found.sort();
    found.dedup();
    assert_eq!(found, printed, "{name}:{call}");
    let explorers = [Algorithm::Source, Algorithm::Optimal, Algorithm::Observers, Algorithm::Dpor];
    for algorithm in explorers {
        assert_eq!(outcomes(&program, algorithm), all, "{name}:{call} with {algorithm:?}");
    }
    let executions = |algorithm| verdict(&program, algorithm).executions;
    let found = (executions(Algorithm::Optimal), executions(Algorithm::Observers));
    assert_eq!(found, counts, "executions of {name}:{call} with optimal and observers");
}

#[test]
fn links() {
    // The child ends and tells the first process: one order.
    check("links", "trapped()", &["bye"], &["bye"], (1, 1));
    check("links", "untrapped()", &["bye"], &["heard", "not_heard"], (0, 0));
    check("links", "killed()", &["killed"], &["killed"], (0, 0));
    check("links", "normal()", &[], &["done"], (0, 0));
    check("links", "race_with_trap()", &["bye", "trapped"], &["bye", "{trapped,bye}"], (0, 0));
    check("links", "unlinked()", &["bye"], &["bye", "nothing"], (0, 0));
}

#[test]
fn monitors() {
    check("monitors", "end_of_child()", &["bye"], &["bye"], (1, 1));
    check("monitors", "gone()", &[], &["noproc", "normal"], (0, 0));
    check("monitors", "demonitored()", &[], &["no_news"], (0, 0));
    let all = ["{reply,none}", "{timeout,late}", "{timeout,none}"];
    check("monitors", "alias()", &[], &all, (0, 0));
}

#[test]
fn names() {
    check("names", "race()", &[], &["found", "undefined"], (0, 0));
    check("names", "gone()", &[], &["undefined"], (0, 0));
    check("names", "send()", &[], &["badarg", "world"], (0, 0));
    check("names", "twice()", &[], &["[got_it,taken]"], (0, 0));
}

#[test]
fn timers() {
    check("timers", "fires()", &[], &["tick"], (1, 1));
    check("timers", "cancelled()", &[], &["in_time", "too_late"], (0, 0));
    check("timers", "timeout()", &[], &["hello", "timeout"], (0, 0));
    check("timers", "two()", &[], &["{one,two}", "{two,one}"], (0, 0));
}

#[test]
fn tables() {
    check("tables", "lost_update()", &[], &["[{x,1}]", "[{x,2}]"], (0, 0));
    check("tables", "counter()", &[], &["[{x,2}]"], (0, 0));
    check("tables", "keys()", &[], &["[{a,a},{b,b}]"], (0, 0));
    check("tables", "owner()", &[], &["{false,undefined}", "{true,undefined}"], (0, 0));
    check("tables", "insert_new()", &[], &["{[false,true],1}", "{[false,true],2}"], (0, 0));
}

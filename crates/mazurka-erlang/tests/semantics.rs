//! What processes can do to each other: every explorer finds the same outcomes as the one that
//! tries every interleaving, and `optimal` runs as many executions as there are traces among those.

mod common;

use common::{outcomes, program};
use mazurka_core::explore::Algorithm;

/// Checks a program: what it prints, in all its executions, and the reasons for which its processes
/// may end.
fn check(name: &str, call: &str, normal: &[&str], printed: &[&str]) {
    let mut program = program(name, &format!("{name}:{call}")).ignore_deadlocks(true);
    for reason in normal {
        program = program.treat_as_normal(*reason);
    }
    let (all, naive) = outcomes(&program, Algorithm::Naive);
    let mut found: Vec<&str> = all.ends.iter().map(|end| end.printed.trim_end()).collect();
    found.dedup();
    assert_eq!(found, printed, "{name}:{call}");
    assert!(naive.violations.is_empty(), "{name}:{call}: {:?}", naive.violations);
    for algorithm in [Algorithm::Dpor, Algorithm::Source, Algorithm::Optimal, Algorithm::Observers]
    {
        let (some, verdict) = outcomes(&program, algorithm);
        assert_eq!(some.ends, all.ends, "{name}:{call} with {algorithm:?}");
        let (executions, traces) = (verdict.executions, all.traces.len() as u64);
        println!("{name}:{call}: {algorithm:?} {executions} of {traces}, {}", verdict.blocked);
        match algorithm {
            Algorithm::Optimal => assert_eq!(executions, traces, "{name}:{call} with optimal"),
            Algorithm::Observers => assert!(executions <= traces, "{name}:{call}: {executions}"),
            _ => assert!(executions >= traces, "{name}:{call}: {executions}"),
        }
    }
}

#[test]
fn links() {
    check("links", "trapped()", &["bye"], &["bye"]);
    check("links", "untrapped()", &["bye"], &["heard", "not_heard"]);
    check("links", "killed()", &["killed"], &["killed"]);
    check("links", "normal()", &[], &["done"]);
    check("links", "race_with_trap()", &["bye", "trapped"], &["bye", "{trapped,bye}"]);
    check("links", "unlinked()", &["bye"], &["bye", "nothing"]);
}

#[test]
fn monitors() {
    check("monitors", "end_of_child()", &["bye"], &["bye"]);
    check("monitors", "gone()", &[], &["noproc", "normal"]);
    check("monitors", "demonitored()", &[], &["no_news"]);
    check("monitors", "late()", &[], &["{reply,none}", "{timeout,late}", "{timeout,none}"]);
}

#[test]
fn names() {
    check("names", "race()", &[], &["found", "undefined"]);
    check("names", "gone()", &[], &["undefined"]);
    check("names", "send()", &[], &["badarg", "world"]);
    check("names", "twice()", &[], &["[got_it,taken]"]);
}

#[test]
fn timers() {
    check("timers", "fires()", &[], &["tick"]);
    check("timers", "cancelled()", &[], &["in_time", "too_late"]);
    check("timers", "timeout()", &[], &["hello", "timeout"]);
    check("timers", "two()", &[], &["{one,two}", "{two,one}"]);
}

#[test]
fn tables() {
    check("tables", "lost_update()", &[], &["[{x,1}]", "[{x,2}]"]);
    check("tables", "counter()", &[], &["[{x,2}]"]);
    check("tables", "keys()", &[], &["[{a,a},{b,b}]"]);
    check("tables", "owner()", &[], &["{false,undefined}", "{true,undefined}"]);
    check("tables", "insert_new()", &[], &["{[false,true],1}", "{[false,true],2}"]);
}

#[test]
fn shared() {
    check("shared", "add()", &[], &["{3,-3}"]);
    check("shared", "lost()", &[], &["1", "2"]);
    check("shared", "exchange()", &[], &["1", "2"]);
    check("shared", "counted()", &[], &["10"]);
    check("shared", "processes()", &[], &["1", "2"]);
    check("shared", "rename()", &[], &["{false,true}", "{true,false}", "{true,true}"]);
}

//! Behaviours of OTP, run as they are installed.

mod common;

use common::{outcomes, program};
use mazurka_core::explore::Algorithm;

/// What a program prints, in all its executions; timeouts of calls do not fire.
fn prints(name: &str, call: &str, normal: &[&str], printed: &[&str]) {
    let mut program = program(name, &format!("{name}:{call}"));
    program = program.ignore_deadlocks(true).never_after(1000);
    for reason in normal {
        program = program.treat_as_normal(*reason);
    }
    for algorithm in [Algorithm::Optimal, Algorithm::Observers] {
        let (all, verdict) = outcomes(&program, algorithm);
        assert!(verdict.violations.is_empty(), "{name}:{call}: {:?}", verdict.violations);
        let mut found: Vec<&str> = all.ends.iter().map(|end| end.printed.trim_end()).collect();
        found.dedup();
        assert_eq!(found, printed, "{name}:{call} with {algorithm:?}");
    }
}

#[test]
fn a_gen_server_answers_calls() {
    prints("server", "call()", &[], &["42"]);
    prints("server", "cast()", &[], &["10", "11"]);
    prints("server", "clients(2)", &[], &["[1,2]"]);
    let gone = "{'EXIT',{noproc,{gen_server,call,[<P.1>,get]}}}";
    let ended = "{'EXIT',{normal,{gen_server,call,[<P.1>,get]}}}";
    prints("server", "stop()", &[], &[gone, ended]);
}

#[test]
fn a_call_may_time_out() {
    let program = program("server", "server:call()").ignore_deadlocks(true);
    let (_, verdict) = outcomes(&program, Algorithm::Observers);
    let violation = &verdict.violations[0].message;
    assert!(violation.contains("{timeout,{gen_server,call,"), "{violation}");
    assert!(violation.contains("server.erl, line 18"), "{violation}");
}

#[test]
fn a_supervisor_starts_its_child_again() {
    prints("restarts", "restart()", &["crash", "shutdown", "killed"], &["true"]);
}

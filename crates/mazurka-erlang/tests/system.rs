//! System processes of a node, and what programs ask of the machine.

mod common;

use common::{program, verdict};
use mazurka_core::search::Algorithm;
use mazurka_core::verdict::Verdict;

fn check(call: &str) -> Verdict {
    let program = program("system", &format!("system:{call}()"));
    let program = program.never_after(5000).ignore_deadlocks(true);
    let program = program.treat_as_normal("shutdown").treat_as_normal("killed");
    verdict(&program, Algorithm::Observers)
}

#[test]
fn system_processes_run_where_programs_use_them() {
    for call in
        ["applications", "race", "environment", "logging", "names", "paths", "requests", "timers"]
    {
        let verdict = check(call);
        assert_eq!(verdict.violations, [], "{call}");
        assert!(verdict.is_complete(), "{call}");
        println!("{call}: {} executions", verdict.executions);
    }
}

#[test]
fn heirs_inherit_tables() {
    let verdict = check("heirs");
    assert!(verdict.is_complete());
    assert_eq!(verdict.violations, []);
}

#[test]
fn applications_are_started_before_the_call() {
    if !std::path::Path::new("/usr/lib/erlang/lib/poolboy-1.5.2").is_dir() {
        println!(
            "skipped: erlang-poolboy is not installed (on Debian: apt install erlang-poolboy)"
        );
        return;
    }
    let program = program("system", "system:started([poolboy, stdlib, kernel])");
    let program = program.starting("poolboy").never_after(5000);
    let verdict = verdict(&program, Algorithm::Observers);
    assert_eq!(verdict.violations, []);
    assert_eq!(verdict.executions, 1);
}

#[test]
fn an_application_that_does_not_exist_is_named() {
    let program = program("system", "system:started([])").starting("missing");
    let verdict = verdict(&program, Algorithm::Observers);
    let text = &verdict.violations[0].message;
    assert!(text.starts_with("the application `missing` cannot be started: {error"), "{text}");
}

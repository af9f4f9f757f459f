//! Libraries as Debian packages them, which other releases of OTP have compiled.
//!
//! A test whose package is missing says so, and passes.

mod common;

use std::path::Path;

use common::{program, verdict};
use mazurka_core::search::Algorithm;
use mazurka_erlang::ErlangProgram;

/// Checks calls that need a library; `module` is one of its modules.
fn check(package: &str, module: &str, calls: &[&str]) {
    let directories = std::fs::read_dir("/usr/lib/erlang/lib");
    let mut directories = directories.into_iter().flatten().flatten();
    let file = format!("ebin/{module}.beam");
    if !directories.any(|directory| directory.path().join(&file).is_file()) {
        println!("skipped: {package} is not installed (on Debian: apt install {package})");
        return;
    }
    for call in calls {
        let program = program("libraries", &format!("libraries:{call}()"));
        let program = program.ignore_deadlocks(true).never_after(5000).treat_as_normal("shutdown");
        let verdict = verdict(&program, Algorithm::Observers);
        assert!(verdict.is_complete(), "{call}");
        assert_eq!(verdict.violations, [], "{call}");
        println!("{call}: {} executions", verdict.executions);
    }
}

#[test]
fn poolboy() {
    check("erlang-poolboy", "poolboy", &["pool", "full_pool"]);
}

#[test]
fn p1_utils() {
    check("erlang-p1-utils", "p1_queue", &["queue", "server"]);
}

/// The application itself compiles modules while it runs, which is not supported.
#[test]
fn lager() {
    check("erlang-lager", "lager_format", &["formats", "settings"]);
}

#[test]
fn tests_of_eunit_are_run_by_name() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/counting_tests.erl");
    let open =
        |test: &str| ErlangProgram::eunit(std::slice::from_ref(&file), &[], "counting_tests", test);
    for test in ["fast_test", "all_test_"] {
        let program = open(test).unwrap_or_else(|error| panic!("{error}"));
        let verdict = verdict(&program, Algorithm::Observers);
        assert!(verdict.is_complete(), "{test}");
        assert_eq!(verdict.violations, [], "{test}");
    }
    let program = open("slow_test").unwrap_or_else(|error| panic!("{error}"));
    let verdict = verdict(&program, Algorithm::Observers);
    assert!(verdict.violations[0].message.contains("{badmatch,1}"), "{:?}", verdict.violations);
    let unknown = open("fast").expect_err("there is no such test").to_string();
    assert!(unknown.contains("has no test `fast`; it has "), "{unknown}");
    assert!(unknown.contains("`fast_test`"), "{unknown}");
}

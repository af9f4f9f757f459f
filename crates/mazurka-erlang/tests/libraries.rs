//! Libraries as Debian packages them, which other releases of OTP have compiled.
//!
//! A test whose package is missing says so, and passes.

mod common;

use common::{program, verdict};
use mazurka_core::search::Algorithm;

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

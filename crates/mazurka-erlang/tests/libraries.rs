//! Libraries as Debian packages them, which other releases of OTP have compiled.
//!
//! A test whose package is missing says so, and passes.

mod common;

use std::path::Path;

use common::{outcomes, program, verdict};
use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::ViolationKind;
use mazurka_erlang::ErlangProgram;

/// Returns whether a library with this module is installed.
fn is_installed(module: &str) -> bool {
    let directories = std::fs::read_dir("/usr/lib/erlang/lib");
    let mut directories = directories.into_iter().flatten().flatten();
    let file = format!("ebin/{module}.beam");
    directories.any(|directory| directory.path().join(&file).is_file())
}

/// Checks calls that need a library; `module` is one of its modules.
fn check(package: &str, module: &str, calls: &[&str]) {
    if !is_installed(module) {
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

#[test]
fn lager() {
    check("erlang-lager", "lager_format", &["formats", "settings"]);
}

/// The application compiles and loads modules while it runs.
#[test]
fn the_application_lager_logs() {
    if !is_installed("lager_app") {
        println!("skipped: erlang-lager is not installed (on Debian: apt install erlang-lager)");
        return;
    }
    let environment = "[{handlers,[{lager_console_backend,[{level,info}]}]},{crash_log,undefined},\
                       {error_logger_redirect,false}]";
    let program = program("libraries", "libraries:logs()").ignore_deadlocks(true);
    let program = program.never_after(1000).starting(format!("lager{environment}"));
    let (all, verdict) = outcomes(&program, Algorithm::Observers);
    assert_eq!(verdict.violations, []);
    let prints = |texts: [&str; 2]| {
        let in_order = |text: &str| Some(text.find(texts[0])? < text.find(texts[1])?);
        all.ends.iter().any(|end| in_order(&end.printed) == Some(true))
    };
    assert!(prints(["hello 1", "hello 2"]) && prints(["hello 2", "hello 1"]), "{:?}", all.ends);
}

#[test]
fn an_application_that_needs_files_is_refused_by_name() {
    if !is_installed("mnesia") {
        println!("skipped: erlang-mnesia is not installed (on Debian: apt install erlang-mnesia)");
        return;
    }
    let program = program("libraries", "libraries:queue()").starting("mnesia");
    let error = program.start().expect_err("mnesia needs files").message;
    assert_eq!(
        error,
        "the application `mnesia` cannot be started: it uses the system process `file_server_2`, \
         which Mazurka does not run"
    );
}

/// The application writes files, and replaces handlers of the system. Mazurka names what it lacks, also where
/// processes of the application use it.
#[test]
fn the_application_lager_is_refused_by_name() {
    if !is_installed("lager_app") {
        println!("skipped: erlang-lager is not installed (on Debian: apt install erlang-lager)");
        return;
    }
    let files = ("with_files", "the system process `file_server_2`");
    let handlers = ("without_handlers", "the system process `logger_sup`");
    for (call, missing) in [files, handlers] {
        let program = program("libraries", &format!("libraries:{call}()")).never_after(5000);
        // The start of an application has too many executions to run all of them.
        let options = Options { algorithm: Algorithm::Observers, ..Options::default() };
        let verdict = program.check(&options, &mut ());
        let violation = &verdict.violations[0];
        assert_eq!(violation.kind, ViolationKind::Unsupported, "{call}: {violation}");
        assert!(violation.message.contains(missing), "{call}: {violation}");
    }
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

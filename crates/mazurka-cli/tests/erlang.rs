//! `mazurka check` on Erlang programs.

use std::process::{Command, Output};

fn mazurka(arguments: &[&str]) -> Output {
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../programs");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.args(arguments).current_dir(programs).output().expect("the command starts")
}

#[test]
fn a_program_is_checked_and_counted() {
    let call = ["check", "lock.erl", "--call", "lock:test(3)", "--ignore", "deadlock", "--json"];
    let output = mazurka(&call);
    let json = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{json}");
    let json = json.replace(' ', "");
    assert!(json.contains("\"executions\":6,"), "{json}");
    assert!(json.contains("\"complete\":true"), "{json}");
}

#[test]
fn a_deadlock_is_told_in_the_words_of_the_program() {
    let output = mazurka(&["check", "lock.erl", "--call", "lock:test(1)", "-pa", "."]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("P.1 waits for {acquire,_} in lock:lock/0"), "{text}");
    assert!(text.contains("<P.1> ! {acquire,<P.2>}"), "{text}");
}

#[test]
fn what_is_missing_is_said() {
    let output = mazurka(&["check", "lock.erl"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("--call 'lock:test(4)'"), "{text}");
    let output = mazurka(&["check", "lock.erl", "--call", "lock:nothing(4)"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("there is no function lock:nothing/1"), "{text}");
}

/// The programs of the tests of the Erlang front end.
const TESTS: &str = "../crates/mazurka-erlang/tests/programs";

#[test]
fn messages_in_flight_are_overtaken() {
    let file = format!("{TESTS}/flights.erl");
    let check = |delivery: &str| {
        let call = ["check", &file, "--call", "flights:triangle()", "--delivery", delivery];
        mazurka(&call)
    };
    assert_eq!(check("instant").status.code(), Some(0));
    let output = check("pairwise");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("P ended abnormally: overtaken"), "{text}");
}

#[test]
fn tests_of_eunit_are_run_by_name() {
    let file = format!("{TESTS}/counting_tests.erl");
    let check = |test: &str| mazurka(&["check", &file, "--eunit", test]);
    assert_eq!(check("counting_tests:fast_test").status.code(), Some(0));
    assert_eq!(check("counting_tests:slow_test").status.code(), Some(1));
    let output = check("counting_tests:no_test");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("has no test `no_test`; it has `all_test_`, `fast_test`"), "{text}");
}

#[test]
fn programs_are_found_without_a_file() {
    let output = mazurka(&["check", "--call", "lists:reverse([1])", "--app", "stdlib"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let output = mazurka(&["check", "--call", "no_such_module:run()"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("-pa _build/default/lib"), "{text}");
}

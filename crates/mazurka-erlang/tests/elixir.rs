//! Elixir programs, with Elixir's own library.
//!
//! These tests need `elixirc` (on Debian: `apt install elixir`), and say so if it is missing.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use common::verdict;
use mazurka_core::search::Algorithm;
use mazurka_core::verdict::Verdict;
use mazurka_erlang::ErlangProgram;

/// Where the modules of `main.ex` and of Elixir are, if Elixir is installed.
fn directories() -> Option<&'static [PathBuf]> {
    static COMPILED: OnceLock<Option<Vec<PathBuf>>> = OnceLock::new();
    COMPILED.get_or_init(compile).as_deref()
}

fn compile() -> Option<Vec<PathBuf>> {
    let to = std::env::temp_dir().join(format!("mazurka-elixir-{}", std::process::id()));
    std::fs::create_dir_all(&to).expect("a directory can be created");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/main.ex");
    let compiled = Command::new("elixirc").arg("-o").arg(&to).arg(file).output();
    let Ok(output) = compiled else {
        println!("skipped: elixirc is not installed (on Debian: apt install elixir)");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let code = "IO.puts(:code.lib_dir(:elixir))\nIO.puts(:code.lib_dir(:logger))";
    let output = Command::new("elixir").args(["-e", code]).output().expect("elixir runs");
    let libraries = String::from_utf8_lossy(&output.stdout).into_owned();
    let libraries = libraries.lines().map(|library| Path::new(library).join("ebin"));
    Some(std::iter::once(to).chain(libraries).collect())
}

/// Returns the program that calls `Main.function()`, or `None` if Elixir is not installed.
fn program(function: &str) -> Option<ErlangProgram> {
    let directories = directories()?;
    let call = format!("'Elixir.Main':{function}()").parse().expect("it is a call");
    let file = directories[0].join("Elixir.Main.beam");
    Some(ErlangProgram::new(&[file], directories, call).expect("it can be loaded"))
}

/// Checks `Main.function()`, or returns `None` if Elixir is not installed.
fn check(function: &str) -> Option<Verdict> {
    let program = program(function)?.ignore_deadlocks(true).never_after(5000);
    let program = program.treat_as_normal("shutdown").treat_as_normal("killed");
    Some(verdict(&program, Algorithm::Observers))
}

#[test]
fn what_the_library_offers_works() {
    for function in ["server", "agent", "stream", "registry", "supervisor", "dynamic", "values"] {
        let Some(verdict) = check(function) else { return };
        assert!(verdict.is_complete(), "{function}");
        assert_eq!(verdict.violations, [], "{function}");
        println!("{function}: {} executions", verdict.executions);
    }
}

#[test]
fn a_failed_match_is_found() {
    let Some(verdict) = check("wrong") else { return };
    let messages: Vec<&str> = verdict.violations.iter().map(|v| v.message.as_str()).collect();
    assert!(
        messages.iter().any(|m| m.starts_with("P ended abnormally: {:badmatch, 1}")),
        "{messages:?}"
    );
    assert!(messages.iter().any(|m| m.contains("main.ex, line 24")), "{messages:?}");
}

/// By default, a stream runs as many tasks at once as there are schedulers.
#[test]
fn a_stream_runs_two_tasks_at_once() {
    let Some(verdict) = check("unordered") else { return };
    let messages: Vec<&str> = verdict.violations.iter().map(|v| v.message.as_str()).collect();
    assert!(messages.iter().any(|m| m.contains("{:badmatch, [ok: 4, ok: 2]}")), "{messages:?}");
}

#[test]
fn patterns_and_exceptions_are_in_elixirs_syntax() {
    let Some(program) = program("waits") else { return };
    let text = verdict(&program, Algorithm::Observers).violations.remove(0).message;
    assert!(text.contains("%URI{port: 4}"), "{text}");
    assert!(text.contains("%{\"key\" => _, a: 1}"), "{text}");
    let Some(verdict) = check("raises") else { return };
    let text = &verdict.violations[0].message;
    assert!(text.contains("%ArgumentError{message: \"bad\"}"), "{text}");
}

#[test]
fn long_terms_end_with_dots() {
    let Some(verdict) = check("long") else { return };
    let text = &verdict.violations[0].message;
    let line = text.lines().next().unwrap_or_default();
    assert!(line.contains("{~r/a(b+)\\/c/i, %{list: [1000, 1001, "), "{line}");
    assert!(line.ends_with(", ...], ...}, ...}"), "{line}");
}

#[test]
fn applications_of_elixir_start_without_their_logs() {
    let Some(logs) = program("logs") else { return };
    let verdict_of = |program: ErlangProgram| {
        verdict(&program.starting("logger").never_after(5000), Algorithm::Observers)
    };
    let verdict = verdict_of(logs);
    assert_eq!((verdict.executions, verdict.violations), (1, Vec::new()));
    let configures = program("configures").expect("Elixir is installed");
    let text = verdict_of(configures).violations.remove(0).message;
    assert!(text.contains("the system process `Logger`, which Mazurka does not run"), "{text}");
}

#[test]
fn tests_of_exunit_are_run_by_name() {
    if directories().is_none() {
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/counter_test.exs");
    let open =
        |test: &str| ErlangProgram::exunit(std::slice::from_ref(&file), &[], "CounterTest", test);
    let check = |test: &str| {
        let program = open(test).unwrap_or_else(|error| panic!("{error}"));
        verdict(&program.never_after(5000), Algorithm::Observers)
    };
    let property = "property counts from zero";
    let waits = "waits for a message";
    let supervised = "supervised processes end with the test";
    for test in ["counts in one process", supervised, property, waits] {
        let right = check(test);
        assert!(right.is_complete(), "{test}");
        assert_eq!(right.violations, [], "{test}");
    }
    let wrong = check("counts in two processes");
    let messages: Vec<&str> = wrong.violations.iter().map(|v| v.message.as_str()).collect();
    // Names, structs and strings are in Elixir's syntax.
    let expected = "{:badmatch, %CounterTest.State{count: 1, name: \"counter\"}}";
    assert!(messages.iter().any(|m| m.contains(expected)), "{messages:?}");
    assert!(messages.iter().any(|m| m.contains("counter_test.exs, line 31")), "{messages:?}");
    let unknown = open("counts").expect_err("there is no such test").to_string();
    let tests = "`property counts from zero`, `counts in one process`, `counts in two processes`";
    assert!(unknown.contains(&format!("it has {tests}")), "{unknown}");
}

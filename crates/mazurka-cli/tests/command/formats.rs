//! Verdicts for other tools: SARIF, JUnit, annotations and one line per violation.

use serde_json::Value;

use crate::schema::assert_sarif;
use crate::{Scratch, run};

/// Checks a program and returns the SARIF log that the command writes.
fn sarif(line: &str, code: i32) -> Value {
    let file = Scratch::new("log.sarif", "");
    run(&format!("{line} --sarif {}", file.path().display())).expect(code);
    serde_json::from_str(&std::fs::read_to_string(file.path()).unwrap()).unwrap()
}

#[test]
fn sarif_has_code_flows() {
    let log = sarif("check programs/lost_update.c", 1);
    conforms(&log);
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"assertion".into(), &"error".into()));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "programs/lost_update.c");
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    assert_eq!(flows.len(), 3, "{log:#}");
    let mut orders: Vec<u64> = flows
        .iter()
        .flat_map(|flow| flow["locations"].as_array().unwrap())
        .map(|location| location["executionOrder"].as_u64().unwrap())
        .collect();
    orders.sort_unstable();
    assert!(orders.iter().zip(1..).all(|(order, expected)| *order == expected), "{orders:?}");
}

#[test]
fn sarif_has_warnings_and_nothing_if_there_is_nothing() {
    let log = sarif("check examples/c/data_race.c", 0);
    conforms(&log);
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"data-race".into(), &"warning".into()));
    let log = sarif("check programs/lastwrite.c -D N=3 --max-executions 1 -a optimal", 3);
    conforms(&log);
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 0);
    let note = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert!(note["message"]["text"].as_str().unwrap().contains("incomplete"), "{note}");
}

/// Checks that a log is valid, and that the rules of its results are listed.
#[track_caller]
fn conforms(log: &Value) {
    assert_sarif(log);
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{log:#}");
    }
}

#[test]
fn junit_has_one_case_for_a_check() {
    let file = Scratch::new("report.xml", "");
    let xml = |line: &str, code| {
        run(&format!("{line} --junit {}", file.path().display())).expect(code);
        std::fs::read_to_string(file.path()).unwrap()
    };
    let failed = xml("check programs/lost_update.c", 1);
    for part in [
        "<testsuite name=\"mazurka\" tests=\"1\" failures=\"1\" errors=\"0\"",
        "name=\"programs/lost_update.c\"",
        "<failure type=\"assertion\"",
        "counter → 0",
    ] {
        assert!(failed.contains(part), "no `{part}` in {failed}");
    }
    assert_eq!(failed.matches("</testcase>").count(), 1);
    let fine = xml("check programs/lastwrite.c -D N=3", 0);
    assert!(fine.contains("failures=\"0\" errors=\"0\"") && !fine.contains("<failure"), "{fine}");
    let incomplete = xml("check programs/lastwrite.c -D N=3 -a optimal --max-executions 1", 3);
    assert!(incomplete.contains("<error type=\"incomplete\""), "{incomplete}");
}

#[test]
fn annotations_are_workflow_commands() {
    let said = run("check programs/lost_update.c --annotations").expect(1);
    let line = said.stdout.lines().next().unwrap();
    assert!(line.starts_with("::error file=programs/lost_update.c,line="), "{line}");
    assert!(line.contains("title=Mazurka%3A failed assertion::"), "{line}");
    assert_eq!(said.stdout.lines().count(), 1, "{}", said.all());
    let said = run("check examples/c/data_race.c --annotations").expect(0);
    assert!(said.stdout.starts_with("::warning file=examples/c/data_race.c"), "{}", said.all());
    assert_eq!(run("check programs/lost_update.c --annotations --json").code, Some(2));
}

#[test]
fn short_is_one_line_for_editors() {
    let said = run("check programs/lost_update.c --format short").expect(1);
    let line = said.stdout.trim_end();
    assert!(line.starts_with("programs/lost_update.c:"), "{}", said.all());
    assert!(line.ends_with(": assertion: assertion `counter == N` failed"), "{line}");
    assert_eq!(said.stdout.lines().count(), 1);
    assert!(!said.stderr.contains("Mazurka found"), "{}", said.all());
    let said = run("check programs/lastwrite.c -D N=3 --format short").expect(0);
    assert!(said.stdout.is_empty(), "{}", said.all());
}

/// The lock is the cause, and not the join that waits for its thread.
#[test]
fn the_place_of_a_deadlock_is_a_lock() {
    let said = run("check examples/c/deadlock.c --format short").expect(1);
    let line = said.stdout.trim_end();
    assert!(line.starts_with("examples/c/deadlock.c:17:"), "{line}");
    assert!(line.contains(": deadlock: no thread can go on; thread 1 (save) waits for "), "{line}");
}

#[test]
fn files_that_cannot_be_written_are_refused_before_the_check() {
    for option in ["junit", "sarif", "html", "dot", "svg", "tree", "trace"] {
        run(&format!("check programs/lost_update.c --{option} /no/such/directory/file"))
            .refuses(&["/no/such/directory/file", "no directory", "create it"]);
    }
    run("compare programs/lost_update.c --html /no/such/file").refuses(&["no directory /no/such"]);
    let said = run("check programs/lost_update.c --json --format short").expect(2);
    assert!(said.stderr.contains("both print on standard output"), "{}", said.all());
}

#[test]
fn versions_and_tools_are_shown() {
    let said = run("--version").expect(0);
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert!(lines[0].starts_with("mazurka 0."), "{}", said.all());
    assert!(
        lines[1].starts_with("LLVM: clang ") && lines[2].starts_with("Erlang/OTP: "),
        "{lines:?}"
    );
    let said = run("doctor").expect(0);
    assert!(said.stdout.contains("C and C++  ") && said.stdout.contains("clang"), "{}", said.all());
    for front_end in [
        "Erlang  ",
        "Elixir  ",
        "Rust  ",
        "LLVM IR  ",
        "Litmus tests  ",
        "Petri nets  ",
        "Recordings  ",
    ] {
        assert!(said.stdout.contains(front_end), "{}", said.all());
    }
    let said = run("help check").expect(0);
    assert!(said.stdout.contains("--sarif"), "{}", said.all());
}

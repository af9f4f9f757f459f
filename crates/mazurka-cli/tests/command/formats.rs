//! Verdicts for other tools: SARIF, JUnit, annotations and one line per violation.

use serde_json::Value;

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

/// Checks the constraints of the SARIF 2.1.0 schema on every member that Mazurka writes. The names
/// that an object may have are listed, so that a misspelt one is found.
fn conforms(log: &Value) {
    let object = |value: &Value, required: &[&str], optional: &[&str]| {
        let members = value.as_object().unwrap_or_else(|| panic!("no object: {value}"));
        for name in required {
            assert!(members.contains_key(*name), "no `{name}` in {value}");
        }
        for name in members.keys() {
            let known = required.iter().chain(optional).any(|known| known == name);
            assert!(known, "`{name}` is no member of {value}");
        }
    };
    let message = |value: &Value| {
        object(value, &["text"], &[]);
        assert!(value["text"].is_string());
    };
    let physical = |value: &Value| {
        object(value, &["artifactLocation", "region"], &[]);
        object(&value["artifactLocation"], &["uri"], &[]);
        let uri = value["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.is_ascii() && !uri.contains([' ', '\\']), "{uri}");
        object(&value["region"], &["startLine"], &["startColumn"]);
        for name in ["startLine", "startColumn"] {
            let number = &value["region"][name];
            assert!(number.is_null() || number.as_u64().unwrap() >= 1, "{number}");
        }
    };
    let list =
        |value: &Value| value.as_array().unwrap_or_else(|| panic!("no list: {value}")).clone();
    object(log, &["version", "runs"], &["$schema"]);
    assert_eq!(log["version"], "2.1.0");
    for run in list(&log["runs"]) {
        object(&run, &["tool", "results"], &["invocations", "columnKind"]);
        assert!(
            ["utf16CodeUnits", "unicodeCodePoints"].contains(&run["columnKind"].as_str().unwrap())
        );
        object(&run["tool"], &["driver"], &[]);
        object(&run["tool"]["driver"], &["name"], &["version", "rules"]);
        let mut rules = Vec::new();
        for rule in list(&run["tool"]["driver"]["rules"]) {
            object(&rule, &["id"], &["shortDescription"]);
            message(&rule["shortDescription"]);
            assert!(!rules.contains(&rule["id"]), "two rules {}", rule["id"]);
            rules.push(rule["id"].clone());
        }
        for invocation in list(&run["invocations"]) {
            object(&invocation, &["executionSuccessful"], &["toolExecutionNotifications"]);
            for note in list(&invocation["toolExecutionNotifications"]) {
                object(&note, &["message"], &["level"]);
                message(&note["message"]);
            }
        }
        for result in list(&run["results"]) {
            object(
                &result,
                &["message"],
                &["ruleId", "level", "locations", "codeFlows", "properties"],
            );
            message(&result["message"]);
            assert!(rules.contains(&result["ruleId"]));
            let level = result["level"].as_str().unwrap();
            assert!(["none", "note", "warning", "error"].contains(&level));
            for location in list(&result["locations"]) {
                object(&location, &[], &["physicalLocation"]);
                physical(&location["physicalLocation"]);
            }
            for flow in list(&result["codeFlows"]) {
                object(&flow, &["threadFlows"], &[]);
                for flow in list(&flow["threadFlows"]) {
                    object(&flow, &["locations"], &["id"]);
                    let locations = list(&flow["locations"]);
                    assert!(!locations.is_empty());
                    for location in locations {
                        object(&location, &[], &["location", "executionOrder"]);
                        object(&location["location"], &[], &["message", "physicalLocation"]);
                        message(&location["location"]["message"]);
                        if !location["location"]["physicalLocation"].is_null() {
                            physical(&location["location"]["physicalLocation"]);
                        }
                    }
                }
            }
        }
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
    assert!(line.contains(": assertion: "), "{line}");
    assert_eq!(said.stdout.lines().count(), 1);
    assert!(!said.stderr.contains("Mazurka found"), "{}", said.all());
    let said = run("check programs/lastwrite.c -D N=3 --format short").expect(0);
    assert!(said.stdout.is_empty(), "{}", said.all());
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
    let said = run("help check").expect(0);
    assert!(said.stdout.contains("--sarif"), "{}", said.all());
}

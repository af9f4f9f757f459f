//! SARIF 2.1.0, the format of static analysers that code hosts read.
//!
//! A violation is a result. Its execution is a code flow, with one thread flow for each thread; the
//! execution order of its locations is that of the schedule.

use std::collections::BTreeSet;

use mazurka_core::verdict::ViolationKind;
use serde_json::{Value, json};

use super::Finished;
use crate::Report;
use crate::recording::{Line, Place};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Returns the violations and warnings of some checks as a SARIF log. `version` is that of the tool.
pub fn sarif(checks: &[Finished<'_>], version: &str) -> String {
    let mut kinds = BTreeSet::new();
    let mut results = Vec::new();
    let mut notifications = Vec::new();
    for check in checks {
        for (reports, level) in [(check.violations, "error"), (check.warnings, "warning")] {
            for report in reports.iter().filter(|report| report.violation().is_some()) {
                kinds.extend(report.violation().map(|violation| violation.kind));
                results.push(result(report, level));
            }
        }
        if let Some(incomplete) = check.incompleteness() {
            let text = format!("{}: {incomplete}", check.name);
            notifications.push(json!({ "level": "warning", "message": { "text": text } }));
        }
        if let Err(error) = check.verdict {
            let text = format!("{}: {error}", check.name);
            notifications.push(json!({ "level": "error", "message": { "text": text } }));
        }
    }
    let rules: Vec<Value> = kinds.iter().map(|kind| rule(*kind)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Mazurka", "version": version, "rules": rules } },
            "invocations": [{
                "executionSuccessful": checks.iter().all(|check| check.verdict.is_ok()),
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).expect("every member has a form in JSON")
}

fn rule(kind: ViolationKind) -> Value {
    json!({ "id": kind.name(), "shortDescription": { "text": kind.to_string() } })
}

fn result(report: &Report, level: &str) -> Value {
    let message = report.violation().map(|violation| violation.message.as_str());
    let mut result = json!({
        "ruleId": report.kind(),
        "level": level,
        "message": { "text": message.filter(|text| !text.is_empty()).unwrap_or("violation") },
        "properties": {
            "program": report.name(),
            "schedule": report.schedule().to_string(),
            "replay": report.replay_command(),
        },
    });
    if let Some(place) = report.place() {
        result["locations"] = json!([{ "physicalLocation": physical(place) }]);
    }
    let flows = thread_flows(report);
    if !flows.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": flows }]);
    }
    result
}

/// Returns one thread flow for each thread that has a line.
fn thread_flows(report: &Report) -> Vec<Value> {
    let lines: Vec<(usize, &Line)> = (1..).zip(&report.recording.lines).collect();
    let threads = report.threads.iter().enumerate();
    let flow = |(thread, name): (usize, &String)| {
        let own = lines.iter().filter(|(_, line)| line.process.index() == thread);
        let locations: Vec<Value> = own.map(|(order, line)| flow_location(*order, line)).collect();
        (!locations.is_empty()).then(|| json!({ "id": name, "locations": locations }))
    };
    threads.filter_map(flow).collect()
}

fn flow_location(order: usize, line: &Line) -> Value {
    let mut location = json!({ "message": { "text": line.text } });
    if let Some(place) = &line.place {
        location["physicalLocation"] = physical(place);
    }
    json!({ "location": location, "executionOrder": order })
}

fn physical(place: &Place) -> Value {
    let mut region = json!({ "startLine": place.line.max(1) });
    if place.column > 0 {
        region["startColumn"] = json!(place.column);
    }
    json!({ "artifactLocation": { "uri": uri(&place.file) }, "region": region })
}

/// Returns the path of a file as a URI reference.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/tmp/ä.c"), "file:///tmp/%C3%A4.c");
    }
}

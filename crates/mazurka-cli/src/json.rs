//! Verdicts for other programs: what `--json` prints.
//!
//! The names of the members are a stable interface.

use std::time::Duration;

use mazurka_report::{Report, Statistics};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::check::{Failed, Ran};
use crate::compare::Compared;
use crate::front_end::{Outcome, Source};
use crate::{resources, watchdog};

/// What `mazurka check --json` prints.
#[derive(Serialize)]
struct Check<'a> {
    #[serde(flatten)]
    run: Run,
    program: String,
    parameters: Map<String, Value>,
    peak_memory: Option<u64>,
    violations: &'a [Report],
    warnings: &'a [Report],
}

/// What `mazurka compare --json` prints.
#[derive(Serialize)]
struct Comparison<'a> {
    program: String,
    parameters: Map<String, Value>,
    /// The macro that has a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<&'a str>,
    runs: Vec<Line<'a>>,
}

/// One explorer in a comparison.
#[derive(Serialize)]
struct Line<'a> {
    /// The value of the macro that has a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    #[serde(flatten)]
    run: Run,
    violations: &'a [Report],
}

/// The statistics of one exploration.
#[derive(Serialize)]
struct Run {
    #[serde(flatten)]
    statistics: Statistics,
    cpu_seconds: Option<f64>,
}

impl Run {
    fn of(outcome: &Outcome) -> Self {
        Run {
            statistics: Statistics::from(&outcome.verdict),
            cpu_seconds: outcome.cpu_time.map(|time| time.as_secs_f64()),
        }
    }
}

/// What every command prints with `--json` if it cannot do what it was asked to.
#[derive(Serialize)]
struct Failure<'a> {
    error: &'a str,
}

/// Returns the verdict of a check.
pub(crate) fn of_check(source: &Source<'_>, outcome: &Outcome) -> String {
    let check = Check {
        run: Run::of(outcome),
        program: source.name(),
        parameters: parameters(source),
        peak_memory: resources::peak_memory(),
        violations: &outcome.reports,
        warnings: &outcome.warnings,
    };
    let mut object = serde_json::to_value(&check).expect("every member has a form in JSON");
    if watchdog::is_over_memory() {
        object["stopped"] = Value::from("memory");
    }
    write(&object)
}

/// Returns the verdicts of the checks of a configuration, with the error of each check that could not
/// run.
pub(crate) fn of_checks(checks: &[Result<Ran, Failed>]) -> String {
    let named = |check: &Result<Ran, Failed>| match check {
        Ok(ran) => {
            format!("{{\"name\":{},\"verdict\":{}}}", Value::from(ran.name.as_str()), ran.json)
        }
        Err(failed) => {
            write(&serde_json::json!({ "name": failed.name, "error": failed.complaint.trim_end() }))
        }
    };
    format!("{{\"checks\":[{}]}}", checks.iter().map(named).collect::<Vec<_>>().join(","))
}

/// Returns the verdicts of several explorers.
pub(crate) fn of_comparison(
    source: &Source<'_>,
    range: Option<&str>,
    compared: &[Compared],
) -> String {
    let lines = compared.iter().map(|Compared { value, outcome }| Line {
        value: *value,
        run: Run::of(outcome),
        violations: outcome.reports.as_slice(),
    });
    write(&Comparison {
        program: source.name(),
        parameters: parameters(source),
        range,
        runs: lines.collect(),
    })
}

/// Returns the verdict of a check that ended before its explorer did.
pub(crate) fn of_end(program: &str, stopped: &str, elapsed: Duration) -> String {
    write(&serde_json::json!({
        "program": program,
        "complete": false,
        "stopped": stopped,
        "executions": 0,
        "blocked": 0,
        "violations": [],
        "warnings": [],
        "seconds": elapsed.as_secs_f64(),
    }))
}

/// Returns an object with the member `error`.
pub(crate) fn of_error(message: &str) -> String {
    write(&Failure { error: message })
}

fn write(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("every member has a form in JSON")
}

/// Returns the macros that were defined, as numbers where they are numbers.
fn parameters(source: &Source<'_>) -> Map<String, Value> {
    let value = |text: &str| match text.parse::<i64>() {
        Ok(number) => Value::from(number),
        Err(_) => Value::from(text),
    };
    let macros = source.options.define.iter();
    macros
        .map(|define| (define.name.clone(), define.value.as_deref().map_or(1.into(), value)))
        .collect()
}

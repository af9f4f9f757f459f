//! The JSON object of a check.

use std::collections::BTreeMap;

use mazurka::Verdict;
use mazurka_report::Statistics;
use serde::Serialize;

/// The members, whose names are a stable interface.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    statistics: Statistics,
    program: &'a str,
    parameters: BTreeMap<&'a str, usize>,
    violations: Vec<Violation<'a>>,
}

#[derive(Serialize)]
struct Violation<'a> {
    kind: &'static str,
    message: &'a str,
    schedule: String,
}

/// Returns the object, on one line.
pub(crate) fn object(program: &str, parameters: &[(&str, usize)], verdict: &Verdict) -> String {
    let violations = verdict.violations.iter().map(|violation| Violation {
        kind: violation.kind.name(),
        message: &violation.message,
        schedule: violation.schedule.to_string(),
    });
    let object = Object {
        statistics: Statistics::from(verdict),
        program,
        parameters: parameters.iter().copied().collect(),
        violations: violations.collect(),
    };
    serde_json::to_string(&object).expect("every member has a form in JSON")
}

//! The JSON object of a check.

use mazurka::Verdict;
use mazurka_report::Json;

/// The object, on one line. The names in it are a stable interface.
pub(crate) fn object(program: &str, parameters: &[(&str, usize)], verdict: &Verdict) -> String {
    let mut given = Json::new();
    for (name, value) in parameters {
        given.raw(name, value);
    }
    let violations = verdict.violations.iter().map(|violation| {
        let mut json = Json::new();
        json.text("kind", violation.kind.name());
        json.text("message", &violation.message);
        json.text("schedule", &violation.schedule.to_string());
        json.end()
    });
    let mut json = Json::statistics(verdict);
    json.text("program", program);
    json.raw("parameters", given.end());
    json.raw("violations", Json::list(violations));
    json.end()
}

//! Verdicts for programs. The names are a stable interface.

use std::fmt::Display;

use mazurka_report::{Json, Report};

use crate::front_end::{Outcome, Source};
use crate::resources;

/// The verdict of a check.
pub(crate) fn of_check(source: &Source<'_>, outcome: &Outcome) -> String {
    let mut json = statistics(outcome);
    json.text("program", &source.name());
    json.raw("parameters", parameters(source));
    json.raw("peak_memory", number(resources::peak_memory()));
    json.raw("violations", Json::list(outcome.reports.iter().map(Report::to_json)));
    json.raw("warnings", Json::list(outcome.warnings.iter().map(Report::to_json)));
    json.end()
}

/// The verdicts of several explorers.
pub(crate) fn of_comparison(source: &Source<'_>, outcomes: &[Outcome]) -> String {
    let mut json = Json::new();
    json.text("program", &source.name());
    json.raw("parameters", parameters(source));
    let runs = outcomes.iter().map(|outcome| {
        let mut json = statistics(outcome);
        json.raw("violations", Json::list(outcome.reports.iter().map(Report::to_json)));
        json.end()
    });
    json.raw("runs", Json::list(runs));
    json.end()
}

fn statistics(outcome: &Outcome) -> Json {
    let mut json = Json::statistics(&outcome.verdict);
    json.raw("cpu_seconds", number(outcome.cpu_time.map(|time| time.as_secs_f64())));
    json
}

/// A number, or `null`.
fn number(value: Option<impl Display>) -> String {
    value.map_or("null".to_owned(), |value| value.to_string())
}

/// The macros that were defined: as numbers, where they are.
fn parameters(source: &Source<'_>) -> String {
    let mut json = Json::new();
    for definition in &source.options.define {
        match &definition.value {
            None => json.raw(&definition.name, 1),
            Some(value) => match value.parse::<i64>() {
                Ok(number) => json.raw(&definition.name, number),
                Err(_) => json.text(&definition.name, value),
            },
        };
    }
    json.end()
}

//! Verdicts for programs. The names are a stable interface.

use std::fmt::Display;

use mazurka_core::verdict::Bound;
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
    let verdict = &outcome.verdict;
    let mut json = Json::new();
    json.text("algorithm", verdict.algorithm.name());
    json.raw("executions", verdict.executions);
    json.raw("blocked", verdict.blocked);
    json.raw("events", verdict.events);
    json.raw("max_depth", verdict.max_depth);
    json.raw("complete", verdict.is_complete());
    json.raw("stopped", verdict.stopped.map_or("null".to_owned(), |b| Json::quote(name(b))));
    json.raw("seconds", format!("{:.6}", verdict.elapsed.as_secs_f64()));
    json.raw("cpu_seconds", number(outcome.cpu_time.map(|time| time.as_secs_f64())));
    json.raw("rate", format!("{:.1}", verdict.rate()));
    if let Some(unfolding) = &verdict.unfolding {
        let mut inner = Json::new();
        inner.raw("events", unfolding.events);
        inner.raw("cut_offs", unfolding.cut_offs);
        inner.raw("maximal_configurations", unfolding.maximal_configurations);
        inner.raw("most_events", unfolding.most_events);
        json.raw("unfolding", inner.end());
    }
    let notes = verdict.notes.iter().map(|note| Json::quote(&note.to_string()));
    json.raw("notes", Json::list(notes));
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

fn name(bound: Bound) -> &'static str {
    match bound {
        Bound::Violation => "violation",
        Bound::Executions => "executions",
        Bound::Depth => "depth",
        Bound::Time => "time",
        Bound::Preemptions => "preemptions",
        Bound::Interrupted => "interrupted",
    }
}

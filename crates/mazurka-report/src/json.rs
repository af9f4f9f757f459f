//! Reports for programs.

use std::fmt::{Display, Write};

use mazurka_core::verdict::{Bound, Verdict};

use crate::Report;
use crate::recording::LineKind;

/// An object in the making.
///
/// ```
/// use mazurka_report::Json;
///
/// let mut json = Json::new();
/// json.text("program", "peterson.c").raw("executions", 2);
/// assert_eq!(json.end(), r#"{"program":"peterson.c","executions":2}"#);
/// ```
#[derive(Clone, Debug)]
pub struct Json(String);

impl Default for Json {
    fn default() -> Self {
        Json::new()
    }
}

impl Json {
    /// An object without members.
    pub fn new() -> Self {
        Json(String::from("{"))
    }

    /// The statistics of a verdict. The names are a stable interface.
    pub fn statistics(verdict: &Verdict) -> Self {
        let mut json = Json::new();
        json.text("algorithm", verdict.algorithm.name());
        json.raw("executions", verdict.executions);
        json.raw("blocked", verdict.blocked);
        json.raw("events", verdict.events);
        json.raw("max_depth", verdict.max_depth);
        json.raw("complete", verdict.is_complete());
        json.raw("stopped", verdict.stopped.map_or("null".to_owned(), |b| quote(name_of(b))));
        json.raw("seconds", format_args!("{:.6}", verdict.elapsed.as_secs_f64()));
        json.raw("rate", format_args!("{:.1}", verdict.rate()));
        json.raw("ordered_locations", verdict.ordered_locations);
        if let Some(unfolding) = &verdict.unfolding {
            let mut inner = Json::new();
            inner.raw("events", unfolding.events);
            inner.raw("cut_offs", unfolding.cut_offs);
            inner.raw("maximal_configurations", unfolding.maximal_configurations);
            inner.raw("most_events", unfolding.most_events);
            json.raw("unfolding", inner.end());
        }
        let notes = verdict.notes.iter().map(|note| quote(&note.to_string()));
        json.raw("notes", Json::list(notes));
        json
    }

    fn comma(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with(['{', '[']) {
            self.0.push(',');
        }
    }

    /// Adds a member whose value is JSON already: a number, an object.
    pub fn raw(&mut self, key: &str, value: impl Display) -> &mut Self {
        self.comma();
        let _ = write!(self.0, "{}:{value}", Json::quote(key));
        self
    }

    /// Adds a member that is a string.
    pub fn text(&mut self, key: &str, value: &str) -> &mut Self {
        self.raw(key, Json::quote(value))
    }

    /// The object.
    pub fn end(&self) -> String {
        format!("{}}}", self.0)
    }

    /// A string literal.
    pub fn quote(text: &str) -> String {
        quote(text)
    }

    /// A list of values that are JSON already.
    pub fn list(items: impl IntoIterator<Item = String>) -> String {
        format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
    }
}

fn name_of(bound: Bound) -> &'static str {
    match bound {
        Bound::Violation => "violation",
        Bound::Executions => "executions",
        Bound::Depth => "depth",
        Bound::Time => "time",
        Bound::Preemptions => "preemptions",
        Bound::Interrupted => "interrupted",
    }
}

fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if control < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", control as u32);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

pub(crate) fn of(report: &Report) -> String {
    let mut json = Json::new();
    json.text("name", &report.name);
    match &report.violation {
        Some(violation) => {
            json.text("kind", violation.kind.name());
            json.text("message", &violation.message);
            json.raw("execution", violation.execution);
        }
        None => {
            json.raw("kind", "null");
            json.raw("message", "null");
        }
    }
    json.text("schedule", &report.schedule.to_string());
    if let Some((first, second)) = report.violation.as_ref().and_then(|v| v.accesses) {
        json.raw("accesses", Json::list([first + 1, second + 1].iter().map(usize::to_string)));
    }
    json.raw("threads", Json::list(report.threads.iter().map(|name| quote(name))));
    let steps = report.recording.lines.iter().map(|line| {
        let mut step = Json::new();
        let kind = match line.kind {
            LineKind::Operation => "operation",
            LineKind::Spawn(_) => "spawn",
            LineKind::Local => "local",
            LineKind::Panic => "panic",
            LineKind::End => "end",
            LineKind::Stuck => "stuck",
        };
        step.text("kind", kind);
        if line.kind == LineKind::Operation {
            step.raw("step", line.step + 1);
        }
        step.text("thread", &report.threads[line.process.index()]);
        step.text("operation", &line.text);
        if let Some(place) = &line.place {
            step.text("file", &place.file);
            step.raw("line", place.line);
            step.raw("column", place.column);
        }
        step.end()
    });
    json.raw("steps", Json::list(steps));
    if !report.recording.output.is_empty() {
        json.text("output", &report.recording.output);
    }
    json.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{lost_update, report};

    #[test]
    fn whatever_is_in_a_string_is_escaped() {
        assert_eq!(quote("a\"b\\c\n\t\r\u{1}→"), r#""a\"b\\c\n\t\r\u0001→""#);
    }

    #[test]
    fn a_report_is_one_object() {
        let json = of(&report(lost_update()));
        assert!(json.starts_with(r#"{"name":"lost_update","kind":"panic","message":"thread"#));
        assert!(
            json.contains(r#""execution":3,"schedule":"1-2x2-1-0","threads":["main","a","b"]"#)
        );
        let store = r#"{"kind":"operation","step":3,"thread":"b","operation":"counter.store(1)","file":"src/bank.rs","line":12,"column":9}"#;
        assert!(json.contains(store), "{json}");
        assert!(json.contains(r#"{"kind":"end","thread":"b","operation":"end"}"#), "{json}");
        assert!(json.ends_with("]}"), "{json}");
    }
}

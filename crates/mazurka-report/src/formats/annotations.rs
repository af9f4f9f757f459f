//! Annotations of GitHub: commands in the log of a workflow.

use std::fmt::Write;

use super::Finished;
use crate::Report;

/// Returns a workflow command of GitHub for each violation and each warning, and one if the check is
/// incomplete or could not run. A step that prints them annotates the lines of the source in pull
/// requests.
pub fn annotations(check: &Finished<'_>) -> String {
    let mut text = String::new();
    let mut add = |report: &Report, level: &str| {
        let mut properties = Vec::new();
        if let Some(place) = report.place() {
            properties.push(format!("file={}", property(&place.file)));
            properties.push(format!("line={}", place.line));
            if place.column > 0 {
                properties.push(format!("col={}", place.column));
            }
        }
        let kind = report.violation().map(|violation| violation.kind.to_string());
        properties
            .push(format!("title={}", property(&format!("Mazurka: {}", kind.unwrap_or_default()))));
        let mut message =
            report.violation().map(|violation| violation.message.clone()).unwrap_or_default();
        if !report.replay_command().is_empty() {
            let _ = write!(message, "\nTo see it: {}", report.replay_command());
        }
        let _ = writeln!(text, "::{level} {}::{}", properties.join(","), data(&message));
    };
    check.violations.iter().for_each(|report| add(report, "error"));
    check.warnings.iter().for_each(|report| add(report, "warning"));
    if let Some(incomplete) = check.incompleteness() {
        let _ =
            writeln!(text, "::warning title=Mazurka::{}: {}", data(check.name), data(&incomplete));
    }
    if let Err(error) = check.verdict {
        let _ = writeln!(text, "::error title=Mazurka::{}: {}", data(check.name), data(error));
    }
    text
}

/// Escapes the text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

//! One line per finding, for editors: `file:line:column: kind: message`.

use std::fmt::Write;

use super::Finished;
use crate::Report;

/// Returns one line for each violation and each warning, `file:line:column: kind: message`, and one
/// line if the check is incomplete or could not run.
///
/// The form is that of compilers, which editors understand. A finding without a place has the name
/// of the program instead of a file.
pub fn short(check: &Finished<'_>) -> String {
    let mut text = String::new();
    let mut add = |report: &Report, level: &str| {
        let place = report.place().map_or_else(|| check.name.to_owned(), ToString::to_string);
        let summary = report.summary();
        // The line starts with the place.
        let message = summary.strip_suffix(&format!(", at {place}")).unwrap_or(&summary);
        let _ = writeln!(text, "{place}: {level}{}: {message}", report.kind());
    };
    check.violations.iter().for_each(|report| add(report, ""));
    check.warnings.iter().for_each(|report| add(report, "warning: "));
    if let Some(incomplete) = check.incompleteness() {
        let _ = writeln!(text, "{}: incomplete: {incomplete}", check.name);
    }
    if let Err(error) = check.verdict {
        let first = error.lines().next().unwrap_or_default();
        let _ = writeln!(text, "{}: error: {first}", check.name);
    }
    text
}

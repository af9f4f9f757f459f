//! Failing executions as files: `check --trace` writes them, and `replay` reads them.

use std::fs;
use std::path::Path;

use mazurka_core::verdict::Schedule;
use mazurka_report::Report;
use serde_json::Value;

use crate::Complaint;

/// What the line with the schedule begins with.
const SCHEDULE: &str = "schedule: ";

/// Writes the execution of a report: as JSON, or as text with the schedule in a line of its own.
pub(crate) fn write(path: &Path, report: &Report) -> Result<(), Complaint> {
    let text = match path.extension().is_some_and(|extension| extension == "json") {
        true => report.to_json(),
        false => {
            let (name, schedule) = (report.name(), report.schedule());
            format!("program: {name}\n{SCHEDULE}{schedule}\n\n{report:#}")
        }
    };
    fs::write(path, text + "\n").map_err(|error| {
        format!(
            "the execution cannot be written to `{}`: {error}; choose another file for --trace",
            path.display()
        )
    })
}

/// The schedule of a file.
pub(crate) fn read(path: &Path) -> Result<Schedule, Complaint> {
    let at = |message: &dyn std::fmt::Display| format!("{}: {message}", path.display());
    let text = fs::read_to_string(path)
        .map_err(|error| at(&format_args!("the file cannot be read: {error}")))?;
    let schedule = find(&text).ok_or_else(|| {
        at(&"the file contains no schedule; `mazurka check --trace FILE` writes one that does")
    })?;
    schedule.parse().map_err(|error| at(&error))
}

/// Returns the schedule in the text of a file: the member `schedule` of an object, or of the first
/// violation of what `check --json` prints; otherwise the line that begins with `schedule: `.
fn find(text: &str) -> Option<String> {
    if text.trim_start().starts_with('{') {
        let object: Value = serde_json::from_str(text).ok()?;
        let schedule = object.get("schedule").or(object.pointer("/violations/0/schedule"));
        return Some(schedule?.as_str()?.to_owned());
    }
    text.lines().find_map(|line| line.strip_prefix(SCHEDULE)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_found() {
        for text in [
            "program: a.c\nschedule: 0-1x3\n\nMazurka …",
            r#"{"name":"a.c","schedule":"0-1x3","threads":[]}"#,
            r#"{"program":"a.c","violations":[{"schedule":"0-1x3"}]}"#,
        ] {
            assert_eq!(find(text).as_deref(), Some("0-1x3"), "{text}");
        }
        for text in ["int main() {}", "{", r#"{"schedule":7}"#, r#"{"violations":[]}"#] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}

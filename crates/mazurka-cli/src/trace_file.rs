//! Failing executions as files: `check --trace` writes them, and `replay` takes them.

use std::fs;
use std::path::Path;

use mazurka_core::verdict::Schedule;
use mazurka_report::Report;

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
        format!("the execution cannot be written to `{}`: {error}", path.display())
    })
}

/// The schedule of a file.
pub(crate) fn read(path: &Path) -> Result<Schedule, Complaint> {
    let at = |message: &dyn std::fmt::Display| format!("`{}`: {message}", path.display());
    let text = fs::read_to_string(path).map_err(|error| at(&error))?;
    let schedule = find(&text).ok_or_else(|| {
        at(&"there is no schedule in it; `mazurka check --trace FILE` writes files that have one")
    })?;
    schedule.parse().map_err(|error| at(&error))
}

fn find(text: &str) -> Option<&str> {
    if text.trim_start().starts_with('{') {
        let (_, rest) = text.split_once("\"schedule\":")?;
        return rest.trim_start().strip_prefix('"')?.split('"').next();
    }
    text.lines().find_map(|line| line.strip_prefix(SCHEDULE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_found() {
        assert_eq!(find("program: a.c\nschedule: 0-1x3\n\nMazurka …"), Some("0-1x3"));
        assert_eq!(find(r#"{"name":"a.c","schedule":"0-1x3","threads":[]}"#), Some("0-1x3"));
        assert_eq!(find("int main() {}"), None);
    }
}

//! Formats that other tools read: SARIF, JUnit, annotations of GitHub, and one line per finding.

mod annotations;
mod junit;
mod sarif;
mod short;

pub use annotations::annotations;
pub use junit::junit;
pub use sarif::sarif;
pub use short::short;

use mazurka_core::verdict::{Verdict, ViolationKind};

use crate::recording::{Line, LineKind, Place};
use crate::{Report, text};

/// A check that has been run, or that could not run, for the functions of this module.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// The name of the check.
    pub name: &'a str,
    /// What it found, or why it could not run.
    pub verdict: Result<&'a Verdict, &'a str>,
    /// The reports on its violations.
    pub violations: &'a [Report],
    /// The reports on its warnings.
    pub warnings: &'a [Report],
}

impl Finished<'_> {
    /// Returns how long the check took.
    fn seconds(&self) -> f64 {
        self.verdict.map_or(0.0, |verdict| verdict.elapsed.as_secs_f64())
    }

    /// Returns a sentence that says why the check is incomplete, if it is and found no violation.
    fn incompleteness(&self) -> Option<String> {
        let bound = self.verdict.ok()?.stopped.filter(|_| self.violations.is_empty())?;
        Some(format!("the check is incomplete: {bound}"))
    }
}

impl Report {
    /// Returns the place in the source where the violation shows: the failing operation, the second
    /// access of a data race, or an operation that waits for ever.
    pub fn place(&self) -> Option<&Place> {
        let violation = self.violation.as_ref()?;
        if let Some((_, second)) = text::racing_lines(self, violation) {
            return second.place.as_ref();
        }
        let lines = &self.recording.lines;
        let mut placed = lines.iter().filter(|line| line.place.is_some());
        let failure = placed.clone().find(|line| line.kind == LineKind::Failure);
        failure.or_else(|| self.stuck()).or_else(|| placed.next_back())?.place.as_ref()
    }

    /// Returns an operation of a deadlock that waits for ever. A thread that waits for the end of another
    /// one is not the cause, so others come first.
    fn stuck(&self) -> Option<&Line> {
        let lines = self.recording.lines.iter();
        let mut stuck = lines.filter(|line| line.kind == LineKind::Stuck && line.place.is_some());
        let is_join = |line: &&Line| line.text.starts_with("waits for the end of");
        stuck.clone().find(|line| !is_join(line)).or_else(|| stuck.next())
    }

    /// Returns the message of the violation in one line.
    pub fn summary(&self) -> String {
        let Some(violation) = &self.violation else { return String::new() };
        let message = violation.message.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = message.clone().next().unwrap_or_default();
        match self.stuck() {
            // The first line announces the others.
            _ if first.ends_with(':') => message.collect::<Vec<_>>().join(" "),
            Some(line) if violation.kind == ViolationKind::Deadlock => {
                let thread = self.threads.get(line.process.index()).map_or("", String::as_str);
                format!("{first}; {thread} {}", line.text.lines().next().unwrap_or_default())
            }
            _ => first.to_owned(),
        }
    }

    /// Returns the name of the kind of violation, such as `data-race`.
    fn kind(&self) -> &'static str {
        self.violation.as_ref().map_or("none", |violation| violation.kind.name())
    }
}

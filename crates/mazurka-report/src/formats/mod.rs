//! Formats that other tools read: SARIF, JUnit, annotations of GitHub, and one line per finding.

mod annotations;
mod junit;
mod sarif;
mod short;

pub use annotations::annotations;
pub use junit::junit;
pub use sarif::sarif;
pub use short::short;

use mazurka_core::verdict::Verdict;

use crate::recording::{Line, LineKind, Place};
use crate::{Report, text};

/// A check that has been run, for the functions of this module.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// The name of the check.
    pub name: &'a str,
    /// What it found.
    pub verdict: &'a Verdict,
    /// The reports on its violations.
    pub violations: &'a [Report],
    /// The reports on its warnings.
    pub warnings: &'a [Report],
}

impl Finished<'_> {
    /// Returns a sentence that says why the check is incomplete, if it is and found no violation.
    fn incompleteness(&self) -> Option<String> {
        let bound = self.verdict.stopped.filter(|_| self.violations.is_empty())?;
        Some(format!("the check is incomplete: {bound}"))
    }
}

impl Report {
    /// Returns the place in the source where the violation shows: the failing operation, the second
    /// access of a data race, or the first operation that waits for ever.
    pub fn place(&self) -> Option<&Place> {
        let violation = self.violation.as_ref()?;
        if let Some((_, second)) = text::racing_lines(self, violation) {
            return second.place.as_ref();
        }
        let lines = &self.recording.lines;
        let of_kind =
            |kind: LineKind| lines.iter().find(|line| line.kind == kind && line.place.is_some());
        let last = || lines.iter().rev().find(|line: &&Line| line.place.is_some());
        let line = of_kind(LineKind::Failure).or_else(|| of_kind(LineKind::Stuck)).or_else(last);
        line?.place.as_ref()
    }

    /// Returns the message of the violation in one line.
    pub fn summary(&self) -> String {
        let Some(violation) = &self.violation else { return String::new() };
        let message = violation.message.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = message.clone().next().unwrap_or_default();
        match first.ends_with(':') {
            // The first line announces the others.
            true => message.collect::<Vec<_>>().join(" "),
            false => first.to_owned(),
        }
    }

    /// Returns the name of the kind of violation, such as `data-race`.
    fn kind(&self) -> &'static str {
        self.violation.as_ref().map_or("none", |violation| violation.kind.name())
    }
}

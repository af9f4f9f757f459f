//! What the runs are printed as: a table in Markdown.

use std::fmt::Write as _;
use std::time::Duration;

use super::measure::{Measured, Outcome};
use super::packages;

/// A test, on both checkers.
pub(super) struct Row {
    pub(super) package: &'static str,
    pub(super) test: String,
    pub(super) mazurka: Option<Measured>,
    pub(super) loom: Option<Measured>,
}

/// How the two verdicts on a test compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    /// The verdicts are the same, or one of them is missing.
    Agree,
    /// The verdicts differ, for a known reason.
    Known,
    /// Mazurka's verdict is wrong, or the reason is not known.
    Differ,
}

impl Row {
    pub(super) fn comparison(&self) -> Comparison {
        // Published tests pass: a failure is a false alarm unless loom fails, too.
        let expected = !self
            .loom
            .as_ref()
            .is_some_and(|loom| matches!(loom.outcome, Outcome::Failed(_) | Outcome::Crashed));
        let Some(mazurka) = &self.mazurka else { return Comparison::Agree };
        let agrees = match &mazurka.outcome {
            Outcome::Passed => expected,
            Outcome::Failed(_) => !expected,
            Outcome::Crashed => false,
            Outcome::Unfinished => true,
        };
        match agrees {
            true => Comparison::Agree,
            false if packages::difference(self.package, &self.test).is_some() => Comparison::Known,
            false => Comparison::Differ,
        }
    }
}

pub(super) const HEADER: &str = "\
| test | Mazurka | executions | time | loom | executions | time |
|---|---|--:|--:|---|--:|--:|
";

/// Returns a row of the table.
pub(super) fn row(row: &Row) -> String {
    let mut line = format!("| `{}` |", row.test);
    for measured in [&row.mazurka, &row.loom] {
        match measured {
            Some(measured) => {
                let outcome = outcome(&measured.outcome);
                let executions = match measured.executions {
                    Some(number) if measured.outcome == Outcome::Passed => grouped(number),
                    _ => String::new(),
                };
                let _ = write!(line, " {outcome} | {executions} | {} |", seconds(measured.time));
            }
            None => line.push_str(" | | |"),
        }
    }
    line.push('\n');
    line
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passes".to_owned(),
        Outcome::Failed(message) => format!("fails: {}", message.replace('|', "\\|")),
        Outcome::Crashed => "crashes".to_owned(),
        Outcome::Unfinished => "time limit".to_owned(),
    }
}

/// Sums up the rows of a package.
pub(super) fn summary(rows: &[&Row]) -> String {
    let finished = |measured: &Option<Measured>| {
        measured.as_ref().is_some_and(|measured| measured.outcome != Outcome::Unfinished)
    };
    let mazurka = rows.iter().filter(|row| finished(&row.mazurka)).count();
    let loom = rows.iter().filter(|row| finished(&row.loom)).count();
    let differ = |kind| rows.iter().filter(|row| row.comparison() == kind).count();
    format!(
        "{} tests: Mazurka finishes {mazurka}, loom {loom}. {} differ for a known reason, {} otherwise.\n",
        rows.len(),
        differ(Comparison::Known),
        differ(Comparison::Differ),
    )
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// Returns a number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(outcome: Outcome) -> Option<Measured> {
        Some(Measured { outcome, executions: Some(1234567), time: Duration::from_millis(1500) })
    }

    fn row_of(test: &str, mazurka: Outcome, loom: Outcome) -> Row {
        let (mazurka, loom) = (measured(mazurka), measured(loom));
        Row { package: "loom", test: test.to_owned(), mazurka, loom }
    }

    #[test]
    fn wrong_verdicts_are_told_from_known_differences() {
        let failed = || Outcome::Failed("x".to_owned());
        let agree = row_of("a", Outcome::Passed, Outcome::Passed);
        assert_eq!(agree.comparison(), Comparison::Agree);
        let unfinished = row_of("a", Outcome::Passed, Outcome::Unfinished);
        assert_eq!(unfinished.comparison(), Comparison::Agree);
        let known = row_of("acq_rel", failed(), Outcome::Passed);
        assert_eq!(known.comparison(), Comparison::Known);
        let wrong = row_of("a", failed(), Outcome::Passed);
        assert_eq!(wrong.comparison(), Comparison::Differ);
        let alarm = row_of("a", failed(), Outcome::Unfinished);
        assert_eq!(alarm.comparison(), Comparison::Differ);
        let crash = row_of("a", Outcome::Crashed, failed());
        assert_eq!(crash.comparison(), Comparison::Differ);
    }

    #[test]
    fn a_row_is_markdown() {
        let line = row(&row_of("a", Outcome::Passed, Outcome::Unfinished));
        let expected = "| `a` | passes | 1 234 567 | 1.50 s | time limit |  | 1.50 s |\n";
        assert_eq!(line, expected);
    }
}

//! What a check says: reports of what went wrong, and how far it has come.

mod command;
mod conclusion;
mod file;
mod fold;
mod json;
mod progress;
mod rows;
mod source;
mod style;
mod table;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;

use mazurka_core::verdict::{Schedule, Violation, ViolationKind};

use crate::rt::{Line, LineKind, Recording};

pub(crate) use command::name;
pub(crate) use conclusion::{conclude, show_replay};
pub(crate) use progress::ProgressLine;
pub(crate) use source::variable_at;

use style::Style;

/// An execution in the user's words: what went wrong, and every operation that led there.
///
/// [`Check::report`](crate::Check::report) makes them. As text, a report has a table of the
/// schedule, one column per thread, whose middle is left out if it is long; with `{:#}` it is
/// whole.
///
/// ```
/// use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
/// use mazurka::{Check, thread};
///
/// let (verdict, reports) = Check::new().report(|| {
///     let counter = AtomicUsize::new(0).with_label("counter");
///     thread::scope(|s| {
///         for _ in 0..2 {
///             s.spawn(|| counter.store(counter.load(SeqCst) + 1, SeqCst));
///         }
///     });
///     assert_eq!(counter.load(SeqCst), 2);
/// });
/// assert_eq!(verdict.violations.len(), 1);
/// let text = reports[0].to_string();
/// assert!(text.starts_with("Mazurka found a panic after"));
/// assert!(text.contains("counter.load() → 0"));
/// assert!(text.contains("MAZURKA_REPLAY="));
/// ```
#[derive(Clone, Debug)]
pub struct Report {
    name: String,
    violation: Option<Violation>,
    /// The steps that were taken.
    schedule: Schedule,
    /// The steps that were asked for, in a replay.
    asked: Schedule,
    origin: Origin,
    /// By process id.
    threads: Vec<String>,
    recording: Recording,
}

/// How an execution came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// It was found.
    Search,
    /// It was asked for, with so many steps.
    Replay { steps: usize },
}

impl Report {
    /// A report on a violation, of which there is a recording.
    pub(crate) fn on_violation(name: &str, violation: &Violation, recording: Recording) -> Self {
        let mut violation = violation.clone();
        // The recording knows what the source calls things; and it ends where it went wrong,
        // which an exploration that goes on after a violation does not.
        if let Some(recorded) = &recording.violation
            && recorded.kind == violation.kind
        {
            violation.message.clone_from(&recorded.message);
            violation.schedule = recorded.schedule.clone();
        }
        Report {
            name: name.to_owned(),
            schedule: violation.schedule.clone(),
            asked: Schedule::default(),
            violation: Some(violation),
            origin: Origin::Search,
            threads: threads(&recording),
            recording,
        }
    }

    /// A report on an execution that does not fail.
    pub(crate) fn on_nothing(name: &str, schedule: Schedule, recording: Recording) -> Self {
        Report {
            name: name.to_owned(),
            violation: None,
            schedule,
            asked: Schedule::default(),
            origin: Origin::Search,
            threads: threads(&recording),
            recording,
        }
    }

    /// The same, for an execution that was asked for.
    pub(crate) fn replayed(mut self, asked: &Schedule) -> Self {
        self.origin = Origin::Replay { steps: asked.steps().len() };
        self.asked = asked.clone();
        self
    }

    /// What went wrong; `None` if this reports on the replay of a schedule that does not fail.
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// The steps of the execution, as [`Check::replay`](crate::Check::replay) takes them.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The line for a shell that runs this execution again.
    ///
    /// It runs the current test, or program, with `MAZURKA_REPLAY` set.
    pub fn replay_command(&self) -> String {
        command::replay(&self.schedule)
    }

    /// The report as one JSON object.
    ///
    /// It has `name`, `kind` and `message` (`null` if nothing is wrong), `execution`, `schedule`,
    /// for a data race `accesses` (the two steps), `threads`, and `steps`: a list of objects with
    /// `kind` (`operation`, `spawn`, `local`, `panic`, `end`, or `stuck`), `step` (the number in
    /// the schedule, for operations), `thread`, `operation`, `file`, `line` and `column`.
    ///
    /// ```
    /// let (_, reports) = mazurka::Check::new().report(|| assert_ne!(mazurka::choose(3), 1));
    /// let json = reports[0].to_json();
    /// assert!(json.contains(r#""kind":"panic""#));
    /// assert!(json.contains(r#""thread":"main","operation":"choose(3) → 1""#));
    /// ```
    pub fn to_json(&self) -> String {
        json::of(self)
    }

    /// Whether there is a schedule worth showing.
    fn has_schedule(&self) -> bool {
        let kind = self.violation.as_ref().map(|violation| violation.kind);
        let histories = kind == Some(ViolationKind::Nondeterminism);
        let tells = |line: &Line| matches!(line.kind, LineKind::Operation | LineKind::Stuck);
        self.recording.lines.iter().any(tells) && (!histories || self.recording.misfit.is_some())
    }

    /// Whether looking for other violations makes sense.
    fn may_have_others(&self) -> bool {
        let kind = self.violation.as_ref().map(|violation| violation.kind);
        self.origin == Origin::Search && kind != Some(ViolationKind::Nondeterminism)
    }

    /// Whether the violation did not show when the schedule was run again.
    fn is_elusive(&self) -> bool {
        let recorded = self.recording.violation.as_ref().map(|violation| violation.kind);
        match self.violation.as_ref().map(|violation| violation.kind) {
            None | Some(ViolationKind::Nondeterminism | ViolationKind::DataRace) => false,
            kind => kind != recorded,
        }
    }
}

/// The names of threads, without quotes.
fn threads(recording: &Recording) -> Vec<String> {
    recording.names.iter().map(|name| name.trim_matches('\'').to_owned()).collect()
}

/// Without colours, in 100 columns unless `COLUMNS` says otherwise.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style { fold: !f.alternate(), ..Style::plain() };
        f.write_str(text::render(self, &style, None).text.trim_end())
    }
}

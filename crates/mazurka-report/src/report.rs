//! Reports: what went wrong, and what led there.

use std::fmt;

use mazurka_core::search::Algorithm;
use mazurka_core::verdict::{Bound, Schedule, Verdict, Violation, ViolationKind};

use crate::recording::{Line, LineKind, Place, Recording};
use crate::style::{Style, count};
use crate::{file, text};

/// So many other violations are listed.
const MOST_OTHERS: usize = 10;

/// An execution in the user's words: what went wrong, and every operation that led there.
///
/// As text, a report has a table of the schedule, one column per thread, whose middle is left out
/// if it is long; with `{:#}` it is whole.
///
/// ```
/// use mazurka_core::model::ProcessId;
/// use mazurka_core::verdict::{Violation, ViolationKind};
/// use mazurka_report::{Line, LineKind, Recording, Report};
///
/// let violation = Violation::new(ViolationKind::Panic, "the parcel is too heavy");
/// let recording = Recording {
///     lines: vec![Line {
///         process: ProcessId::MAIN,
///         place: None,
///         text: "choose(3) → 2".to_owned(),
///         kind: LineKind::Operation,
///         step: 0,
///         object: None,
///     }],
///     names: vec!["'main'".to_owned()],
///     violation: Some(violation.clone()),
///     ..Recording::default()
/// };
/// let report = Report::on_violation("parcel", &violation, recording);
/// assert!(report.to_string().contains("✗ choose(3) → 2"));
/// ```
#[derive(Clone, Debug)]
pub struct Report {
    pub(crate) name: String,
    pub(crate) violation: Option<Violation>,
    /// The steps that were taken.
    pub(crate) schedule: Schedule,
    /// The steps that were asked for, in a replay.
    pub(crate) asked: Schedule,
    pub(crate) origin: Origin,
    /// By process id.
    pub(crate) threads: Vec<String>,
    pub(crate) recording: Recording,
    pub(crate) replay_command: String,
}

/// How an execution came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// It was found.
    Search,
    /// It was asked for, with so many steps.
    Replay { steps: usize },
}

impl Report {
    /// A report on a violation, of which there is a recording. For front ends.
    pub fn on_violation(name: &str, violation: &Violation, recording: Recording) -> Self {
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
            schedule: violation.schedule.clone(),
            violation: Some(violation),
            ..Report::on_nothing(name, Schedule::default(), recording)
        }
    }

    /// A report on an execution that does not fail. For front ends.
    pub fn on_nothing(name: &str, schedule: Schedule, recording: Recording) -> Self {
        Report {
            name: name.to_owned(),
            violation: None,
            schedule,
            asked: Schedule::default(),
            origin: Origin::Search,
            threads: threads(&recording),
            recording,
            replay_command: String::new(),
        }
    }

    /// The same, for an execution that was asked for. For front ends.
    #[must_use]
    pub fn replayed(mut self, asked: &Schedule) -> Self {
        self.origin = Origin::Replay { steps: asked.steps().len() };
        self.asked = asked.clone();
        self
    }

    /// The same, with the line for a shell that runs the execution again. For front ends.
    #[must_use]
    pub fn with_replay_command(mut self, command: impl FnOnce(&Schedule) -> String) -> Self {
        self.replay_command = command(&self.schedule);
        self
    }

    /// What is checked.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What went wrong; `None` if this reports on the replay of a schedule that does not fail.
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// The steps of the execution, as a replay takes them.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The execution, line by line.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// The line for a shell that runs this execution again.
    pub fn replay_command(&self) -> String {
        self.replay_command.clone()
    }

    /// The report as text, and where the whole of it is if that is not all: a long schedule is
    /// written to a file.
    pub fn render(&self, style: &Style) -> (String, Option<String>) {
        let shown = text::render(self, style, None);
        if !shown.folded {
            return (shown.text, None);
        }
        let whole = file::write(&self.name, &format!("{self:#}\n"));
        (self.render_beside(style, Some(&whole)), Some(whole))
    }

    /// The report as text; `whole` says where all of it is.
    pub fn render_beside(&self, style: &Style, whole: Option<&str>) -> String {
        text::render(self, style, whole).text
    }

    /// The places of both accesses of a data race, the same in whatever order they come; `None` if
    /// it is none, or a place is not known.
    pub fn racing_places(&self) -> Option<[Place; 2]> {
        let (first, second) = text::racing_lines(self, self.violation.as_ref()?)?;
        let mut places = [first.place.clone()?, second.place.clone()?];
        places.sort();
        Some(places)
    }

    /// Both accesses of a data race, with the memory and their places, in a few lines.
    pub fn accesses(&self) -> Option<String> {
        text::accesses(self, self.violation.as_ref()?)
    }

    /// Whether there is a schedule worth showing.
    pub(crate) fn has_schedule(&self) -> bool {
        let kind = self.violation.as_ref().map(|violation| violation.kind);
        let histories = kind == Some(ViolationKind::Nondeterminism);
        let tells = |line: &Line| matches!(line.kind, LineKind::Operation | LineKind::Stuck);
        self.recording.lines.iter().any(tells) && (!histories || self.recording.misfit.is_some())
    }

    /// Whether looking for other violations makes sense.
    fn may_have_others(&self) -> bool {
        let ends = self.violation.as_ref().is_some_and(|v| v.kind.ends_exploration());
        self.origin == Origin::Search && !ends
    }

    /// What there is beside the first of the violations that a check found, or how to look for it:
    /// `to_keep_going` says what to do for that.
    pub fn others(verdict: &Verdict, reports: &[Report], to_keep_going: &str) -> String {
        if reports.len() < 2 {
            return match verdict.stopped {
                Some(Bound::Violation) if reports.iter().all(Report::may_have_others) => {
                    format!("To look for other violations too, {to_keep_going}.\n")
                }
                _ => String::new(),
            };
        }
        let more = reports.len() - 1;
        let mut text = format!("\nAnd {}:\n", count(more as u64, "other violation"));
        for report in reports[1..].iter().take(MOST_OTHERS) {
            let Some(violation) = report.violation() else { continue };
            let message = violation.message.lines().next().unwrap_or_default();
            text.push_str(&format!("  {}: {message}\n", violation.kind));
            for line in report.accesses().unwrap_or_default().lines() {
                text.push_str(&format!("  {line}\n"));
            }
            text.push_str(&format!("    {}\n", report.replay_command()));
        }
        if more > MOST_OTHERS {
            text.push_str(&format!("  … {} more …\n", more - MOST_OTHERS));
        }
        text
    }

    /// Whether the violation did not show when the schedule was run again.
    pub(crate) fn is_elusive(&self) -> bool {
        let recorded = self.recording.violation.as_ref().map(|violation| violation.kind);
        match self.violation.as_ref().map(|violation| violation.kind) {
            None | Some(ViolationKind::Nondeterminism | ViolationKind::DataRace) => false,
            kind => kind != recorded,
        }
    }

    /// That a check has not seen everything, and why; `None` if it has, or stopped at a violation.
    ///
    /// ```
    /// use mazurka_core::verdict::{Bound, Verdict};
    /// use mazurka_report::Report;
    ///
    /// let stopped = Some(Bound::Executions);
    /// let verdict = Verdict { executions: 1000, stopped, ..Verdict::default() };
    /// assert_eq!(
    ///     Report::incompleteness("bank", &verdict).unwrap(),
    ///     "mazurka: bank: stopped after 1,000 executions: the limit on executions was reached; \
    ///      what was not explored may still fail\n"
    /// );
    /// ```
    pub fn incompleteness(name: &str, verdict: &Verdict) -> Option<String> {
        let bound = verdict.stopped.filter(|bound| *bound != Bound::Violation)?;
        let verb = match bound {
            Bound::Depth | Bound::Preemptions => "incomplete",
            _ => "stopped",
        };
        let executions = count(verdict.executions + verdict.blocked, "execution");
        let advice = match bound {
            Bound::Depth if verdict.algorithm != Algorithm::Unfolding => {
                "  If it loops for ever, the explorer `unfolding` may come to an end.\n"
            }
            _ => "",
        };
        Some(format!(
            "mazurka: {name}: {verb} after {executions}: {bound}; what was not explored may still \
             fail\n{advice}"
        ))
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

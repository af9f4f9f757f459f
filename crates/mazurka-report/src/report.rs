//! Reports: a violation, and the execution that leads to it.

use std::fmt;

use mazurka_core::search::Algorithm;
use mazurka_core::verdict::{Bound, PreemptionLevel, Schedule, Verdict, Violation, ViolationKind};

use crate::recording::{Line, LineKind, Place, Recording};
use crate::sources::Sources;
use crate::style::{Style, count, thousands};
use crate::{Explanation, file, text};

/// The maximum number of other violations that are listed.
const MOST_OTHERS: usize = 10;

/// An execution in the user's terms: the violation, and every operation that leads to it.
///
/// As text, a report has a table of the schedule with one column per thread. The middle of a long
/// table is folded, except with `{:#}`.
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
    /// The steps of the schedule to replay, in a replay.
    pub(crate) asked: Schedule,
    pub(crate) origin: Origin,
    /// The names of the threads, by process id.
    pub(crate) threads: Vec<String>,
    pub(crate) recording: Recording,
    pub(crate) replay_command: String,
    pub(crate) explanation: Option<Explanation>,
    /// Which writes its reads read from, under a memory model.
    pub(crate) sources: Sources,
}

/// The origin of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A search found it.
    Search,
    /// It is the replay of a schedule with this many steps.
    Replay { steps: usize },
}

impl Report {
    /// Creates a report on a recorded violation. For front ends.
    pub fn on_violation(name: &str, violation: &Violation, recording: Recording) -> Self {
        let mut violation = violation.clone();
        // The recording knows the names in the source. It also ends at the violation, unlike an
        // exploration that continues after one.
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

    /// Creates a report on an execution that does not fail. For front ends.
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
            explanation: None,
            sources: Sources::default(),
        }
    }

    /// Returns this report with the writes that its reads read from. Reads of old values are marked.
    #[must_use]
    pub(crate) fn with_sources(mut self, sources: Sources) -> Self {
        sources.mark(&mut self.recording);
        self.sources = sources;
        self
    }

    /// Returns this report with an explanation of its schedule.
    #[must_use]
    pub fn explained(mut self, explanation: Explanation) -> Self {
        self.explanation = Some(explanation);
        self
    }

    /// Returns why the execution fails, if that is known.
    pub fn explanation(&self) -> Option<&Explanation> {
        self.explanation.as_ref()
    }

    /// Returns this report, marked as the replay of a schedule. For front ends.
    #[must_use]
    pub fn replayed(mut self, asked: &Schedule) -> Self {
        self.origin = Origin::Replay { steps: asked.steps().len() };
        self.asked = asked.clone();
        self
    }

    /// Returns this report with the shell command that replays the execution. For front ends.
    #[must_use]
    pub fn with_replay_command(mut self, command: impl FnOnce(&Schedule) -> String) -> Self {
        self.replay_command = command(&self.schedule);
        self
    }

    /// Returns a one-line summary, such as `Mazurka found a deadlock after 2 executions:`.
    pub fn headline(&self) -> String {
        text::headline(self)
    }

    /// Returns the name of the program.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the violation, or `None` for the replay of a schedule that does not fail.
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// Returns the schedule of the execution, for a replay.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Returns the execution, line by line.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Returns the shell command that replays this execution.
    pub fn replay_command(&self) -> String {
        self.replay_command.clone()
    }

    /// Returns the report as text. A long schedule is folded, and the whole report is written to a
    /// file. The second value says where.
    pub fn render(&self, style: &Style) -> (String, Option<String>) {
        let shown = text::render(self, style, None);
        if !shown.folded {
            return (shown.text, None);
        }
        let whole = file::write(&self.name, &format!("{self:#}\n"));
        (self.render_beside(style, Some(&whole)), Some(whole))
    }

    /// Returns the report as text; `whole` says where the whole report is.
    pub fn render_beside(&self, style: &Style, whole: Option<&str>) -> String {
        text::render(self, style, whole).text
    }

    /// Returns the places of both accesses of a data race, independent of their order. Returns
    /// `None` if there is no data race, or a place is not known.
    pub fn racing_places(&self) -> Option<[Place; 2]> {
        let (first, second) = text::racing_lines(self, self.violation.as_ref()?)?;
        let mut places = [first.place.clone()?, second.place.clone()?];
        places.sort();
        Some(places)
    }

    /// Returns both accesses of a data race, with the memory and their places, in a few lines.
    pub fn accesses(&self) -> Option<String> {
        text::accesses(self, self.violation.as_ref()?)
    }

    /// Returns whether there is a schedule worth showing.
    pub(crate) fn has_schedule(&self) -> bool {
        let kind = self.violation.as_ref().map(|violation| violation.kind);
        let histories = kind == Some(ViolationKind::Nondeterminism);
        let tells = |line: &Line| matches!(line.kind, LineKind::Operation | LineKind::Stuck);
        self.recording.lines.iter().any(tells) && (!histories || self.refuses_replay())
    }

    /// Returns whether the user has asked for a schedule that does not fit the program. A schedule that a search
    /// has found does not fit either, if the program depends on something else.
    pub(crate) fn refuses_replay(&self) -> bool {
        self.origin != Origin::Search && self.recording.misfit.is_some()
    }

    /// Returns whether looking for other violations makes sense.
    fn may_have_others(&self) -> bool {
        let ends = self.violation.as_ref().is_some_and(|v| v.kind.ends_exploration());
        self.origin == Origin::Search && !ends
    }

    /// Returns a text that lists the violations after the first one, or that says how to look for
    /// them. `to_keep_going` describes what to do for that.
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

    /// Returns whether the violation did not occur again when the schedule was replayed.
    pub(crate) fn is_elusive(&self) -> bool {
        let recorded = self.recording.violation.as_ref().map(|violation| violation.kind);
        // A machine may be able to run what an explorer refuses.
        use ViolationKind::{DataRace, Nondeterminism, Unsupported};
        match self.violation.as_ref().map(|violation| violation.kind) {
            None | Some(Nondeterminism | DataRace | Unsupported) => false,
            kind => kind != recorded,
        }
    }

    /// Returns a sentence that says why a check is incomplete, or `None` if it is complete or
    /// stopped at a violation.
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
            Bound::Depth | Bound::Preemptions | Bound::Samples => "incomplete",
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

impl Report {
    /// Returns a line on the bound on preemptions that a search has reached, if it had one.
    ///
    /// ```
    /// use mazurka_core::verdict::{PreemptionLevel, Verdict};
    /// use mazurka_report::Report;
    ///
    /// let preemptions = Some(PreemptionLevel { bound: 2, is_explored: true });
    /// let verdict = Verdict { preemptions, ..Verdict::default() };
    /// assert_eq!(
    ///     Report::preemptions(&verdict).unwrap(),
    ///     "  2 preemptions reach everything\n"
    /// );
    /// ```
    pub fn preemptions(verdict: &Verdict) -> Option<String> {
        let PreemptionLevel { bound, is_explored } = verdict.preemptions?;
        let reached = count(bound.into(), "preemption");
        Some(match (is_explored, verdict.is_complete()) {
            (true, true) if bound == 1 => "  1 preemption reaches everything\n".to_owned(),
            (true, true) => format!("  {reached} reach everything\n"),
            (true, false) => {
                format!("  everything that schedules with at most {reached} reach was explored\n")
            }
            (false, _) => format!("  the search had come to schedules with {reached}\n"),
        })
    }

    /// Returns the statistics of samples in a few lines, if an explorer sampled the program: the
    /// distinct classes, an estimate of those that are missing, and the guarantee of `pct`.
    pub fn sampling(verdict: &Verdict) -> Option<String> {
        let sampling = verdict.sampling.filter(|sampling| sampling.samples > 0)?;
        let samples = count(sampling.samples, "sample");
        let classes = match sampling.classes {
            1 => "1 class".to_owned(),
            classes => format!("{} classes", thousands(classes)),
        };
        let mut text = format!("  {samples} (seed {}) in {classes}", sampling.seed);
        text.push_str(&match sampling.once {
            0 => "; each was seen at least twice, so that more samples are unlikely to show another\n"
                .to_owned(),
            _ => {
                let percent = 100.0 * sampling.unseen_probability();
                let unseen = match sampling.unseen_classes().ceil() as u64 {
                    1 => "1 class is".to_owned(),
                    unseen => format!("{} classes are", thousands(unseen)),
                };
                format!(
                    "; the next sample is in a new class with a probability of about {percent:.2} %, \
                     and at least {unseen} missing (Good–Turing estimates)\n"
                )
            }
        });
        if let Some((depth, probability)) = sampling.guarantee {
            let missed = 100.0 * (1.0 - probability).powf(sampling.samples as f64);
            text.push_str(&format!(
                "  a bug of depth {depth} is found by one sample with a probability of at least \
                 {probability:.2e}, and missed by all with at most {missed:.1} %\n"
            ));
        }
        Some(text)
    }
}

/// Returns the names of the threads, without quotes.
pub(crate) fn threads(recording: &Recording) -> Vec<String> {
    recording.names.iter().map(|name| name.trim_matches('\'').to_owned()).collect()
}

/// Formats the report without colours, in 100 columns unless `COLUMNS` is set.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style { fold: !f.alternate(), ..Style::plain() };
        f.write_str(text::render(self, &style, None).text.trim_end())
    }
}

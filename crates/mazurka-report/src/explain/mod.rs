//! Why an execution fails.
//!
//! The schedule that a search finds is one of many that fail. [`explain`] first looks for one with
//! fewer context switches, by moving and dropping blocks of steps. It then reverses the order of two
//! conflicting steps at a time, to find orders that decide between failing and passing. A deadlock, a
//! lost notification and a data race have explanations of their own, which need no search.

mod attempt;
mod orders;
mod shorten;
mod waiting;

use std::time::{Duration, Instant};

use mazurka_core::model::View;
use mazurka_core::verdict::{Schedule, Violation, ViolationKind};

use crate::{Line, LineKind, Recording, Subject};
use attempt::Attempts;
use orders::Difference;

/// Why an execution fails.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// A schedule that leads to the same violation, with at most as many context switches.
    pub schedule: Schedule,
    /// The orders that decide: pairs of steps of the schedule, counted from 0. If the second step of
    /// a single pair comes first, the execution passes, unless all orders decide
    /// [together](Self::together).
    pub orders: Vec<(usize, usize)>,
    /// Whether the execution passes only if all orders are reversed.
    pub together: bool,
    /// The schedule of an execution that passes, and in which one of these orders is reversed, or all of
    /// them if they decide together.
    pub passing: Option<Schedule>,
    /// The explanation in sentences.
    pub sentences: Vec<String>,
}

impl Explanation {
    /// Returns the sentences as one text.
    pub fn text(&self) -> String {
        self.sentences.join(" ")
    }

    /// Returns the steps whose order is decisive, counted from 0.
    pub fn decisive(&self) -> Vec<usize> {
        self.orders.iter().flat_map(|(first, second)| [*first, *second]).collect()
    }
}

/// Looks for an explanation of a violation, for at most this time. Returns `None` if the violation
/// does not occur again.
pub fn explain<S: Subject>(
    subject: &S,
    violation: &Violation,
    budget: Duration,
) -> Option<Explanation> {
    let kind = violation.kind;
    let steps = violation.schedule.steps().len();
    // Under a memory model, orders of steps do not decide.
    let has_views = (0..steps).any(|step| violation.schedule.view(step) != View::PRESENT);
    if kind.ends_exploration() || has_views {
        return None;
    }
    let started = Instant::now();
    let mut attempts = Attempts::new(subject)?;
    if kind == ViolationKind::DataRace {
        let (first, second) = violation.accesses?;
        let schedule = violation.schedule.first(second + 1);
        let run = attempts.run(schedule.steps())?;
        let recording = subject.record(&schedule);
        let sentences = waiting::unordered(&run, &recording, first, second);
        return Some(Explanation { schedule, sentences, ..Explanation::default() });
    }
    let found = attempts.run(violation.schedule.steps()).filter(|run| run.fails_like(violation))?;
    // Half of the time is for a shorter schedule.
    let failing = shorten::shorten(&mut attempts, found, violation, started + budget / 2);
    let deadline = started + budget;
    let mut difference = orders::decisive(&mut attempts, &failing, deadline);
    let schedule = failing.schedule(attempts.initial());
    let recording = subject.record(&schedule);
    let mut sentences = waiting::stuck(&failing, &recording, kind);
    sentences.extend(orders::describe(&difference, &recording));
    if sentences.is_empty()
        && difference.passing.is_none()
        && let Some(early) = orders::too_early(&mut attempts, &failing, deadline)
    {
        let recorded = subject.record(&early.passing.schedule(attempts.initial()));
        sentences.extend(early.describe(&recording, &recorded));
        difference.passing = Some(early.passing);
    }
    let Difference { orders, together, passing } = difference;
    let passing = passing.map(|run| run.schedule(attempts.initial()));
    Some(Explanation { schedule, orders, together, passing, sentences })
}

/// Returns how a step is described: `balance → 100` (step 1, thread 2, a.c:14).
fn describe(recording: &Recording, step: usize) -> Option<String> {
    describe_as(recording, step, &format!("step {}, ", step + 1))
}

/// Returns how a step is described that comes after the schedule.
fn describe_later(recording: &Recording, step: usize) -> Option<String> {
    describe_as(recording, step, "")
}

fn describe_as(recording: &Recording, step: usize, number: &str) -> Option<String> {
    let line = operation(recording, step)?;
    let place = line.place.as_ref().map(|place| format!(", {}:{}", place.file, place.line));
    let text = line.text.lines().next().unwrap_or_default();
    let name = name(recording, line.process.index());
    Some(format!("`{text}` ({number}{name}{})", place.unwrap_or_default()))
}

/// Returns the line of the operation of a step, or its first line if it has no operation.
fn operation(recording: &Recording, step: usize) -> Option<&Line> {
    let from = recording.lines.partition_point(|line| line.step < step);
    let mut own = recording.lines[from..].iter().take_while(|line| line.step == step);
    let is_operation = |line: &&Line| line.kind == LineKind::Operation;
    own.clone().filter(is_operation).last().or_else(|| own.next())
}

/// Returns the name of a process.
fn name(recording: &Recording, process: usize) -> String {
    recording.names.get(process).cloned().unwrap_or_else(|| format!("process {process}"))
}

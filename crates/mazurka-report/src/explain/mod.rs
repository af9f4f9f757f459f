//! Why an execution fails.
//!
//! The schedule that a search finds is one of many that fail. [`explain`] first looks for one with
//! fewer context switches, by moving and dropping blocks of steps. It then reverses the order of two
//! conflicting steps at a time, to find orders that decide between failing and passing. A deadlock, a
//! lost notification and a data race have explanations of their own, which need no search.
//!
//! Under a memory model, the first search keeps what reads read and the coherence order as far as the new
//! schedule allows it: a read still follows the write that it reads from. The second search changes what
//! one read reads, or the coherence order of two writes, instead of the order of two steps.

mod attempt;
mod choices;
mod deadline;
mod memory;
mod orders;
mod plan;
mod sentences;
mod shorten;
mod waiting;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use mazurka_core::model::Machine;
use mazurka_core::verdict::{Schedule, Violation, ViolationKind};

use crate::Subject;
use attempt::{Attempts, Run};
use deadline::Deadline;
use sentences::{Decisive, Difference};

/// Why an execution fails.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// A schedule that leads to the same violation, with at most as many context switches.
    pub schedule: Schedule,
    /// The orders that decide: pairs of steps of the schedule, counted from 0. If the second step of
    /// a single pair comes first, the execution passes, unless all orders decide
    /// [together](Self::together).
    pub orders: Vec<(usize, usize)>,
    /// The reads that decide, under a memory model. If a single one of them reads something else, or a
    /// single order is reversed, the execution passes, unless all decide [together](Self::together).
    pub reads: Vec<DecisiveRead>,
    /// Whether the execution passes only if all orders are reversed and all reads are different.
    pub together: bool,
    /// The schedule of an execution that passes, and in which one of these orders is reversed or one of
    /// these reads is different, or all of them if they decide together.
    pub passing: Option<Schedule>,
    /// The explanation in sentences.
    pub sentences: Vec<String>,
}

/// A read whose choice of a write decides between failing and passing. Steps are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DecisiveRead {
    /// The step that reads.
    pub read: usize,
    /// The step of the write that it reads from, or `None` for the initial value.
    pub reads_from: Option<usize>,
    /// The step of a write with which the execution passes, or `None` for the initial value.
    pub instead: Option<usize>,
}

impl Explanation {
    /// Returns the sentences as one text.
    pub fn text(&self) -> String {
        self.sentences.join(" ")
    }

    /// Returns the steps whose order is decisive, and those that decisive reads read or should have read,
    /// counted from 0.
    pub fn decisive(&self) -> Vec<usize> {
        let orders = self.orders.iter().flat_map(|(first, second)| [*first, *second]);
        let reads = self.reads.iter().flat_map(|choice| {
            [Some(choice.read), choice.reads_from, choice.instead].into_iter().flatten()
        });
        orders.chain(reads).collect()
    }
}

/// Looks for an explanation of a violation, for at most this time. Returns `None` if the violation
/// does not occur again.
pub fn explain<S: Subject>(
    subject: &S,
    violation: &Violation,
    budget: Duration,
) -> Option<Explanation> {
    explain_until(subject, violation, budget, None)
}

/// [Explains](explain) a violation, and ends with what is found so far once `stop` is set.
pub(crate) fn explain_until<S: Subject>(
    subject: &S,
    violation: &Violation,
    budget: Duration,
    stop: Option<&AtomicBool>,
) -> Option<Explanation> {
    let kind = violation.kind;
    if kind.ends_exploration() {
        return None;
    }
    let started = Instant::now();
    let mut attempts = Attempts::new(subject, &violation.schedule)?;
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
    let half = Deadline { at: started + budget / 2, stop };
    let failing = shorten::shorten(&mut attempts, found, violation, half);
    let deadline = Deadline { at: started + budget, stop };
    let schedule = failing.schedule(attempts.initial());
    let recording = subject.record(&schedule);
    let mut sentences = waiting::stuck(&failing, &recording, kind);
    let mut difference = difference(&mut attempts, &failing, deadline);
    sentences.extend(difference.describe(&recording));
    if sentences.is_empty()
        && difference.passing.is_none()
        && let Some(early) = orders::too_early(&mut attempts, &failing, deadline)
    {
        let recorded = subject.record(&early.passing.schedule(attempts.initial()));
        sentences.extend(early.describe(&recording, &recorded));
        difference.passing = Some(early.passing);
    }
    let passing = difference.passing.map(|run| run.schedule(attempts.initial()));
    let (mut orders, mut reads) = (Vec::new(), Vec::new());
    for decisive in difference.decisive {
        match decisive {
            Decisive::Order(first, second) | Decisive::Coherence(first, second) => {
                orders.push((first, second));
            }
            Decisive::Read(read) => reads.push(read),
        }
    }
    let together = difference.together;
    Some(Explanation { schedule, orders, reads, together, passing, sentences })
}

/// Returns the difference between a failing run and the nearest passing one, as far as it is found until
/// the deadline.
fn difference<M: Machine>(
    attempts: &mut Attempts<M>,
    failing: &Run,
    deadline: Deadline<'_>,
) -> Difference {
    match &failing.seen {
        None => orders::decisive(attempts, failing, deadline),
        Some(_) => choices::decisive(attempts, failing, deadline),
    }
}

//! Samples that workers have run, in the order of their indices.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::explore::sampling::{Sample, Tally, end_of_epoch, limit};
use crate::model::{Lesson, Violation, ViolationKind};
use crate::search::Options;
use crate::search::driver::{MOST_WARNINGS, Outcome, Teacher};
use crate::search::reported_races::{RaceLog, ReportedRaces};
use crate::search::sampling::Policy;
use crate::verdict::{Bound, Verdict};

/// The maximum number of samples in a batch.
const LARGEST_BATCH: u64 = 64;

/// What the workers of a crew share, behind a lock.
pub(super) struct State<Q: Policy> {
    /// The samples of the current epoch, and the first of them that no worker has claimed.
    pub(super) epoch: Range<u64>,
    pub(super) next: u64,
    /// The number of batches that are being run.
    pub(super) busy: usize,
    /// The batches of the epoch that have been run, by their first samples.
    pub(super) batches: BTreeMap<u64, Batch<Q::Gain>>,
    pub(super) is_over: bool,
    /// The lesson for which the search must start over, if there is one.
    pub(super) lesson: Option<(Lesson, Teacher)>,
    /// What the samples of each epoch have taught, and a policy that has learnt it.
    pub(super) learnt: Vec<Vec<Q::Gain>>,
    pub(super) policy: Q,
    /// The sum of all earlier epochs.
    pub(super) verdict: Verdict,
    pub(super) tally: Tally,
    pub(super) races: ReportedRaces,
    /// The maximum number of samples.
    pub(super) limit: u64,
    /// The maximum number of executions.
    pub(super) max_executions: u64,
}

impl<Q: Policy> State<Q> {
    pub(super) fn new(options: &Options<'_>, discarded: (u64, u64)) -> Self {
        let discarded = discarded.0 + discarded.1;
        State {
            epoch: 0..1,
            next: 0,
            busy: 0,
            batches: BTreeMap::new(),
            is_over: false,
            lesson: None,
            learnt: Vec::new(),
            policy: Q::new(&options.sampling),
            verdict: Verdict::default(),
            tally: Tally::default(),
            races: ReportedRaces::default(),
            limit: limit(options),
            max_executions: options
                .max_executions
                .map_or(u64::MAX, |m| m.saturating_sub(discarded)),
        }
    }

    /// Returns the number of executions, including those that ended early.
    fn runs(&self) -> u64 {
        self.verdict.executions + self.verdict.blocked
    }

    /// Claims the next batch of the epoch.
    pub(super) fn claim(&mut self) -> (Range<u64>, (u64, u64)) {
        let before = self.next - self.epoch.start;
        let size = ((self.epoch.end - self.epoch.start) / 16).clamp(1, LARGEST_BATCH);
        // A batch with one sample does not exceed the limit on executions.
        let exceeds = self.runs().saturating_add(before + size) > self.max_executions;
        let size = if exceeds { 1 } else { size };
        let range = self.next..(self.next + size).min(self.epoch.end);
        self.next = range.end;
        self.busy += 1;
        (range, (self.verdict.executions + before, self.verdict.blocked))
    }

    /// Adds the batches of the epoch to the verdict, and begins the next epoch. Returns whether the search
    /// is over.
    pub(super) fn end_epoch(&mut self) -> bool {
        let mut gains = Vec::new();
        let mut is_over = false;
        let end = self.epoch.end;
        for batch in std::mem::take(&mut self.batches).into_values() {
            gains.extend(batch.samples.iter().map(|sample| sample.gain.clone()));
            let is_last = batch.range.end == end;
            is_over = batch.outcome != Outcome::Done;
            self.add(batch);
            if self.runs() >= self.max_executions && (!is_last || end < self.limit) && !is_over {
                self.verdict.stopped = Some(Bound::Executions);
                if !is_last {
                    return true;
                }
                is_over = true;
                break;
            }
            if is_over {
                return true;
            }
        }
        gains.iter().for_each(|gain| self.policy.learn(gain));
        self.learnt.push(gains);
        self.epoch = end..end_of_epoch(end).min(self.limit);
        self.next = end;
        is_over || end >= self.limit
    }

    /// Adds a batch to the verdict.
    fn add(&mut self, batch: Batch<Q::Gain>) {
        let (sum, more) = (&mut self.verdict, batch.verdict);
        let before = sum.executions;
        let numbered = |violation: Violation| {
            let execution = violation.execution - batch.base + before;
            Violation { execution, ..violation }
        };
        let mut races = batch.races.races.into_iter();
        for violation in more.violations {
            let is_race = violation.kind == ViolationKind::DataRace;
            let is_same =
                |v: &Violation| v.kind == violation.kind && v.message == violation.message;
            // A data race that ends the search is not in the log.
            let race = if is_race { races.next() } else { None };
            let is_new = match race {
                Some(race) => self.races.add(race),
                None => !sum.violations.iter().any(is_same),
            };
            if is_new {
                sum.violations.push(numbered(violation));
            }
        }
        for (warning, cell) in more.warnings.into_iter().zip(batch.races.locations) {
            if sum.warnings.len() < MOST_WARNINGS && self.races.note_location(cell) {
                sum.warnings.push(numbered(warning));
            }
        }
        sum.executions += more.executions;
        sum.blocked += more.blocked;
        sum.events += more.events;
        sum.max_depth = sum.max_depth.max(more.max_depth);
        sum.weak_access = sum.weak_access.take().or(more.weak_access);
        sum.stopped = match batch.outcome {
            Outcome::Done => sum.stopped.or(more.stopped),
            _ => more.stopped,
        };
        batch.samples.iter().for_each(|sample| self.tally.add(sample));
    }
}

/// A batch that has been run.
pub(super) struct Batch<G> {
    pub(super) range: Range<u64>,
    /// The number of executions that its violations are counted from.
    pub(super) base: u64,
    pub(super) verdict: Verdict,
    pub(super) samples: Vec<Sample<G>>,
    pub(super) races: RaceLog,
    pub(super) outcome: Outcome,
}

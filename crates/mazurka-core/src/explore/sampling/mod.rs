//! `random`, `pct`, `pos` and `surw`: samples of the executions of a program.
//!
//! A sampler runs independent executions, each chosen by a policy and its own random numbers. It
//! never explores a program completely, and its verdict says so. The verdict has the number of
//! distinct classes among the samples, and an estimate of those that are missing: the Mazurkiewicz
//! trace of each sample is reduced to a [digest](Execution::trace_digest).
//!
//! The `i`-th sample depends only on the seed, on `i`, and on what the samples before its *epoch* have
//! taught the policy. Epochs end at sample 1, 2, 4, 8 and so on, and later after every 4096 samples.
//! [Several workers](crate::explore::explore_with_workers) run the samples of an epoch at the same
//! time, so that the verdict is the same for any number of workers.

mod classes;
mod walk;

pub(crate) use crate::search::sampling::{Pct, Pos, Surw, Uniform};
pub(crate) use walk::{Sample, Walk};

use self::classes::Classes;
use crate::execution::Execution;
use crate::execution::order::AllConflicts;
use crate::model::{Machine, Performed};
use crate::search::sampling::Policy;
use crate::search::strategy::{Explorer, Next, Position, Strategy};
use crate::search::{Options, SamplingOptions};
use crate::verdict::{Bound, SamplingStatistics, Verdict};

/// The maximum number of samples in an epoch.
const LONGEST_EPOCH: u64 = 4096;

/// Returns the first sample after the epoch of a sample.
pub(crate) fn end_of_epoch(sample: u64) -> u64 {
    match sample {
        0..LONGEST_EPOCH => (sample + 1).next_power_of_two(),
        _ => (sample / LONGEST_EPOCH + 1).saturating_mul(LONGEST_EPOCH),
    }
}

/// Returns the maximum number of samples.
pub(crate) fn limit(options: &Options<'_>) -> u64 {
    let is_limited = options.time_limit.is_some() || options.max_executions.is_some();
    let otherwise = if is_limited { u64::MAX } else { SamplingOptions::DEFAULT_SAMPLES };
    options.sampling.samples.unwrap_or(otherwise)
}

/// What is known about the samples that have ended.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    classes: Classes,
    /// The maximum number of processes in a sample.
    processes: usize,
}

impl Tally {
    /// Adds a sample.
    pub(crate) fn add<G>(&mut self, sample: &Sample<G>) {
        self.classes.add(sample.digest);
        self.processes = self.processes.max(sample.processes);
    }

    /// Adds the statistics to a verdict.
    pub(crate) fn report(
        &self,
        policy: &impl Policy,
        options: &SamplingOptions,
        verdict: &mut Verdict,
    ) {
        let guarantee = policy.guarantee(self.processes);
        verdict.sampling = Some(SamplingStatistics {
            seed: options.seed,
            guarantee: guarantee.map(|probability| (options.bug_depth, probability)),
            ..self.classes.statistics()
        });
        verdict.stopped.get_or_insert(Bound::Samples);
    }
}

/// The strategy of the explorers that sample.
#[derive(Debug)]
pub(crate) struct Sampler<P: Policy> {
    walk: Walk<P>,
    options: SamplingOptions,
    /// The maximum number of samples.
    limit: u64,
    /// The number of samples before the current one.
    ended: u64,
    /// What the samples of this epoch have taught.
    gains: Vec<P::Gain>,
    tally: Tally,
}

impl<P: Policy> Explorer for Sampler<P> {
    fn new(options: &Options<'_>) -> Self {
        Sampler {
            walk: Walk::new(&options.sampling),
            options: options.sampling,
            limit: limit(options),
            ended: 0,
            gains: Vec::new(),
            tally: Tally::default(),
        }
    }
}

impl<P: Policy> Strategy for Sampler<P> {
    type Relation = AllConflicts;

    fn next(&mut self, at: &Position<'_>) -> Next {
        self.walk.next(self.ended, at)
    }

    fn performed(&mut self, machine: &dyn Machine, performed: &Performed) {
        self.walk.performed(machine, performed);
    }

    fn took(&mut self, _machine: &dyn Machine, _execution: &mut Execution) {}

    fn ended(&mut self, _machine: &dyn Machine, execution: &mut Execution) {
        let sample = self.walk.ended(execution);
        self.tally.add(&sample);
        self.gains.push(sample.gain);
    }

    fn backtrack(&mut self, _execution: &Execution) -> Option<usize> {
        let is_last = self.ended + 1 >= self.limit;
        if is_last || end_of_epoch(self.ended) == self.ended + 1 {
            self.gains.drain(..).for_each(|gain| self.walk.policy.learn(&gain));
        }
        self.ended += 1;
        (!is_last).then_some(0)
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        progress(depth, self.ended, self.limit)
    }

    fn report(&self, verdict: &mut Verdict) {
        self.tally.report(&self.walk.policy, &self.options, verdict);
    }
}

/// Returns the numbers of samples before and after the current one, as branches of the root: progress is
/// the fraction of the samples.
pub(crate) fn progress(depth: usize, ended: u64, limit: u64) -> (usize, usize) {
    match depth {
        0 if limit < u64::MAX => (ended as usize, limit.saturating_sub(ended + 1) as usize),
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epochs_double_up_to_a_maximum() {
        let mut ends = Vec::new();
        let mut sample = 0;
        while sample < 20_000 {
            assert_eq!(end_of_epoch(sample), end_of_epoch(end_of_epoch(sample) - 1));
            sample = end_of_epoch(sample);
            ends.push(sample);
        }
        let start = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
        assert_eq!(ends[..start.len()], start);
        assert_eq!(ends[start.len()..], [8192, 12288, 16384, 20480]);
    }
}

//! `random`, `pct`, `pos` and `surw`: samples of the executions of a program.
//!
//! A sampler runs independent executions, each chosen by a policy and its own random numbers. It
//! never explores a program completely, and its verdict says so. The verdict has the number of
//! distinct classes among the samples, and an estimate of those that are missing: the Mazurkiewicz
//! trace of each sample is reduced to a [digest](Execution::trace_digest).
//!
//! The `i`-th sample depends only on the seed, on `i`, and on the samples before it.

mod classes;

pub(crate) use crate::search::sampling::{Pct, Pos, Surw, Uniform};

use self::classes::Classes;
use crate::execution::Execution;
use crate::execution::order::AllConflicts;
use crate::model::{Machine, Performed, ProcessId, Step};
use crate::search::sampling::{Policy, Random};
use crate::search::strategy::{Explorer, Next, Position, Strategy};
use crate::search::{Options, SamplingOptions};
use crate::verdict::{Bound, SamplingStatistics, Verdict};

/// The strategy of the explorers that sample.
#[derive(Debug)]
pub(crate) struct Sampler<P> {
    policy: P,
    options: SamplingOptions,
    /// The maximum number of samples.
    limit: u64,
    /// The number of samples before the current one.
    ended: u64,
    random: Random,
    classes: Classes,
    /// The process that moved last.
    mover: ProcessId,
    /// The number of processes so far.
    processes: usize,
    /// A buffer.
    enabled: Vec<ProcessId>,
}

impl<P: Policy> Explorer for Sampler<P> {
    fn new(options: &Options<'_>) -> Self {
        let is_limited = options.time_limit.is_some() || options.max_executions.is_some();
        let otherwise = if is_limited { u64::MAX } else { SamplingOptions::DEFAULT_SAMPLES };
        let mut sampler = Sampler {
            policy: P::new(&options.sampling),
            options: options.sampling,
            limit: options.sampling.samples.unwrap_or(otherwise),
            ended: 0,
            random: Random::new(options.sampling.seed, 0),
            classes: Classes::default(),
            mover: ProcessId::MAIN,
            processes: 1,
            enabled: Vec::new(),
        };
        sampler.policy.begin(&mut sampler.random);
        sampler
    }
}

impl<M: Machine, P: Policy> Strategy<M> for Sampler<P> {
    type Relation = AllConflicts;

    fn next(&mut self, at: &Position<'_, M>) -> Next {
        self.enabled.clear();
        self.enabled.extend(at.enabled().filter(|process| at.allows(*process)));
        if self.enabled.is_empty() {
            return Next::End;
        }
        let process = self.policy.choose(at.machine, &self.enabled, &mut self.random);
        let choice = self.random.below(at.machine.alternatives(process).into()) as u32;
        self.mover = process;
        Next::Step(Step { process, choice })
    }

    fn performed(&mut self, machine: &M, performed: &Performed) {
        self.policy.took(machine, self.mover, performed);
    }

    fn took(&mut self, machine: &M, _execution: &mut Execution) {
        self.processes = self.processes.max(machine.processes());
    }

    fn ended(&mut self, _machine: &M, execution: &mut Execution) {
        self.ended += 1;
        self.classes.add(execution.trace_digest());
        self.policy.ended(execution.len());
    }

    fn backtrack(&mut self, _execution: &Execution) -> Option<usize> {
        if self.ended >= self.limit {
            return None;
        }
        self.random = Random::new(self.options.seed, self.ended);
        self.policy.begin(&mut self.random);
        Some(0)
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        // Progress is the fraction of the samples.
        match depth {
            0 if self.limit < u64::MAX => {
                (self.ended as usize, self.limit.saturating_sub(self.ended + 1) as usize)
            }
            _ => (0, 0),
        }
    }

    fn report(&self, verdict: &mut Verdict) {
        let guarantee = self.policy.guarantee(self.processes);
        verdict.sampling = Some(SamplingStatistics {
            seed: self.options.seed,
            guarantee: guarantee.map(|probability| (self.options.bug_depth, probability)),
            ..self.classes.statistics()
        });
        verdict.stopped.get_or_insert(Bound::Samples);
    }
}

//! One sample after the other, as a policy chooses them.

use crate::execution::Execution;
use crate::model::{Machine, Performed, ProcessId, Step};
use crate::search::SamplingOptions;
use crate::search::sampling::{Policy, Random};
use crate::search::strategy::{Next, Position};

/// A policy, and the sample that it is choosing.
#[derive(Debug)]
pub(crate) struct Walk<P> {
    pub(crate) policy: P,
    seed: u64,
    random: Random,
    /// The process that moved last.
    mover: ProcessId,
    /// A buffer.
    enabled: Vec<ProcessId>,
}

/// A sample that has ended.
#[derive(Clone, Debug)]
pub(crate) struct Sample<G> {
    /// The digest of its trace.
    pub(crate) digest: u128,
    /// The number of its processes.
    pub(crate) processes: usize,
    /// What it teaches the policy.
    pub(crate) gain: G,
}

impl<P: Policy> Walk<P> {
    pub(crate) fn new(options: &SamplingOptions) -> Self {
        Walk {
            policy: P::new(options),
            seed: options.seed,
            random: Random::new(options.seed, 0),
            mover: ProcessId::MAIN,
            enabled: Vec::new(),
        }
    }

    /// Decides how to continue the sample with this index.
    pub(crate) fn next(&mut self, sample: u64, at: &Position<'_>) -> Next {
        if at.depth() == 0 {
            self.random = Random::new(self.seed, sample);
            self.policy.begin(at.execution.initial(), &mut self.random);
        }
        let is_enabled =
            |process: &ProcessId| at.machine.is_enabled(*process) && at.allows(*process);
        self.enabled.clear();
        // Ids may depend on the samples before, so their order must not matter.
        self.enabled.extend(at.execution.processes_in_order().filter(is_enabled));
        if self.enabled.is_empty() {
            return Next::End;
        }
        let process = self.policy.choose(at.machine, &self.enabled, &mut self.random);
        let choice = self.random.below(at.machine.alternatives(process).into()) as u32;
        self.mover = process;
        Next::Step(Step { process, choice })
    }

    /// The driver has taken that step, which did this.
    pub(crate) fn performed(&mut self, machine: &dyn Machine, performed: &Performed) {
        self.policy.took(machine, self.mover, performed);
    }

    /// Ends the current sample.
    pub(crate) fn ended(&mut self, execution: &Execution) -> Sample<P::Gain> {
        Sample {
            digest: execution.trace_digest(),
            processes: execution.processes_in_order().count(),
            gain: self.policy.ended(execution.len()),
        }
    }
}

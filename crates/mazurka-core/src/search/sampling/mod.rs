//! Sampling: policies that choose the next process of an execution at random.
//!
//! The explorers [`random`](crate::search::Algorithm::Random), `pct`, `pos` and `surw` run one policy
//! each. The scouts of an exhaustive search run two of them. A policy sees only the machine and the
//! steps that are taken, so it works for every front end.

mod pct;
mod pos;
mod random;
mod rng;
mod surw;

pub(crate) use pct::Pct;
pub(crate) use pos::Pos;
pub(crate) use random::Uniform;
pub(crate) use rng::Random;
pub(crate) use surw::Surw;

use crate::model::{Machine, Performed, ProcessId};

/// The options of the sampling explorers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SamplingOptions {
    /// The seed. The same seed leads to the same samples.
    pub seed: u64,
    /// The number of samples. `None` stands for [`DEFAULT_SAMPLES`](Self::DEFAULT_SAMPLES), and for
    /// no limit if the time or the number of executions is limited.
    pub samples: Option<u64>,
    /// The bug depth `d` of `pct`, which has `d - 1` priority change points; at least 1.
    pub bug_depth: u32,
}

impl SamplingOptions {
    /// The number of samples if nothing limits it.
    pub const DEFAULT_SAMPLES: u64 = 10_000;
}

impl Default for SamplingOptions {
    fn default() -> Self {
        SamplingOptions { seed: 0, samples: None, bug_depth: 3 }
    }
}

/// Chooses the next process of a sample.
pub(crate) trait Policy {
    /// Creates the policy.
    fn new(options: &SamplingOptions) -> Self;

    /// Begins a sample.
    fn begin(&mut self, random: &mut Random);

    /// Returns one of the `enabled` processes, which must not be empty.
    fn choose<M: Machine>(
        &mut self,
        machine: &M,
        enabled: &[ProcessId],
        random: &mut Random,
    ) -> ProcessId;

    /// Called after a step of `process`.
    fn took<M: Machine>(&mut self, _machine: &M, _process: ProcessId, _performed: &Performed) {}

    /// Called when a sample has ended after this many steps.
    fn ended(&mut self, _steps: usize) {}

    /// Returns a lower bound on the probability that a sample finds a given bug of the bug depth, if
    /// the policy has one. `processes` is the number of processes of the program.
    fn guarantee(&self, _processes: usize) -> Option<f64> {
        None
    }
}

/// Returns the entry of a process in a table that grows on demand.
fn entry<T: Clone + Default>(table: &mut Vec<T>, process: ProcessId) -> &mut T {
    if table.len() <= process.index() {
        table.resize(process.index() + 1, T::default());
    }
    &mut table[process.index()]
}

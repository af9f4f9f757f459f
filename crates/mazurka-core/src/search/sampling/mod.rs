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
///
/// A policy may use what earlier samples have taught it about the program. It learns that apart from
/// running the samples, so that several workers with a policy each can learn the same at the same time.
pub(crate) trait Policy: Send {
    /// What a sample teaches.
    type Gain: Clone + Send + Sync;

    /// Creates the policy.
    fn new(options: &SamplingOptions) -> Self;

    /// Begins a sample of a program with `initial` processes in its initial state.
    fn begin(&mut self, initial: usize, random: &mut Random);

    /// Returns one of the `enabled` processes, which must not be empty. Their order must not depend on
    /// other samples.
    fn choose(
        &mut self,
        machine: &dyn Machine,
        enabled: &[ProcessId],
        random: &mut Random,
    ) -> ProcessId;

    /// Called after a step of `process`.
    fn took(&mut self, _machine: &dyn Machine, _process: ProcessId, _performed: &Performed) {}

    /// Called when a sample has ended after this many steps. Returns what it teaches.
    fn ended(&mut self, steps: usize) -> Self::Gain;

    /// Learns what a sample has taught. Called for all samples of a program in the same order.
    fn learn(&mut self, gain: &Self::Gain);

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

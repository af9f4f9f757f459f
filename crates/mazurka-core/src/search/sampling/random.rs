//! `random`: a random walk.
//!
//! Each step is of an enabled process, all with the same probability. Interleavings are not
//! equally likely: those with few enabled processes are more likely than others.

use super::{Policy, Random, SamplingOptions};
use crate::model::{Machine, ProcessId};

/// The policy of `random`.
#[derive(Debug)]
pub(crate) struct Uniform;

impl Policy for Uniform {
    type Gain = ();

    fn new(_options: &SamplingOptions) -> Self {
        Uniform
    }

    fn begin(&mut self, _initial: usize, _random: &mut Random) {}

    fn choose(
        &mut self,
        _machine: &dyn Machine,
        enabled: &[ProcessId],
        random: &mut Random,
    ) -> ProcessId {
        random.pick(enabled)
    }
    fn ended(&mut self, _steps: usize) {}

    fn learn(&mut self, (): &()) {}
}

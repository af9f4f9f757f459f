//! The explorers: algorithms that decide which executions to run.
//!
//! | name | runs |
//! |---|---|
//! | [`naive`] | every interleaving |
//! | [`dpor`] | persistent sets, found dynamically |
//! | [`source`] | source sets with sleep sets |
//! | [`optimal`] | exactly one execution per Mazurkiewicz trace |
//! | [`observers`] | the same, where races that nobody observes do not count |
//! | [`em_dpor`] | dependence-covering sets, for programs with event queues |
//! | [`event_driven`] | one execution per class, where the order of posts is no matter |
//!
//! Every explorer is a `Strategy`, driven by one loop over one stack of events. A new one is one
//! module and one line in the registry below.

mod algorithm;
mod cells;
mod clock;
pub mod dpor;
mod driver;
pub mod em_dpor;
pub mod event_driven;
mod execution;
mod footprint;
pub mod naive;
mod observe;
pub mod observers;
pub mod optimal;
mod options;
mod overtake;
mod race;
mod reversal;
mod sleep;
pub mod source;
mod strategy;
mod tree;

pub use algorithm::{Algorithm, UnknownAlgorithm};
pub use execution::Execution;
pub use options::{DataRaces, Monitor, Options, Progress};

use crate::model::Machine;
use crate::verdict::Verdict;
use driver::Driver;

/// Explores the executions of a machine that is in its initial state.
pub fn explore<M: Machine>(
    machine: &mut M,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<M>,
) -> Verdict {
    let driver = Driver::new(machine, options, monitor);
    match options.algorithm {
        Algorithm::Naive => driver.run(naive::Naive::default),
        Algorithm::Dpor => driver.run(|| dpor::Dpor::new(options.sleep_sets)),
        Algorithm::Source => driver.run(source::Source::new),
        // With observers it is the execution that differs, not the search.
        Algorithm::Optimal | Algorithm::Observers => driver.run(optimal::Optimal::new),
        Algorithm::EmDpor => driver.run(em_dpor::EmDpor::default),
        Algorithm::EventDriven => driver.run(event_driven::EventDriven::default),
    }
}

//! The explorers: algorithms that decide which executions to run.
//!
//! | name | runs |
//! |---|---|
//! | [`naive`] | every interleaving |
//! | [`dpor`](dpor::classic) | persistent sets, found dynamically |
//! | [`source`] | source sets with sleep sets |
//! | [`optimal`] | exactly one execution per Mazurkiewicz trace |
//! | [`observers`](dpor::observers) | the same, where races that nobody observes do not count |
//! | [`data_centric`] | exactly one execution per observation function |
//! | [`unfolding`] | one execution per maximal configuration of the unfolding, with cut-offs |
//! | [`em_dpor`] | dependence-covering sets, for programs with event queues |
//! | [`event_driven`] | one execution per class, where the order of posts is no matter |
//!
//! Every explorer is a `Strategy`, driven by one loop over one stack of events. A new one is one
//! module and one line in the registry below.

pub mod data_centric;
pub mod dpor;
pub mod event_loops;
mod fingerprint;
pub mod naive;
pub mod unfolding;

pub use dpor::parallel::{Sharing, explore_with_workers};

use std::cell::RefCell;
use std::rc::Rc;

use self::dpor::{classic, optimal, source};
use self::event_loops::{em_dpor, event_driven};
use crate::model::Machine;
use crate::search::driver::Driver;
use crate::search::{Algorithm, Monitor, Options};
use crate::verdict::{Note, Verdict};

/// Explores the executions of a machine that is in its initial state.
pub fn explore<M: Machine>(
    machine: &mut M,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<M>,
) -> Verdict {
    let driver = Driver::new(machine, options, monitor);
    match options.algorithm {
        Algorithm::Naive => driver.run(naive::Naive::default),
        Algorithm::Dpor => driver.run(|| classic::Dpor::new(options.sleep_sets)),
        Algorithm::Source => driver.run(source::Source::new),
        // With observers it is the execution that differs, not the search.
        Algorithm::Optimal | Algorithm::Observers => driver.run(optimal::Optimal::new),
        // It picks some schedule for what shall be observed, not the one with the fewest preemptions.
        Algorithm::DataCentric if options.preemption_bound.is_some() => {
            let mut verdict = driver.run(source::Source::new);
            verdict.notes.push(Note::BoundWithoutSchedules);
            verdict
        }
        Algorithm::DataCentric => {
            let lessons = Rc::new(RefCell::new(data_centric::Lessons::default()));
            driver.run(|| data_centric::DataCentric::new(lessons.clone()))
        }
        // In an unfolding there is no order of independent steps that could be interrupted.
        Algorithm::Unfolding if options.preemption_bound.is_some() => {
            let mut verdict = driver.run(optimal::Optimal::new);
            verdict.notes.push(Note::PreemptionBound);
            verdict
        }
        Algorithm::Unfolding => {
            let unfolding = || unfolding::Unfolding::new(options.unfolding);
            driver.run_or(unfolding, optimal::Optimal::new, Note::LateNames)
        }
        Algorithm::EmDpor => driver.run(em_dpor::EmDpor::default),
        Algorithm::EventDriven => {
            let event_driven = event_driven::EventDriven::default;
            driver.run_or(event_driven, optimal::Optimal::new, Note::HandlersWait)
        }
    }
}

//! The interface between the search and other workers.

use std::convert::Infallible;
use std::fmt::Debug;

use crate::execution::Execution;
use crate::execution::footprint::Footprint;
use crate::explore::dpor::optimal::{Optimal, Plan};
use crate::explore::dpor::parts::weak_initials::WeakInitials;
use crate::model::{Lesson, Machine, Step, Violation};

/// The workers that explore one search tree together: [one](OneWorker), or
/// [several](crate::explore::parallel).
///
/// With several workers, the first prefixes of the current execution may be *forks*, which belong
/// to all workers. Sequences to be run from a fork are planned at the fork, not in a tree of the
/// worker.
///
/// By default, there are no forks.
pub(crate) trait Workers<R: WeakInitials>: Sized + Debug {
    /// The type of the tags of sleepers.
    type Tag: Clone + Debug;

    /// Whether the search is one of several that are [independent](crate::explore::dpor::division) of each
    /// other. An execution may then turn out to be explored by another one.
    const IS_DIVIDED: bool = false;

    /// Returns how many of the first prefixes of the execution are forks.
    fn forks(&self) -> usize {
        0
    }

    /// Plans the current reversal at a fork, unless it is redundant.
    fn plan(_search: &mut Optimal<R, Self>, depth: usize, _execution: &Execution) -> Plan {
        unreachable!("there is no fork at depth {depth}")
    }

    /// Plans a step at a fork.
    fn plan_step(&mut self, depth: usize, _step: Step, _footprint: Option<Footprint>) {
        unreachable!("there is no fork at depth {depth}")
    }

    /// Returns the number of branches of a fork that have been taken, without the current one, and
    /// the number of open branches.
    fn branches(&self, depth: usize) -> (usize, usize) {
        unreachable!("there is no fork at depth {depth}")
    }

    /// Called after the last event has been taken and added to the sleep sets.
    fn took(_search: &mut Optimal<R, Self>, _execution: &Execution) {}

    /// Called when the execution has ended.
    fn ended(&mut self) {}

    /// Called if the branch to be taken at `depth` is not enabled and there is no other one.
    fn find_another_branch(_search: &mut Optimal<R, Self>, _depth: usize) {}

    /// Called if the last prefix is a leaf whose sleep set is not empty.
    fn loosen(&self) {}

    /// Called after all sleepers of the last prefix that are not loose have been removed.
    fn wake_strict(&self) {}

    /// Called after the sleep set of the last prefix, which has this length, has been cleared.
    fn wake_all(&mut self, _depth: usize) {}

    /// Called before the search backtracks, after all races of the execution have been reversed.
    fn share_work(_search: &mut Optimal<R, Self>, _execution: &Execution) {}

    /// Returns the steps of a prefix that another worker has left to be explored.
    fn take_over(_search: &mut Optimal<R, Self>, _execution: &Execution) -> Option<Vec<Step>> {
        None
    }

    /// Called at each prefix of the steps that [`take_over`](Workers::take_over) has returned. See
    /// [`Strategy::arrives`](crate::search::strategy::Strategy::arrives).
    fn arrives(
        _search: &mut Optimal<R, Self>,
        _machine: &mut dyn Machine,
        _execution: &mut Execution,
    ) -> Result<bool, Box<Violation>> {
        Ok(true)
    }

    /// Takes the lesson that the machine has learnt at such a prefix, if there is one.
    fn take_lesson(&mut self) -> Option<Lesson> {
        None
    }
}

/// A single worker that explores everything.
#[derive(Debug)]
pub(crate) struct OneWorker;

impl<R: WeakInitials> Workers<R> for OneWorker {
    type Tag = Infallible;
}

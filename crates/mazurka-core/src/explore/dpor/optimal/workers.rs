//! The places where the search has to do with other workers.

use std::convert::Infallible;
use std::fmt::Debug;

use crate::execution::Execution;
use crate::execution::footprint::Footprint;
use crate::explore::dpor::optimal::{Optimal, Plan};
use crate::explore::dpor::parts::weak_initials::WeakInitials;
use crate::model::Step;

/// The workers that explore one search tree together: [one](OneWorker), or
/// [several](crate::explore::dpor::parallel).
///
/// If there are several, the first prefixes of the current execution may be *forks*, which belong to
/// all workers. What one worker finds to be planned there is not put into a tree of its own.
///
/// By default, there are no forks.
pub(crate) trait Workers<R: WeakInitials>: Sized + Debug {
    /// What sleepers are tagged with.
    type Tag: Clone + Debug;

    /// How many of the first prefixes of the execution are forks.
    fn forks(&self) -> usize {
        0
    }

    /// Plans the current reversal at a fork, unless it is redundant.
    fn plan(_search: &mut Optimal<R, Self>, depth: usize, _execution: &Execution) -> Plan {
        unreachable!("there is no fork at depth {depth}")
    }

    /// Plans a step at a fork.
    fn plan_step(&self, depth: usize, _step: Step, _footprint: Option<Footprint>) {
        unreachable!("there is no fork at depth {depth}")
    }

    /// Returns how many branches of a fork have been taken, without the current one, and how many are
    /// open.
    fn branches(&self, depth: usize) -> (usize, usize) {
        unreachable!("there is no fork at depth {depth}")
    }

    /// The last event has been taken, and put into the sleep sets.
    fn took(_search: &mut Optimal<R, Self>, _execution: &Execution) {}

    /// The execution has ended.
    fn ended(&mut self) {}

    /// The branch that was to be taken at `depth` is not possible, and there is no other one.
    fn find_another_branch(_search: &mut Optimal<R, Self>, _depth: usize) {}

    /// The last prefix is a leaf at which some steps are still asleep.
    fn loosen(&self) {}

    /// The sleep set of the last prefix has been emptied.
    fn wake_all(&self) {}

    /// All races of the execution have been reversed, and the search is about to backtrack.
    fn share_work(_search: &mut Optimal<R, Self>, _execution: &Execution) {}

    /// Returns the steps to a prefix that another worker has left to be explored.
    fn take_over(_search: &mut Optimal<R, Self>, _execution: &Execution) -> Option<Vec<Step>> {
        None
    }
}

/// One worker, which explores everything.
#[derive(Debug)]
pub(crate) struct OneWorker;

impl<R: WeakInitials> Workers<R> for OneWorker {
    type Tag = Infallible;
}

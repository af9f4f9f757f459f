//! Events that might be moved before the next event of a node, and their observations.

use smallvec::SmallVec;

use super::frame::Changed;
use crate::execution::Execution;
use crate::explore::data_centric::graph::access::{Accesses, GroupAccess, Share};
use crate::explore::data_centric::graph::identity::Identity;
use crate::explore::data_centric::graph::{INITIAL, ObservationGraph, Past};
use crate::explore::data_centric::lessons::CellGroup;
use crate::explore::data_centric::realise::AddedEvent;
use crate::explore::data_centric::waiting::{Condition, Conditions};

/// An event of the execution, or a pending one, that might be moved.
pub(crate) struct Movable {
    pub(crate) process: usize,
    pub(crate) number: u32,
    pub(crate) choice: u32,
    pub(crate) alternatives: u32,
    pub(crate) past: Past,
    pub(crate) accesses: Accesses,
    /// Whether it was performed; otherwise it is pending.
    pub(crate) performed: bool,
    /// The conditions that its values alone do not decide.
    pub(crate) conditions: Conditions,
}

impl Movable {
    pub(crate) fn of_event(graph: &ObservationGraph, execution: &Execution, index: u32) -> Self {
        let event = graph.event(index);
        let accesses = graph.accesses(index);
        let conditions = match accesses.iter().any(GroupAccess::needs_conditions) {
            true => Condition::all_of(execution.accesses_of(index as usize)),
            false => Conditions::new(),
        };
        Movable {
            process: event.process,
            number: event.number,
            choice: event.choice,
            alternatives: event.alternatives,
            past: event.past,
            accesses: accesses.into(),
            performed: true,
            conditions,
        }
    }

    /// Returns the pending event of a process.
    pub(crate) fn pending(
        graph: &ObservationGraph,
        process: usize,
        accesses: Accesses,
        conditions: Conditions,
    ) -> Self {
        Movable {
            process,
            number: graph.count(process) + 1,
            choice: 0,
            alternatives: 1,
            past: graph.past_of_next(process),
            accesses,
            performed: false,
            conditions,
        }
    }

    /// Returns whether it is an event of this process.
    pub(crate) fn is_of(&self, process: usize) -> bool {
        self.process == process
    }

    /// Returns whether it writes nothing, or would write nothing after another observation.
    pub(crate) fn may_only_read(&self) -> bool {
        let may_fail = self.accesses.iter().any(|access| access.is_conditional() && !access.waits)
            || self.conditions.iter().any(Condition::may_fail);
        may_fail || !self.accesses.iter().any(|access| access.writes)
    }

    /// Returns its accesses.
    pub(crate) fn accesses(&self) -> &[GroupAccess] {
        &self.accesses
    }

    /// Returns the groups that it may write to, without reader-writer locks.
    pub(crate) fn targets(&self) -> impl Iterator<Item = CellGroup> + '_ {
        let targets = self.accesses.iter();
        let targets = targets.filter(|access| access.may_write() && access.share == Share::No);
        targets.map(|access| access.group)
    }
}

/// The writes that an event observes: one for each access that reads.
pub(crate) type Sources = SmallVec<[u32; 2]>;

/// An event that must not be in the past of an observed write.
#[derive(Clone, Copy)]
pub(crate) struct Outsider {
    pub(crate) process: usize,
    pub(crate) number: u32,
}

impl Outsider {
    pub(crate) fn is_past_of(self, source: u32, graph: &ObservationGraph) -> bool {
        source != INITIAL && graph.component(graph.event(source).clock, self.process) >= self.number
    }
}

/// An event that has been moved, with its new observations.
pub(crate) struct Moved {
    pub(crate) added: AddedEvent,
    pub(crate) identity: Identity,
    pub(crate) cut: SmallVec<[u32; 8]>,
    /// The group whose write the next event of the node observes.
    pub(crate) group: CellGroup,
    /// The value that it leaves in that group, if it is known.
    pub(crate) value: Option<u64>,
    /// Whether its process may turn out to wait instead.
    pub(crate) is_guess: bool,
}

impl Moved {
    pub(crate) fn changed(&self) -> Changed {
        let AddedEvent { process, number, .. } = self.added;
        Changed { process, number, identity: self.identity }
    }
}

/// Extends each list by each of the options: a Cartesian product.
pub(crate) fn multiply(lists: &mut Vec<Sources>, options: &[u32]) {
    let Some((first, others)) = options.split_first() else {
        lists.clear();
        return;
    };
    let known = lists.len();
    for option in others {
        for list in 0..known {
            let mut list = lists[list].clone();
            list.push(*option);
            lists.push(list);
        }
    }
    lists[..known].iter_mut().for_each(|list| list.push(*first));
}

/// Joins the components of a clock into a cut.
pub(crate) fn join(cut: &mut [u32], clock: &[u32]) {
    for (count, component) in cut.iter_mut().zip(clock) {
        *count = (*count).max(*component);
    }
}

/// Returns whether a cut has no event that is not within `other`.
#[inline]
pub(crate) fn is_subset(cut: &[u32], other: &[u32]) -> bool {
    let (known, new) = cut.split_at(cut.len().min(other.len()));
    known.iter().zip(other).all(|(count, most)| count <= most)
        && new.iter().all(|count| *count == 0)
}

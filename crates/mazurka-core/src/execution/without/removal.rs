//! Sets of events that are removed from an execution.

use smallvec::SmallVec;

use crate::execution::cells::NO_EVENT;
use crate::execution::{Access, Execution};
use crate::model::{Machine, ProcessId};

/// Events that are removed from an execution, with all events that happen after them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Without<'a> {
    /// The earliest removed event.
    pub(crate) first: u32,
    /// The other removed events.
    more: &'a [u32],
}

impl Without<'_> {
    /// Removes one event.
    #[inline]
    pub(crate) fn only(first: u32) -> Self {
        Without { first, more: &[] }
    }
}

/// A smallest set of events before which a step must be moved so that its condition holds.
#[derive(Debug, Default)]
pub(crate) struct Removal {
    first: u32,
    more: SmallVec<[u32; 4]>,
}

impl Removal {
    /// Creates a removal of one event.
    #[inline]
    pub(crate) fn only(first: u32) -> Self {
        Removal { first, more: SmallVec::new() }
    }

    #[inline]
    pub(crate) fn without(&self) -> Without<'_> {
        Without { first: self.first, more: &self.more }
    }

    /// Returns the events other than the first.
    pub(crate) fn more(&self) -> &[u32] {
        &self.more
    }
}

impl Execution {
    /// Returns whether an event remains in the execution `without` some events.
    #[inline]
    pub(super) fn remains(&self, event: u32, without: Without) -> bool {
        let is_after = |root: u32| {
            event == root || (event > root && self.happens_before(root as usize, event as usize))
        };
        !is_after(without.first) && !without.more.iter().any(|root| is_after(*root))
    }

    /// Returns the events to remove so that the process of an event with the accesses `new` could
    /// take its step before `first`, or `None` if it could not.
    ///
    /// In most cases that is `first` alone. Several independent events can disable a step that
    /// waits for several cells, each event at another cell: for example, a transition of a Petri
    /// net that lacks two tokens. Such a step comes before all of these events or before none, and
    /// races with the earliest.
    ///
    /// The accesses to a cell that a step waits for are ordered. If two sets of events can remain,
    /// so can their union, because at each cell it ends like one of the two. Hence there is a
    /// largest such set. The function finds it by removing the last access to a cell as long as the
    /// condition there does not hold.
    pub(crate) fn removal(&self, first: u32, new: &[Access]) -> Option<Removal> {
        let mut removal = Removal::only(first);
        if self.could_run_without(removal.without(), new) {
            return Some(removal);
        }
        let waits = |access: &&Access| access.waits && !access.guard;
        if new.iter().filter(waits).count() < 2 {
            return None;
        }
        while let Some(access) =
            (new.iter().filter(waits)).find(|access| !self.holds_without(removal.without(), access))
        {
            let last = self.last_movable(access, removal.without())?;
            removal.more.push(last);
        }
        self.could_run_without(removal.without(), new).then_some(removal)
    }

    /// Returns whether some step of the execution, or some pending step, waits for several cells at
    /// once.
    pub(crate) fn waits_for_several(&self, machine: &dyn Machine) -> bool {
        let has_waited =
            |event| self.accesses_of(event).iter().filter(|a| a.waits && !a.guard).count() > 1;
        let waits = |process| {
            let actions = machine.next(process).into_iter().chain(machine.others(process));
            actions.filter(|action| action.waits).count() > 1
        };
        (0..machine.processes()).map(ProcessId::new).any(waits) || (0..self.len()).any(has_waited)
    }

    /// Returns the last event that changes the cell of a `new` access, remains `without` these
    /// events, comes after the first of them, and need not happen before the new access.
    fn last_movable(&self, new: &Access, without: Without) -> Option<u32> {
        let mut next = new.previous;
        while next != NO_EVENT {
            let access = &self.accesses[next as usize];
            if access.event < without.first {
                return None;
            }
            let is_candidate = !access.op.is_read() && access.event != new.event;
            if is_candidate && self.remains(access.event, without) {
                return (!self.is_in_past(access.event, new)).then_some(access.event);
            }
            next = access.previous;
        }
        None
    }
}

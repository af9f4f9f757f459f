//! Sets of events that are taken out of an execution.

use smallvec::SmallVec;

use crate::execution::cells::NOBODY;
use crate::execution::{Access, Execution};
use crate::model::{Machine, ProcessId};

/// Events that are taken out of an execution, with all that happens after them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Without<'a> {
    /// The earliest of them.
    pub(crate) first: u32,
    /// The others.
    more: &'a [u32],
}

impl Without<'_> {
    /// Takes out one event.
    #[inline]
    pub(crate) fn only(first: u32) -> Self {
        Without { first, more: &[] }
    }
}

/// The events that a step must come before, so that what it waits for is there: as few as possible.
#[derive(Debug, Default)]
pub(crate) struct Removal {
    first: u32,
    more: SmallVec<[u32; 4]>,
}

impl Removal {
    /// One event alone.
    #[inline]
    pub(crate) fn only(first: u32) -> Self {
        Removal { first, more: SmallVec::new() }
    }

    #[inline]
    pub(crate) fn without(&self) -> Without<'_> {
        Without { first: self.first, more: &self.more }
    }

    /// The events besides the first.
    pub(crate) fn more(&self) -> &[u32] {
        &self.more
    }
}

impl Execution {
    /// Whether an event is there without these.
    #[inline]
    pub(super) fn remains(&self, event: u32, without: Without) -> bool {
        let is_after = |root: u32| {
            event == root || (event > root && self.happens_before(root as usize, event as usize))
        };
        !is_after(without.first) && !without.more.iter().any(|root| is_after(*root))
    }

    /// Returns the events to take out so that the process of an event with the accesses `new` could
    /// take its step before `first`, or `None` if it could not.
    ///
    /// Mostly that is `first` alone. A step that waits for several cells can be disabled by several
    /// events that are independent of each other, each at another cell: a transition of a Petri net
    /// that lacks two tokens. It then comes before all of them or before none, and the race is with the
    /// earliest.
    ///
    /// The accesses to a cell that a step waits for are ordered. So of two sets of events that could
    /// remain, their union could remain as well: for each cell it ends like one of the two. Therefore
    /// there is a largest such set, and it is found by taking out the last access to a cell as long as
    /// the condition there does not hold.
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

    /// Whether some step of the execution, or some step that a process waits to take, waits for several
    /// cells at once.
    pub(crate) fn waits_for_several<M: Machine>(&self, machine: &M) -> bool {
        let has_waited =
            |event| self.accesses_of(event).iter().filter(|a| a.waits && !a.guard).count() > 1;
        let waits = |process| {
            let actions = machine.next(process).into_iter().chain(machine.others(process));
            actions.filter(|action| action.waits).count() > 1
        };
        (0..machine.processes()).map(ProcessId::new).any(waits) || (0..self.len()).any(has_waited)
    }

    /// The last event that changes the cell of a `new` access, remains without these, comes after the
    /// first of them, and need not happen before the new access.
    fn last_movable(&self, new: &Access, without: Without) -> Option<u32> {
        let mut next = new.previous;
        while next != NOBODY {
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

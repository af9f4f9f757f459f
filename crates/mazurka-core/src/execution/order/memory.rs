//! Conflicts between accesses to memory.

use crate::execution::clock::ClockId;
use crate::execution::effort;
use crate::execution::order::{Conflict, Walk};
use crate::execution::{Access, Execution};
use crate::model::{Op, dependence};

/// A walk over the accesses to a memory cell that a new access depends on.
#[derive(Clone, Copy)]
pub(crate) struct MemoryWalk {
    op: Op,
    plain: bool,
    event: u32,
    next: u32,
    /// If the walk is for a read, the access before the last one that it visited; `next` is a write then.
    previous: u32,
    only_writes: bool,
}

impl MemoryWalk {
    #[inline]
    pub(crate) fn back_from(new: &Access) -> Self {
        let only_writes = new.op.is_read();
        let (next, previous) = (before(new, only_writes), new.previous);
        MemoryWalk { op: new.op, plain: new.plain, event: new.event, next, previous, only_writes }
    }
}

/// Returns the previous access to the same cell, or the previous access that is not a read.
#[inline]
fn before(access: &Access, only_writes: bool) -> u32 {
    match only_writes {
        true => access.previous_write,
        false => access.previous,
    }
}

impl Walk for MemoryWalk {
    #[inline(always)]
    fn next(&mut self, execution: &Execution, clock: ClockId) -> Option<Conflict> {
        match self.look(execution, clock)? {
            Some(conflict) => Some(conflict),
            None => {
                let found;
                (*self, found) = self.look_farther(execution, clock);
                found
            }
        }
    }
}

impl MemoryWalk {
    /// Looks on until an access conflicts. In most cases the first one does: this loop is kept out of the
    /// loops over conflicts, and does not borrow the walk, which stays in registers there.
    #[inline(never)]
    fn look_farther(mut self, execution: &Execution, clock: ClockId) -> (Self, Option<Conflict>) {
        loop {
            match self.look(execution, clock) {
                Some(None) => {}
                found => return (self, found.flatten()),
            }
        }
    }

    /// Looks at the next access. Returns `Some(None)` if it does not conflict, and `None` at the end of the
    /// walk.
    #[inline(always)]
    fn look(&mut self, execution: &Execution, clock: ClockId) -> Option<Option<Conflict>> {
        // The index `NO_EVENT` is out of bounds.
        let mut access = execution.accesses.get(self.next as usize)?;
        // Additions do not cover each other, but a read behind them does: n additions, each with a
        // read behind it, take n steps.
        if self.only_writes && access.op == Op::Add {
            access = execution.accesses.get(self.previous as usize)?;
        }
        effort::look();
        self.next = before(access, self.only_writes);
        self.previous = access.previous;
        if access.event == self.event {
            return Some(None);
        }
        if dependence::do_depend(&access.op, &self.op) {
            let plain = self.plain || access.plain;
            let is_barrier = dependence::is_barrier(access.op);
            return Some(Some(Conflict::new(access.event, plain, is_barrier)));
        }
        // Then all that this walk has yet to visit happens before the new event, too. So n operations
        // of one process that commute take n steps, not n².
        let is_end =
            dependence::covers(access.op, self.op) && !execution.is_unordered(access.event, clock);
        (!is_end).then_some(None)
    }
}

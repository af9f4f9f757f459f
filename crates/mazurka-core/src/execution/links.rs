//! The accesses of an execution, each in the list of its cell.

use super::cells::CellId;
use super::order::Relation;
use super::{Access, Declared, Execution};
use crate::model::{Action, Birth, Lesson, Location, Machine, Op, Ways, When};

/// Where an access comes in the list of its cell.
struct Place {
    previous: u32,
    previous_write: u32,
    /// Whether the cell has parts in common with others.
    has_overlaps: bool,
}

impl Execution {
    /// The last access to a cell, or [`NOBODY`].
    pub(crate) fn last_access(&self, cell: CellId) -> u32 {
        self.cells[cell].last
    }

    /// Whether some event has looked into a mailbox, or a channel, in vain.
    pub(crate) fn was_looked_at_in_vain(&self, cell: CellId) -> bool {
        self.cells[cell].looks_in_vain > 0
    }

    /// How many pairs of overlapping cells there have been in any execution.
    pub(crate) fn overlaps(&self) -> usize {
        self.cells.overlaps()
    }

    /// Whether a cell has parts in common with others.
    pub(crate) fn has_overlaps(&self, cell: CellId) -> bool {
        !self.cells[cell].overlapping.is_empty()
    }

    /// The cell of a location.
    ///
    /// If it turns out to overlap with another one, then whoever touched that one was not known to
    /// touch this one as well, and what was explored so far is unreliable.
    #[inline]
    pub(crate) fn cell<M: Machine>(&mut self, machine: &M, location: Location) -> CellId {
        match self.cells.find(location) {
            Some(cell) => cell,
            None => {
                let overlaps = self.cells.overlaps();
                let cell = self.cells.add(location, machine.birth(location.object));
                if self.cells.overlaps() != overlaps {
                    self.learn(Lesson::Overlap);
                }
                cell
            }
        }
    }

    /// A cell that belongs to no location.
    pub(crate) fn reserve_cell(&mut self) -> CellId {
        self.cells.reserve()
    }

    /// Since when a cell has had its name.
    pub(crate) fn birth(&self, cell: CellId) -> Birth {
        self.cells.birth(cell)
    }

    /// The cells that share a part with a cell.
    pub(crate) fn overlapping(&self, cell: CellId) -> &[CellId] {
        &self.cells[cell].overlapping
    }

    /// The cell of a location that some execution has met.
    pub(crate) fn cell_of(&self, action: &Action) -> Option<CellId> {
        self.cells.find(action.on)
    }

    /// Adds an access to its cell's list, and to those of the cells that overlap with it;
    /// `alone` says whether it is all that its step does. What was declared is copied only once: a copy
    /// of what was just written field by field has to wait for that.
    #[inline]
    pub(super) fn link<R: Relation>(
        &mut self,
        cell: CellId,
        event: u32,
        action: &Action,
        declared: &Declared,
        alone: bool,
    ) {
        let op = R::op(self, cell, action, alone);
        let Place { previous, previous_write, has_overlaps } = self.enlist(cell, op, event);
        self.accesses.push(Access {
            cell,
            op,
            declared: declared.op,
            when: declared.when,
            ways: declared.ways,
            waits: action.waits,
            guard: action.guard,
            plain: action.plain,
            merely_locks: action.merely_locks,
            before: action.before,
            after: action.after,
            event,
            previous,
            previous_write,
        });
        if has_overlaps {
            self.link_parts(cell, event, action);
        }
    }

    /// Adds the access to a cell to the lists of the cells that overlap with it: an access to a part
    /// of another cell, whose value is not what that cell's other accesses see.
    fn link_parts(&mut self, cell: CellId, event: u32, action: &Action) {
        let op = match (action.op == Op::Read, self.parts_are_apart) {
            (true, true) => Op::ReadPart,
            (true, false) => Op::Read,
            (false, true) => Op::WritePart,
            (false, false) => Op::Update,
        };
        for i in 0..self.cells[cell].overlapping.len() {
            let other = self.cells[cell].overlapping[i];
            let Place { previous, previous_write, .. } = self.enlist(other, op, event);
            self.accesses.push(Access {
                cell: other,
                op,
                declared: op,
                when: When::Always,
                ways: Ways::One,
                waits: false,
                guard: false,
                plain: action.plain,
                merely_locks: false,
                before: 0,
                after: 0,
                event,
                previous,
                previous_write,
            });
        }
    }

    /// What an action counts as. With observers, a write stays one only where its order with
    /// other writes matters to nobody but those who read the location: it is all that its step
    /// does, touches no other cell, and no process waits for what is written there. Otherwise it
    /// counts as an update, which is dependent on everything.
    #[inline(always)]
    pub(super) fn op_with_observers(&mut self, cell: CellId, action: &Action, alone: bool) -> Op {
        let matters = action.waits || action.op == Op::Write;
        if !action.op.is_memory() || !matters {
            return action.op;
        }
        let at = &self.cells[cell];
        // Mostly it is a write to where there have been such before.
        let is_as_before = !action.waits && at.had_writes && !at.is_awaited;
        match is_as_before && alone && at.overlapping.is_empty() {
            true => Op::Write,
            false => self.op_if_observed(cell, action, alone),
        }
    }

    #[inline(never)]
    fn op_if_observed(&mut self, cell: CellId, action: &Action, alone: bool) -> Op {
        let at = &mut self.cells[cell];
        if action.waits && !at.is_awaited {
            at.is_awaited = true;
            let had_writes = at.had_writes;
            let others_wrote = self.cells.common().is_some_and(|all| all.await_writes(cell));
            if had_writes || others_wrote {
                self.learn(Lesson::AwaitedWrites);
            }
        }
        if action.op != Op::Write {
            return action.op;
        }
        let at = &self.cells[cell];
        if !alone || at.is_awaited || !at.overlapping.is_empty() {
            return Op::Update;
        }
        match at.had_writes || self.may_write_unawaited(cell) {
            true => Op::Write,
            false => Op::Update,
        }
    }

    /// Whether a cell can be written to as if nobody waited for that.
    #[cold]
    fn may_write_unawaited(&mut self, cell: CellId) -> bool {
        let is_awaited = self.cells.common().is_some_and(|all| all.write_unawaited(cell));
        let at = &mut self.cells[cell];
        (at.is_awaited, at.had_writes) = (is_awaited, !is_awaited);
        !is_awaited
    }

    /// Puts the access that is added next at the end of its cell's list.
    #[inline(always)]
    fn enlist(&mut self, cell: CellId, op: Op, event: u32) -> Place {
        let index = self.accesses.len() as u32;
        let at = &mut self.cells[cell];
        let previous = std::mem::replace(&mut at.last, index);
        let (previous_write, has_overlaps) = (at.last_write, !at.overlapping.is_empty());
        if !op.is_read() {
            at.last_write = index;
        }
        if !op.is_memory() {
            at.looks_in_vain += u32::from(looks_in_vain(op));
            self.messages.note(op, event);
        }
        Place { previous, previous_write, has_overlaps }
    }

    /// Takes the accesses from `start` on off their cells' lists.
    pub(super) fn unlink_from(&mut self, start: usize) {
        for access in self.accesses[start..].iter().rev() {
            let at = &mut self.cells[access.cell];
            at.last = access.previous;
            at.last_write = access.previous_write;
            if !access.op.is_memory() {
                at.looks_in_vain -= u32::from(looks_in_vain(access.op));
                self.messages.forget(access.op);
            }
        }
        self.accesses.truncate(start);
    }
}

fn looks_in_vain(op: Op) -> bool {
    matches!(op, Op::TakeNone | Op::ReceiveNone)
}

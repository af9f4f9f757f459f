//! The accesses of an execution, linked into one list per cell.

use super::Execution;
use super::cells::{CellId, NO_EVENT, contains};
use super::event::Declared;
use super::footprint::{Footprint, Touch};
use super::order::Relation;
use super::value::{CellPart, ValueBefore};
use crate::model::{
    Action, Birth, Lesson, Location, Machine, Op, Performed, ProcessId, Ways, When,
};

/// One action of an event, linked to the other accesses to its cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) cell: CellId,
    /// The operation that it performed.
    pub(crate) op: Op,
    /// The operation that it performs if its condition holds.
    pub(crate) declared: Op,
    pub(crate) when: When,
    pub(crate) ways: Ways,
    pub(crate) waits: bool,
    pub(crate) guard: bool,
    pub(crate) awaits: bool,
    pub(crate) unread: bool,
    pub(crate) plain: bool,
    pub(crate) merely_locks: bool,
    pub(crate) part: CellPart,
    pub(crate) before: u64,
    pub(crate) after: u64,
    pub(crate) event: u32,
    /// The previous access to the same cell, or [`NO_EVENT`].
    pub(crate) previous: u32,
    /// The previous access to the same cell that is not a read, or [`NO_EVENT`].
    pub(crate) previous_write: u32,
    /// The previous access to the same cell that is not an [`Op::Write`], or [`NO_EVENT`].
    pub(crate) previous_other: u32,
}

impl Access {
    /// Creates the access of an action to a cell, with its links to earlier accesses.
    #[inline(always)]
    fn new(
        cell: CellId,
        op: Op,
        event: u32,
        action: &Action,
        declared: &Declared,
        Link { previous, previous_write, previous_other, .. }: Link,
    ) -> Self {
        Access {
            cell,
            op,
            declared: declared.op,
            when: declared.when,
            ways: declared.ways,
            waits: action.waits,
            guard: action.guard,
            awaits: action.awaits,
            unread: action.unread,
            plain: action.plain,
            merely_locks: action.merely_locks,
            part: CellPart::Whole,
            before: action.before,
            after: action.after,
            event,
            previous,
            previous_write,
            previous_other,
        }
    }

    /// Returns whether its step failed instead of taking effect: see [`Action::failed`].
    #[inline]
    pub(crate) fn has_failed(&self) -> bool {
        self.op == Op::Update && matches!(self.declared, Op::Write | Op::Add)
    }

    /// Returns whether it waits to acquire a lock exclusively. A loop that waits does not: others may store
    /// anything there.
    pub(crate) fn takes_lock(&self) -> bool {
        self.waits && !self.awaits && self.op == Op::Update && self.when == When::Equals(0)
    }

    /// Returns the operation of this receive if it finds no message.
    pub(crate) fn missed(&self) -> Op {
        Action::look(self.before).map_or(Op::TakeNone, |look| Op::Miss { look })
    }

    /// Returns the operation that it performs if its condition holds, as far as dependence is
    /// concerned.
    pub(crate) fn declared_op(&self) -> Op {
        match (self.declared, self.op) {
            // A write may count as an update.
            (Op::Write, op) => op,
            (declared, _) => declared,
        }
    }
}

/// The position of an access in the list of its cell.
struct Link {
    previous: u32,
    previous_write: u32,
    previous_other: u32,
    /// Whether the cell overlaps with other cells.
    has_overlaps: bool,
}

impl Execution {
    #[inline]
    pub(crate) fn accesses_of(&self, event: usize) -> &[Access] {
        let (start, end) = self.events[event].accesses;
        &self.accesses[start as usize..end as usize]
    }

    #[inline]
    pub(crate) fn touches(&self, event: usize) -> impl Iterator<Item = Touch> + '_ {
        self.accesses_of(event).iter().map(|a| Touch { cell: a.cell, op: a.op })
    }

    #[inline]
    pub(crate) fn footprint(&self, event: usize) -> Footprint {
        self.touches(event).collect()
    }

    /// Returns whether an event is the alternative of a [fallible](Ways::MayFail) step that fails. The
    /// other alternative is dependent on more steps.
    #[inline]
    pub(crate) fn is_failure(&self, event: usize) -> bool {
        let may_fail = |access: &Access| access.ways == Ways::MayFail;
        self.events[event].step.choice > 0 && self.accesses_of(event).first().is_some_and(may_fail)
    }

    /// Returns the footprint of the alternative of an event that fails, if it has one.
    pub(crate) fn failing_footprint(&self, event: usize) -> Option<Footprint> {
        let accesses = self.accesses_of(event);
        accesses.first().filter(|access| access.ways == Ways::MayFail)?;
        let mut is_first = true;
        let op_of = |access: &Access| match std::mem::take(&mut is_first) {
            true => Op::Read,
            false => access.declared,
        };
        Some(self.touches_as(accesses, op_of).collect())
    }

    /// Returns whether an event reads the value of a cell that the event `write` has written.
    pub(crate) fn reads_from(&self, event: usize, write: usize, cell: CellId) -> bool {
        let is_blind = |op| matches!(op, Op::Write | Op::CoverPart | Op::LifePart);
        self.accesses_of(event).iter().filter(|a| a.cell == cell && !is_blind(a.op)).any(|a| {
            a.previous_write != NO_EVENT
                && self.accesses[a.previous_write as usize].event as usize == write
        })
    }

    /// Returns whether the name of an object means the same in all executions that share the first
    /// `len` events of this one.
    pub(crate) fn was_known(&self, cell: CellId, len: usize) -> bool {
        let birth = self.cells.birth(cell);
        if birth == Birth::START {
            return true;
        }
        // The events of a process are linked from the last to the first.
        let Some(process) = self.processes.get(birth.process.index()) else { return false };
        let (mut last, mut events) = (process.last, process.events);
        while last != NO_EVENT && last as usize >= len {
            last = self.events[last as usize].before.1;
            events -= 1;
        }
        events >= birth.steps && birth.steps > 0
    }

    /// Returns the event of a process that follows `number` others of the process after the first `len`
    /// events, if there is one.
    pub(crate) fn nth_of(&self, process: ProcessId, len: usize, number: usize) -> Option<usize> {
        let (mut first, mut later) = (self.processes.get(process.index())?.last, 0);
        // The events of a process are linked from the last to the first.
        while first != NO_EVENT && first as usize >= len {
            (first, later) = (self.events[first as usize].before.1, later + 1);
        }
        let mut event = self.processes[process.index()].last;
        for _ in number + 1..later {
            event = self.events[event as usize].before.1;
        }
        (number < later).then_some(event as usize)
    }

    /// Returns the previous access to the cell of an access.
    pub(crate) fn previous(&self, access: &Access) -> Option<&Access> {
        self.accesses.get(access.previous as usize)
    }

    /// Returns the last access to a cell, or [`NO_EVENT`].
    pub(crate) fn last_access(&self, cell: CellId) -> u32 {
        self.cells[cell].last
    }

    /// Returns whether some event has found a mailbox or a channel empty.
    pub(crate) fn was_looked_at_in_vain(&self, cell: CellId) -> bool {
        self.cells[cell].looks_in_vain > 0
    }

    /// Returns the current value of the location of a pending action that waits for memory, or
    /// `None` if it cannot be computed.
    pub(crate) fn value_now(&self, action: &Action) -> Option<u64> {
        let Some(cell) = self.cell_of(action) else { return Some(action.before) };
        // The last access may be a guard, whose values are those before its step.
        let mut value = ValueBefore::new(action.before);
        let mut next = self.last_access(cell);
        while let Some(access) = self.accesses.get(next as usize) {
            if let Some(value) = value.add(access) {
                return value;
            }
            next = access.previous;
        }
        value.at_start()
    }

    /// Returns the number of pairs of cells that have bytes in common, in all executions so far.
    pub(crate) fn overlaps(&self) -> usize {
        self.cells.overlaps()
    }

    /// Returns whether there are two cells that have bytes in common, and neither contains the other.
    pub(crate) fn has_crossings(&self) -> bool {
        self.cells.crossings() > 0
    }

    /// Returns whether the range of a cell contains that of another cell of the same object.
    pub(crate) fn contains(&self, cell: CellId, other: CellId) -> bool {
        contains(self.cells[cell].range, self.cells[other].range)
    }

    /// Returns whether a cell has bytes in common with other cells.
    pub(crate) fn shares_values(&self, cell: CellId) -> bool {
        self.cells[cell].shares_values
    }

    /// Returns whether a cell is the [life](Location::life) of an object.
    pub(crate) fn is_life(&self, cell: CellId) -> bool {
        self.cells[cell].is_life
    }

    /// Returns the cell of a location, and adds it if it is new.
    ///
    /// If a new cell overlaps with a known one, earlier accesses to the known cell did not count as
    /// accesses to the new one. The executions so far are then unreliable, and the search starts
    /// over.
    ///
    /// The life of an object is an exception, if parts are apart: it has no value, and of two dependent
    /// accesses, the later one is recorded on the cell of the earlier one.
    #[inline]
    pub(crate) fn cell(&mut self, machine: &dyn Machine, location: Location) -> CellId {
        match self.cells.find(location) {
            Some(cell) => cell,
            None => {
                let (overlaps, lives) = (self.cells.overlaps(), self.cells.lives());
                let cell = self.cells.add(location, machine.birth(location.object));
                let has_new_life = !self.parts_are_apart && self.cells.lives() != lives;
                if self.cells.overlaps() != overlaps || has_new_life {
                    self.learn(Lesson::Overlap);
                }
                cell
            }
        }
    }

    /// Returns a new cell that belongs to no location.
    pub(crate) fn reserve_cell(&mut self) -> CellId {
        self.cells.reserve()
    }

    /// Returns when a cell got its name.
    pub(crate) fn birth(&self, cell: CellId) -> Birth {
        self.cells.birth(cell)
    }

    /// Returns the start and length of the location of a cell in its object.
    pub(crate) fn range(&self, cell: CellId) -> (u32, u32) {
        self.cells[cell].range
    }

    /// Returns the cells that overlap with a cell.
    pub(crate) fn overlapping(&self, cell: CellId) -> &[CellId] {
        &self.cells[cell].overlapping
    }

    /// Returns the cell of a location if some execution has accessed it.
    pub(crate) fn cell_of(&self, action: &Action) -> Option<CellId> {
        self.cells.find(action.on)
    }

    /// Returns the access that results if an action on a cell is performed next.
    pub(crate) fn pending_access(&self, action: &Action, cell: CellId) -> Access {
        let at = &self.cells[cell];
        let event = self.events.len() as u32;
        let link = Link {
            previous: at.last,
            previous_write: at.last_write,
            previous_other: at.last_other,
            has_overlaps: false,
        };
        Access::new(cell, action.op, event, action, &Declared::of(action), link)
    }

    /// Adds an access to the list of its cell, and to the lists of the cells that overlap with it.
    /// `alone` says whether it is the only action of its step.
    ///
    /// `declared` is passed by reference so that it is copied only once: a copy right after a write
    /// of its fields would stall on store forwarding.
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
        let link = self.enlist(cell, op, event);
        let has_overlaps = link.has_overlaps;
        self.accesses.push(Access::new(cell, op, event, action, declared, link));
        if has_overlaps {
            self.await_parts(cell, action, declared);
            self.link_parts(cell, event, action, declared.op);
        }
    }

    /// Adds the access to a cell to the lists of the cells that overlap with it, as an access to a
    /// part of each. Its values are the bytes that the two cells share.
    fn link_parts(&mut self, cell: CellId, event: u32, action: &Action, declared: Op) {
        for i in 0..self.cells[cell].overlapping.len() {
            let other = self.cells[cell].overlapping[i];
            let op = self.part_op(action.op, cell, other);
            let declared = self.part_op(declared, cell, other);
            let (mine, theirs) = (self.cells[cell].range, self.cells[other].range);
            let part = match self.cells[cell].is_life || self.cells[other].is_life {
                true => CellPart::Life,
                false => CellPart::of(theirs, mine),
            };
            let bits = |value| part.bits(value, theirs.0, mine);
            let Link { previous, previous_write, previous_other, .. } =
                self.enlist(other, op, event);
            self.accesses.push(Access {
                cell: other,
                op,
                declared,
                when: When::Always,
                ways: Ways::One,
                waits: false,
                guard: false,
                awaits: false,
                unread: false,
                plain: action.plain,
                merely_locks: false,
                part,
                before: bits(action.before),
                after: bits(action.after),
                event,
                previous,
                previous_write,
                previous_other,
            });
        }
    }

    /// Returns the operation that an action on `cell` with operation `op` counts as on a cell that
    /// overlaps with it.
    pub(crate) fn part_op(&self, op: Op, cell: CellId, overlapping: CellId) -> Op {
        let op = match op {
            Op::Forgone(_) => return op,
            // An access fails if the object is not alive, and does not change that.
            _ if self.cells[overlapping].is_life => Op::Read,
            _ if self.cells[cell].is_life && self.parts_are_apart => return Op::LifePart,
            Op::Write if self.parts_are_apart && self.contains(cell, overlapping) => {
                return Op::CoverPart;
            }
            op => op,
        };
        match (op, self.parts_are_apart) {
            (Op::Read, true) => Op::ReadPart,
            (Op::Read, false) => Op::Read,
            (_, true) => Op::WritePart,
            (_, false) => Op::Update,
        }
    }

    /// Returns the operations of a step with these accesses if it performs other operations than
    /// those recorded. `op_of` returns the new operation of an access to a whole location. Accesses
    /// to parts of other locations follow it.
    #[inline]
    pub(crate) fn touches_as<'a>(
        &'a self,
        accesses: &'a [Access],
        mut op_of: impl FnMut(&Access) -> Op + 'a,
    ) -> impl Iterator<Item = Touch> + 'a {
        // The parts come right after their whole location.
        let mut whole = (Op::Read, CellId(NO_EVENT));
        let mut is_same = false;
        accesses.iter().map(move |access| {
            let op = match access.part {
                CellPart::Whole => {
                    whole = (op_of(access), access.cell);
                    is_same = whole.0 == access.op;
                    whole.0
                }
                // A write may count as an update, but not on the parts.
                CellPart::Bytes(_) | CellPart::Unknown | CellPart::Life if is_same => access.op,
                CellPart::Bytes(_) | CellPart::Unknown | CellPart::Life => {
                    self.part_op(whole.0, whole.1, access.cell)
                }
            };
            Touch { cell: access.cell, op }
        })
    }

    /// Returns the footprint of a step that the machine has performed after other events than those
    /// of this execution.
    pub(crate) fn footprint_elsewhere<R: Relation>(
        &mut self,
        machine: &dyn Machine,
        performed: &Performed,
    ) -> Footprint {
        let is_alone = performed.actions.len() == 1;
        let mut footprint = Footprint::default();
        for action in &performed.actions {
            let cell = self.cell(machine, action.on);
            let op = R::op(self, cell, action, is_alone);
            footprint.0.push(Touch { cell, op });
            let touch = |other: &CellId| {
                let op = self.part_op(action.op, cell, *other);
                Touch { cell: *other, op }
            };
            footprint.0.extend(self.overlapping(cell).iter().map(touch));
        }
        footprint
    }

    /// Returns a footprint that is dependent on all others.
    pub(crate) fn footprint_of_anything(&self) -> Footprint {
        self.cells.ids().map(|cell| Touch { cell, op: Op::Update }).collect()
    }

    /// Links the access that is added next at the end of the list of its cell.
    #[inline(always)]
    fn enlist(&mut self, cell: CellId, op: Op, event: u32) -> Link {
        let index = self.accesses.len() as u32;
        let at = &mut self.cells[cell];
        let previous = std::mem::replace(&mut at.last, index);
        let (previous_write, has_overlaps) = (at.last_write, !at.overlapping.is_empty());
        let previous_other = at.last_other;
        // No read depends on an action that is not performed. The life of an object orders reads with
        // the actions that begin and end it.
        if !op.is_read() && !matches!(op, Op::Forgone(_) | Op::LifePart) {
            at.last_write = index;
        }
        if op != Op::Write {
            at.last_other = index;
        }
        if !op.is_memory() {
            at.looks_in_vain += u32::from(looks_in_vain(op));
            self.messages.note(op, event);
        }
        Link { previous, previous_write, previous_other, has_overlaps }
    }

    /// Unlinks and removes the accesses from `start` on.
    pub(super) fn unlink_from(&mut self, start: usize) {
        for access in self.accesses[start..].iter().rev() {
            let at = &mut self.cells[access.cell];
            at.last = access.previous;
            at.last_write = access.previous_write;
            at.last_other = access.previous_other;
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

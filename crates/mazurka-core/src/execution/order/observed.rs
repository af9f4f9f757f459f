//! Conflicts that exist only if an event observes them.
//!
//! With observers, two writes to one location are dependent only if an event reads the value of the
//! later one before it is overwritten: in the other order, the reader would have read a different
//! value. This is known only at the read. When a read, or any other access that depends on the
//! value, is added, the write that it observes is ordered after all writes before it. All events
//! that happen after that write are ordered as well. Their clocks change until the read is removed.
//!
//! Likewise, the second of two deliveries to one mailbox is ordered after the first when a receive
//! takes the first message but would have taken the second as well. The second message may have
//! been delivered before the receive, or is delivered later.

use std::ops::Range;

use crate::execution::cells::{CellId, NO_EVENT};
use crate::execution::clock::{ClockId, assign, join};
use crate::execution::effort;
use crate::execution::event::{Declared, Owner};
use crate::execution::order::mail::DeliveryWalk;
use crate::execution::order::relation::{AllConflicts, Relation};
use crate::execution::order::{Conflict, Walk};
use crate::execution::{Access, Execution, Race};
use crate::model::{Action, Alike, Lesson, Op, Performed, ProcessId, Ways, When, dependence};

/// The relation that orders two writes, or two deliveries, only if their order is observed.
#[derive(Clone, Debug)]
pub(crate) enum ObservedConflicts {}

impl Relation for ObservedConflicts {
    const ORDERS_LATER: bool = true;

    #[inline(always)]
    fn op(execution: &mut Execution, cell: CellId, action: &Action, is_alone: bool) -> Op {
        execution.op_with_observers(cell, action, is_alone)
    }

    #[inline]
    fn observe(
        execution: &mut Execution,
        performed: &Performed,
        accesses: Range<usize>,
        index: u32,
    ) {
        let rivals = execution.messages.rivalries();
        if let Some(alike) = performed.alike {
            execution.messages.note_alike(alike);
        }
        for rival in &performed.rivals {
            execution.messages.add_rivalry(rival.taken, rival.other);
        }
        for access in accesses {
            match execution.accesses[access].op {
                Op::Write | Op::Deliver { .. } | Op::CoverPart | Op::LifePart => {}
                Op::Take { message } => {
                    // As a miss, the receive would match the same messages.
                    if let Some(look) = Action::look(execution.accesses[access].before) {
                        execution.messages.note_alike(Alike { taken: look, before: message });
                    }
                    if execution.messages.rivalries() > rivals {
                        execution.order_rivals(message, rivals, index);
                    }
                }
                op if op.is_memory() && execution.may_observe(access) => {
                    execution.order_observed(access, index);
                }
                _ => {}
            }
        }
    }

    #[inline]
    fn order_access(execution: &mut Execution, new: usize, rivals: usize, clock: ClockId) {
        match execution.accesses[new].op {
            Op::Write => {
                execution.order_access_after(new, clock, |_, new| WriteWalk::back_from(new));
            }
            Op::Deliver { message } => {
                execution.order_access_after(new, clock, |execution, new| {
                    DeliveryWalk::back_from(execution, new, message, rivals)
                });
            }
            Op::CoverPart | Op::LifePart => {
                execution.order_access_after(new, clock, |_, new| BlindWalk::back_from(new));
            }
            // The messages that are in the mailbox do not match.
            Op::Miss { .. } => {}
            _ => AllConflicts::order_access(execution, new, rivals, clock),
        }
    }

    fn collect(
        execution: &Execution,
        access: &Access,
        all_new: &[Access],
        rivals: usize,
        conflicts: &mut Vec<Conflict>,
    ) {
        match access.op {
            Op::Deliver { message } => {
                let walk = DeliveryWalk::back_from(execution, access, message, rivals);
                execution.collect(all_new, walk.over_all(), conflicts);
            }
            Op::Miss { .. } => {}
            // A write that is not the only action of its step counts as an update. But it may be an access
            // to other locations that overlap, too.
            Op::Write => execution.collect(all_new, WriteWalk::back_from(access), conflicts),
            Op::CoverPart | Op::LifePart => {
                execution.collect(all_new, BlindWalk::back_from(access), conflicts);
            }
            _ => AllConflicts::collect(execution, access, all_new, rivals, conflicts),
        }
    }

    #[inline]
    fn delivery_may_conflict(execution: &Execution, new: &Access, rivals: usize) -> bool {
        execution.was_looked_at_in_vain(new.cell) || execution.messages.rivalries() > rivals
    }

    fn conflict(execution: &Execution, first: &Access, second: &Access, is_observed: bool) -> bool {
        match (first.op, second.op) {
            (Op::Write, Op::Write) => is_observed,
            (Op::Deliver { message: first }, Op::Deliver { message: second }) => {
                execution.messages.is_order_observed(first, second)
            }
            (Op::Miss { look }, Op::Deliver { message }) => execution.would_take(look, message),
            (Op::Deliver { .. }, Op::Miss { .. }) => false,
            // Additions whose order does not matter, to a location that a process waits for.
            (Op::Update, Op::Update) if first.unread && second.unread => false,
            (a, b) => dependence::dependent(a, b),
        }
    }

    #[inline]
    fn is_still_a_race(execution: &Execution, race: Race) -> bool {
        execution.is_race_by_now(race)
    }
}

/// A walk from an unobserved write over the accesses that read the location since the last observed
/// write. Unobserved writes matter only as data races.
///
/// From a write that happens before the new one, the walk goes on with the last access that is not a
/// write. A write before it that races with the new one races with this write as well, and was found
/// then. So n writes of one process in a row take n steps, not n².
struct WriteWalk {
    plain: bool,
    next: u32,
    was_observed: bool,
}

impl WriteWalk {
    #[inline]
    fn back_from(new: &Access) -> Self {
        WriteWalk { plain: new.plain, next: new.previous, was_observed: false }
    }
}

impl Walk for WriteWalk {
    #[inline]
    fn next(&mut self, execution: &Execution, clock: ClockId) -> Option<Conflict> {
        let is_past = |access: &Access| {
            let event = &execution.events[access.event as usize];
            execution.clocks.component(clock, event.step.process.index()) >= event.number
        };
        loop {
            let access = execution.accesses.get(self.next as usize)?;
            effort::look();
            self.next = access.previous;
            let plain = self.plain || access.plain;
            match access.op {
                Op::Write if self.was_observed => {
                    self.next = NO_EVENT;
                    return None;
                }
                Op::Write if is_past(access) => self.next = access.previous_other,
                Op::Write if !plain => {}
                Op::Write => {
                    let conflict = Conflict::new(access.event, true, false);
                    return Some(Conflict { independent: true, ..conflict });
                }
                op => {
                    self.was_observed = true;
                    if dependence::is_barrier(op) {
                        self.next = NO_EVENT;
                    }
                    return Some(Conflict::new(access.event, plain, false));
                }
            }
        }
    }
}

/// A walk over the accesses to a location, from a write to a larger location that contains it, or from the
/// begin or the end of its object's life. These happen after all unobserved writes, and do not order them.
struct BlindWalk {
    plain: bool,
    event: u32,
    next: u32,
}

impl BlindWalk {
    fn back_from(new: &Access) -> Self {
        BlindWalk { plain: new.plain, event: new.event, next: new.previous }
    }
}

impl Walk for BlindWalk {
    fn next(&mut self, execution: &Execution, _clock: ClockId) -> Option<Conflict> {
        loop {
            let access = execution.accesses.get(self.next as usize)?;
            effort::look();
            self.next = access.previous;
            if access.event == self.event {
                continue;
            }
            if dependence::dependent(access.op, Op::CoverPart) {
                let is_barrier = access.op == Op::Update;
                return Some(Conflict::new(access.event, self.plain || access.plain, is_barrier));
            }
            // All accesses before it happen before it, and it conflicts with the new event elsewhere.
            if matches!(access.op, Op::CoverPart | Op::LifePart) {
                self.next = NO_EVENT;
                return None;
            }
        }
    }
}

/// Returns the operation that a write or an unread addition counts as if no process waits for the
/// location.
#[inline(always)]
fn op_if_unawaited(action: &Action) -> Op {
    match action.unread {
        true => Op::Add,
        false => Op::Write,
    }
}

/// What the observer of a race would see if the race were reversed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen {
    /// This value.
    Value(u64),
    /// Another message.
    Message {
        /// The message that it took.
        taken: u32,
        /// The message that it would take.
        instead: u32,
    },
}

impl Execution {
    /// Returns the operation that an action counts as. With observers, a write counts as a write
    /// only if its order with other writes matters only to readers of the location: it is the only
    /// action of its step, all cells that overlap with its cell contain it, and no process waits for a
    /// value that is written there. So a read of any of these cells observes all of the write. Otherwise it
    /// counts as an update, which depends on all accesses. Under the same conditions, an addition whose
    /// result is [unread](Action::unread) counts as one that commutes with other additions.
    #[inline(always)]
    fn op_with_observers(&mut self, cell: CellId, action: &Action, alone: bool) -> Op {
        let matters = action.waits || action.op == Op::Write || action.unread;
        if !action.op.is_memory() || !matters {
            return action.op;
        }
        let at = &self.cells[cell];
        // The common case: a write to a cell that has had unawaited writes.
        let is_as_before = !action.waits && at.had_writes && !at.is_awaited;
        match is_as_before && alone && !at.has_parts {
            true => op_if_unawaited(action),
            false => self.op_if_observed(cell, action, alone),
        }
    }

    #[inline(never)]
    fn op_if_observed(&mut self, cell: CellId, action: &Action, alone: bool) -> Op {
        let at = &mut self.cells[cell];
        if action.waits && !at.is_awaited {
            self.await_writes(cell);
        }
        if action.op != Op::Write && !action.unread {
            return action.op;
        }
        let at = &self.cells[cell];
        if !alone || at.is_awaited || at.has_parts {
            return Op::Update;
        }
        match at.had_writes || self.may_write_unawaited(cell) {
            true => op_if_unawaited(action),
            false => Op::Update,
        }
    }

    /// Records that a process waits for writes to a cell.
    fn await_writes(&mut self, cell: CellId) {
        let at = &mut self.cells[cell];
        at.is_awaited = true;
        let had_writes = at.had_writes;
        let others_wrote = self.cells.common().is_some_and(|all| all.await_writes(cell));
        if had_writes || others_wrote {
            self.learn(Lesson::AwaitedWrites);
        }
    }

    /// Records that the condition of an action on a cell depends on the writes to the cells within it.
    /// These count as awaited: several of them determine the value.
    pub(crate) fn await_parts(&mut self, cell: CellId, action: &Action, declared: &Declared) {
        let has_condition = declared.when != When::Always || declared.ways != Ways::One;
        if !self.cells[cell].has_parts || !(has_condition || action.waits || action.guard) {
            return;
        }
        for i in 0..self.cells[cell].overlapping.len() {
            let part = self.cells[cell].overlapping[i];
            if !self.cells[part].is_life && !self.cells[part].is_awaited {
                self.await_writes(part);
            }
        }
    }

    /// Returns whether a write to a cell can count as unawaited.
    #[cold]
    fn may_write_unawaited(&mut self, cell: CellId) -> bool {
        let is_awaited = self.cells.common().is_some_and(|all| all.write_unawaited(cell));
        let at = &mut self.cells[cell];
        (at.is_awaited, at.had_writes) = (is_awaited, !is_awaited);
        !is_awaited
    }

    /// Returns whether the value that an access reads may come from an unobserved write.
    #[inline]
    fn may_observe(&self, access: usize) -> bool {
        let Access { event, previous, .. } = self.accesses[access];
        let before = self.accesses.get(previous as usize);
        before.is_some_and(|before| {
            matches!(before.op, Op::Write | Op::LifePart) || before.event == event
        })
    }

    /// Orders the writes before an access that observes their values.
    #[inline(never)]
    fn order_observed(&mut self, access: usize, index: u32) {
        if let Some(observed) = self.access_before(&self.accesses[access])
            && observed.op == Op::Write
        {
            self.order_writes_before(*observed, index);
        }
    }

    /// Returns the previous access to the same cell by another event. The begin and the end of a life do
    /// not change the value, and do not count.
    fn access_before(&self, access: &Access) -> Option<&Access> {
        let before = |access: &Access| self.accesses.get(access.previous as usize);
        let mut earlier = std::iter::successors(before(access), |access| before(access));
        earlier.find(|earlier| earlier.event != access.event && earlier.op != Op::LifePart)
    }

    /// Orders the unobserved writes right before an `observed` write before it.
    fn order_writes_before(&mut self, observed: Access, observer: u32) {
        let event = &self.events[observed.event as usize];
        assign(&mut self.scratch, self.clocks.of(event.clock));
        let races = self.races.len();
        let mut next = observed.previous;
        while next != NO_EVENT {
            effort::look();
            let write = &self.accesses[next as usize];
            if write.op != Op::Write {
                break; // It and all accesses before it happen before the observed write anyway.
            }
            next = write.previous;
            let first = &self.events[write.event as usize];
            if self.scratch[first.step.process.index()] < first.number {
                join(&mut self.scratch, self.clocks.of(first.clock));
                self.races.push(Race::new(write.event, observed.event).observed_by(observer));
            }
        }
        if self.races.len() > races {
            self.delay(observed.event);
        }
    }

    /// Returns the cell of an observed race, and what the observer would see if the race were
    /// reversed.
    pub(crate) fn what_is_observed(&self, race: Race) -> Option<(CellId, Seen)> {
        let firsts = self.accesses_of(race.first as usize);
        let seconds = self.accesses_of(race.second as usize);
        firsts.iter().find_map(|a| {
            seconds.iter().filter(|b| a.cell == b.cell).find_map(|b| match (a.op, b.op) {
                (Op::Write, Op::Write) => Some((a.cell, Seen::Value(a.after))),
                (Op::Deliver { message: taken }, Op::Deliver { message: instead }) => {
                    let seen = Seen::Message { taken, instead };
                    self.would_take(taken, instead).then_some((a.cell, seen))
                }
                _ => None,
            })
        })
    }

    /// Sets the clock of an event to `self.scratch`, and joins it into the clocks of all events
    /// that happen after it.
    pub(crate) fn delay(&mut self, event: u32) {
        self.unsettled = self.unsettled.min(event);
        let (owner, number) = {
            let event = &self.events[event as usize];
            (event.step.process.index(), event.number)
        };
        let clock = self.clocks.add(&self.scratch);
        let after =
            |execution: &Execution, clock| execution.clocks.component(clock, owner) >= number;
        let pass_on = |execution: &mut Execution, holder: Owner, old| {
            let new = execution.clocks.copy(old);
            execution.clocks.join(new, clock);
            execution.change_clock(holder, new);
        };
        for later in event + 1..self.events.len() as u32 {
            effort::look();
            let (old, before) = {
                let later = &self.events[later as usize];
                (later.clock, later.before.0)
            };
            // An event in the past of the process also happens before the process's event.
            if after(self, old) {
                if after(self, before) {
                    pass_on(self, Owner::Before(later), before);
                }
                pass_on(self, Owner::Event(later), old);
            }
        }
        for process in 0..self.processes.len() {
            let old = self.processes[process].clock;
            if after(self, old) {
                let process = ProcessId::new(process);
                pass_on(self, Owner::Process(process), old);
            }
        }
        self.change_clock(Owner::Event(event), clock);
    }

    fn is_race_by_now(&self, race: Race) -> bool {
        let (first, second) = (race.first as usize, race.second as usize);
        let event = &self.events[first];
        let past = self.events[second].before.0;
        if self.clocks.component(past, event.step.process.index()) >= event.number {
            return false;
        }
        // A process that waited happens after the event that enabled it, which does not order the
        // race.
        self.accesses_of(second).iter().any(|access| access.waits) || {
            let follows = self.follows(first);
            !(first + 1..second)
                .any(|between| follows(between) && self.happens_before(between, second))
        }
    }
}

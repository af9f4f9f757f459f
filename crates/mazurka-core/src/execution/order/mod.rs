//! Dependence between the events of an execution: what happens before what, and which races can
//! be reversed.
//!
//! A new event is compared with the earlier accesses to its cells, latest first. Those that it
//! conflicts with happen before it. It *races* with those of them that nothing in between orders,
//! if its process could have moved before them.
//!
//! # Waiting
//!
//! An event that waited (took a lock, found a message, saw what it was spinning for) happens after
//! the one that let it go on, but cannot be moved before that one: there, it would still wait. It
//! can be moved before the event that made it wait, the lock event of the previous holder. So
//! events that it could not have overtaken order nothing, as far as races are concerned, and are
//! looked through; see [`Execution::could_run_without`].

mod mail;
pub(crate) mod observed;
mod walk;

use crate::execution::cells::NOBODY;
use crate::execution::clock::ClockId;
use crate::execution::order::walk::{MemoryWalk, QueueWalk, Walk, WriteWalk};
use crate::execution::{Access, Execution, Race};
use crate::model::{Op, ProcessId, dependence};

/// A conflict of the event that is being added with an earlier one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict {
    event: u32,
    /// Whether the new event's process could have moved before that event.
    reversible: bool,
    plain: bool,
    /// Whether the two are independent, so that only a data race is of interest.
    independent: bool,
    /// Who makes them dependent by observing their order, or [`NOBODY`].
    observer: u32,
}

impl Conflict {
    pub(crate) fn new(event: u32, reversible: bool, plain: bool) -> Self {
        Conflict { event, reversible, plain, independent: false, observer: NOBODY }
    }

    /// Two accesses to plain memory that do not depend on each other, but must not be at once.
    pub(crate) fn at_once(event: u32) -> Self {
        Conflict { event, reversible: false, plain: true, independent: true, observer: NOBODY }
    }

    pub(crate) fn observed_by(self, observer: u32) -> Self {
        Conflict { observer, ..self }
    }

    pub(crate) fn event(&self) -> u32 {
        self.event
    }
}

impl Execution {
    /// Finds what the event `index` of `process` with these accesses depends on: joins that
    /// into its `clock`, which has what the process has seen before, and notes the races.
    #[inline]
    pub(crate) fn order(
        &mut self,
        process: ProcessId,
        clock: ClockId,
        accesses: std::ops::Range<usize>,
        rivals: usize,
        index: u32,
    ) {
        self.newcomer = process;
        let new = match &self.accesses[accesses.clone()] {
            [] => return,
            [new] => new,
            _ => {
                self.find_conflicts(process, accesses, rivals);
                return self.order_conflicts(clock, index);
            }
        };
        // Most events make one access: what they conflict with need not be collected first.
        let at = accesses.start;
        match new.op {
            Op::Take { message } if message != Op::NONE => self.order_take(at, message, clock),
            // The order of two writes may matter only to those who observe it.
            Op::Write if self.with_observers => self.order_write(at, clock),
            op if op.is_memory() => self.order_access(at, clock, MemoryWalk::back_from(new)),
            _ if !self.matters(new, rivals) => {}
            Op::Deliver { message } if self.with_observers => {
                self.order_delivery(at, message, clock, rivals);
            }
            _ => self.order_access(at, clock, QueueWalk::back_from(new)),
        }
    }

    /// Does that for an event that has these conflicts.
    fn order_conflicts(&mut self, clock: ClockId, index: u32) {
        // What has been found to order an event and the new one: all that was joined into its clock,
        // until something is that it cannot have overtaken.
        let mut race_clock = clock;
        // From the latest conflict to the earliest: whatever orders two events lies between them,
        // so by the time that an event is looked at, all that could order it has been joined.
        for i in 0..self.conflicts.len() {
            let conflict = self.conflicts[i];
            let event = &self.events[conflict.event as usize];
            let (owner, number, theirs) = (event.step.process.index(), event.number, event.clock);
            if self.clocks.component(race_clock, owner) >= number {
                continue;
            }
            if conflict.plain && self.data_race.is_none() {
                self.data_race = Some(Race::new(conflict.event, index));
            }
            if conflict.reversible {
                let race = Race::new(conflict.event, index);
                self.races.push(race.observed_by(conflict.observer));
                if race_clock != clock {
                    self.clocks.join(race_clock, theirs);
                }
            } else if race_clock == clock && i + 1 < self.conflicts.len() {
                race_clock = self.clocks.copy(clock);
            }
            if !conflict.independent && self.clocks.component(clock, owner) < number {
                self.clocks.join(clock, theirs);
            }
        }
        if race_clock != clock {
            self.clocks.free_from(race_clock);
        }
    }

    /// Does the same for an event that makes one access.
    fn order_access(&mut self, new: usize, clock: ClockId, walk: impl Walk) {
        match self.accesses[new].waits {
            false => self.order_overtaker(new, clock, walk),
            true => self.order_waiter(new, clock, walk),
        }
    }

    /// Does the same for an access that does not wait. It could have overtaken all that it conflicts
    /// with, so its clock alone tells which of these are races.
    #[inline]
    fn order_overtaker(&mut self, new: usize, clock: ClockId, mut walk: impl Walk) {
        let new = &self.accesses[new];
        while let Some(earlier) = walk.next(&self.accesses) {
            let event = &self.events[earlier.event as usize];
            if self.clocks.component(clock, event.step.process.index()) < event.number {
                let race = Race::new(earlier.event, new.event);
                if (new.plain || earlier.plain) && self.data_race.is_none() {
                    self.data_race = Some(race);
                }
                self.clocks.join(clock, event.clock);
                self.races.push(race);
            }
            if dependence::is_barrier(earlier.op) {
                break;
            }
        }
    }

    /// Does the same for a write, with observers.
    #[inline]
    fn order_write(&mut self, new: usize, clock: ClockId) {
        let new = &self.accesses[new];
        let mut walk = WriteWalk::back_from(new);
        while let Some(earlier) = walk.next(&self.accesses) {
            let event = &self.events[earlier.event as usize];
            if self.clocks.component(clock, event.step.process.index()) >= event.number {
                continue;
            }
            let race = Race::new(earlier.event, new.event);
            if (new.plain || earlier.plain) && self.data_race.is_none() {
                self.data_race = Some(race);
            }
            if earlier.op != Op::Write {
                self.clocks.join(clock, event.clock);
                self.races.push(race);
            }
        }
    }

    /// Does the same for an access that waits.
    #[inline]
    fn order_waiter(&mut self, new: usize, clock: ClockId, mut walk: impl Walk) {
        let mut race_clock = clock;
        // The clock of an event that it could not have overtaken, until there turns out to be another
        // conflict for which that matters.
        let mut held_back = None;
        while let Some(earlier) = walk.next(&self.accesses) {
            let is_barrier = dependence::is_barrier(earlier.op);
            let race = Race::new(earlier.event, self.accesses[new].event);
            let plain = earlier.plain || self.accesses[new].plain;
            if let Some(theirs) = held_back.take() {
                if race_clock == clock {
                    race_clock = self.clocks.copy(clock);
                }
                self.clocks.join(clock, theirs);
            }
            let event = &self.events[race.first as usize];
            let (owner, number, theirs) = (event.step.process.index(), event.number, event.clock);
            let mut may_stop = true;
            if self.clocks.component(race_clock, owner) < number {
                if plain && self.data_race.is_none() {
                    self.data_race = Some(race);
                }
                if self.could_run_without(race.first, &self.accesses[new..=new]) {
                    self.races.push(race);
                    self.clocks.join(clock, theirs);
                    if race_clock != clock {
                        self.clocks.join(race_clock, theirs);
                    }
                } else {
                    held_back = Some(theirs);
                    may_stop = false;
                }
            }
            if may_stop && is_barrier {
                break;
            }
        }
        if race_clock != clock {
            self.clocks.free_from(race_clock);
        }
        if let Some(theirs) = held_back {
            self.clocks.join(clock, theirs);
        }
    }

    /// Whether a new access may be dependent on an earlier one. The rivals from `rivals` on are those of
    /// the new event.
    #[inline]
    fn matters(&self, new: &Access, rivals: usize) -> bool {
        match new.op {
            // Only who has looked in vain cares.
            Op::Hangup => self.was_looked_at_in_vain(new.cell),
            Op::Deliver { .. } if self.with_observers => {
                self.was_looked_at_in_vain(new.cell) || self.messages.rivalries() > rivals
            }
            Op::Post { .. } => !self.posts_commute,
            _ => true,
        }
    }

    /// Collects the events that a new one with these accesses conflicts with, latest first.
    fn find_conflicts(
        &mut self,
        process: ProcessId,
        accesses: std::ops::Range<usize>,
        rivals: usize,
    ) {
        let mut conflicts = std::mem::take(&mut self.conflicts);
        conflicts.clear();
        let new = &self.accesses[accesses.clone()];
        for access in new {
            match access.op {
                _ if !self.matters(access, rivals) => {}
                Op::Write if self.with_observers => self.walk_from_write(access, &mut conflicts),
                Op::Deliver { .. } if self.with_observers => {
                    self.walk_from_delivery(access, rivals, &mut conflicts);
                }
                _ => self.walk(process, access, new, &mut conflicts),
            }
        }
        if new.len() > 1 {
            conflicts.sort_unstable_by_key(|c| std::cmp::Reverse(c.event));
            conflicts.dedup_by(|later, kept| {
                let same = later.event == kept.event;
                if same {
                    kept.reversible &= later.reversible;
                    kept.plain |= later.plain;
                }
                same
            });
        }
        self.conflicts = conflicts;
    }

    /// Walks back over the accesses to the cell of a `new` one, and collects those that it
    /// conflicts with, up to one that everything before it happens before.
    fn walk(
        &self,
        process: ProcessId,
        new: &Access,
        all_new: &[Access],
        conflicts: &mut Vec<Conflict>,
    ) {
        match new.op.is_memory() {
            true => self.collect(process, new, all_new, MemoryWalk::back_from(new), conflicts),
            false => self.collect(process, new, all_new, QueueWalk::back_from(new), conflicts),
        }
    }

    fn collect(
        &self,
        process: ProcessId,
        new: &Access,
        all_new: &[Access],
        mut walk: impl Walk,
        conflicts: &mut Vec<Conflict>,
    ) {
        let waits = all_new.iter().any(|access| access.waits);
        while let Some(access) = walk.next(&self.accesses) {
            let mut may_stop = true;
            // What its process has seen happens before the new event anyway.
            if !self.has_seen(process, access.event) {
                let reversible = !waits || self.could_run_without(access.event, all_new);
                let plain = new.plain || access.plain;
                conflicts.push(Conflict::new(access.event, reversible, plain));
                may_stop = reversible;
            }
            if may_stop && dependence::is_barrier(access.op) {
                break;
            }
        }
    }

    /// Whether an event is one of a process's own, or happens before its next one in any case.
    fn has_seen(&self, process: ProcessId, event: u32) -> bool {
        let event = &self.events[event as usize];
        let owner = event.step.process;
        let past = self.processes[process.index()].clock;
        owner == process || self.clocks.component(past, owner.index()) >= event.number
    }
}

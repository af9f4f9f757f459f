//! Ordering of a new event: its happens-before relation to earlier events, and its races.
//!
//! A new event is compared with the earlier accesses to its cells, latest first. The events that it
//! conflicts with happen before it. It *races* with the conflicting events that no event in between
//! orders, if its process could have moved before them.
//!
//! A [`Relation`] defines which accesses conflict, a [`Walk`] finds them, and
//! [`Execution::order_after`] orders the new event after them.
//!
//! # Waiting
//!
//! An event that waited (acquired a lock, received a message, read the value it was spinning for)
//! happens after the event that enabled it. It cannot be moved before that event, because it would
//! still wait there. It can be moved before the event that disabled it, such as the lock event of
//! the previous holder. For races, events before which it would still wait therefore order nothing;
//! see [`Execution::could_run_without`] and [`Execution::removal`].

mod mail;
mod memory;
mod natural;
pub(crate) mod observed;
mod queues;
mod relation;

pub(crate) use natural::NaturalOrder;
pub(crate) use observed::ObservedConflicts;
pub(crate) use relation::{AllConflicts, Relation};

use std::ops::Range;

use crate::execution::cells::NO_EVENT;
use crate::execution::clock::ClockId;
use crate::execution::value::CellPart;
use crate::execution::without::Without;
use crate::execution::{Access, Execution, Race};
use crate::model::{Op, ProcessId};

/// An earlier event that conflicts with the event being added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict {
    event: u32,
    /// Whether one of the two accesses is to plain memory.
    plain: bool,
    /// Whether the two accesses are independent, so that they matter only as a data race.
    independent: bool,
    /// Whether all earlier conflicts happen before this event.
    is_barrier: bool,
    /// The event that makes them dependent by observing their order, or [`NO_EVENT`].
    observer: u32,
    /// Whether the process of the new event could have moved before this event. Only meaningful for
    /// a [collected](Execution::collect) conflict.
    reversible: bool,
}

impl Conflict {
    #[inline]
    fn new(event: u32, plain: bool, is_barrier: bool) -> Self {
        let (independent, observer, reversible) = (false, NO_EVENT, true);
        Conflict { event, plain, independent, is_barrier, observer, reversible }
    }
}

/// An iteration over the events that a new event conflicts with, latest first.
pub(crate) trait Walk {
    /// Returns the next conflict. It may skip events that happen before the new event according to
    /// the current `clock`.
    fn next(&mut self, execution: &Execution, clock: ClockId) -> Option<Conflict>;
}

/// A walk over conflicts that were collected before.
struct Collected<'a>(std::slice::Iter<'a, Conflict>);

impl Walk for Collected<'_> {
    fn next(&mut self, _execution: &Execution, _clock: ClockId) -> Option<Conflict> {
        self.0.next().copied()
    }
}

impl Execution {
    /// Orders the event `index` of `process` with these accesses. It joins the clocks of the events
    /// that happen before it into its `clock`, which starts as the clock of its process, and
    /// records its races. Its rivals start at index `rivals`.
    #[inline]
    pub(crate) fn order<R: Relation>(
        &mut self,
        process: ProcessId,
        clock: ClockId,
        accesses: Range<usize>,
        rivals: usize,
        index: u32,
    ) {
        self.newcomer = process;
        match accesses.len() {
            0 => {}
            // Most events have one access: their conflicts need not be collected and sorted.
            1 if self.may_conflict::<R>(&self.accesses[accesses.start], rivals) => {
                R::order_access(self, accesses.start, rivals, clock);
            }
            1 => {}
            // The begin or the end of the object's life has not come yet: only the other access conflicts.
            2 if self.is_before_life_changes(accesses.start + 1)
                && self.may_conflict::<R>(&self.accesses[accesses.start], rivals) =>
            {
                R::order_access(self, accesses.start, rivals, clock);
            }
            _ => self.order_all::<R>(clock, accesses, rivals, index),
        }
    }

    /// Returns whether an access is to the life of an object, which no event so far has begun or ended.
    #[inline]
    fn is_before_life_changes(&self, access: usize) -> bool {
        let access = &self.accesses[access];
        access.part == CellPart::Life && access.op.is_read() && access.previous_write == NO_EVENT
    }

    /// Orders an event with several accesses.
    fn order_all<R: Relation>(
        &mut self,
        clock: ClockId,
        accesses: Range<usize>,
        rivals: usize,
        index: u32,
    ) {
        let mut conflicts = std::mem::take(&mut self.conflicts);
        conflicts.clear();
        let new = &self.accesses[accesses.clone()];
        for access in new.iter().filter(|access| self.may_conflict::<R>(access, rivals)) {
            R::collect(self, access, new, rivals, &mut conflicts);
        }
        conflicts.sort_unstable_by_key(|conflict| std::cmp::Reverse(conflict.event));
        conflicts.dedup_by(|later, kept| {
            let same = later.event == kept.event;
            if same {
                kept.reversible &= later.reversible;
                kept.plain |= later.plain;
                kept.independent &= later.independent;
            }
            same
        });
        let walk = Collected(conflicts.iter());
        self.order_after(index, clock, walk, |_, conflict| conflict.reversible);
        self.conflicts = conflicts;
    }

    /// Orders an event with one access, from which `walk` starts.
    #[inline(always)]
    fn order_access_after<W: Walk>(
        &mut self,
        new: usize,
        clock: ClockId,
        walk: impl Fn(&Execution, &Access) -> W,
    ) {
        let access = &self.accesses[new];
        match access.waits {
            false => self.order_after(access.event, clock, walk(self, access), |_, _| true),
            true => self.order_waiting_after(new, clock, walk),
        }
    }

    /// Orders an event with one access that waited. It is not inlined where other events are ordered.
    #[inline(never)]
    fn order_waiting_after<W: Walk>(
        &mut self,
        new: usize,
        clock: ClockId,
        walk: impl Fn(&Execution, &Access) -> W,
    ) {
        let access = &self.accesses[new];
        self.order_after(access.event, clock, walk(self, access), |execution, conflict| {
            let without = Without::only(conflict.event);
            execution.could_run_without(without, &execution.accesses[new..=new])
        });
    }

    /// Orders the event `index` after the events that it conflicts with. `is_reversible` returns
    /// whether its process could have moved before a conflicting event.
    ///
    /// Conflicts come from the latest to the earliest. An event that orders two others lies between
    /// them. So all events that could order a conflict have been joined before it is considered.
    #[inline(always)]
    fn order_after(
        &mut self,
        index: u32,
        clock: ClockId,
        mut walk: impl Walk,
        is_reversible: impl Fn(&Self, &Conflict) -> bool,
    ) {
        // The clock that decides about races. It is `clock` without the events before which the new
        // event would still wait.
        let mut race_clock = clock;
        // The clock of such an event, until there is another conflict.
        let mut held_back = None;
        while let Some(conflict) = walk.next(self, race_clock) {
            if let Some(theirs) = held_back.take() {
                if race_clock == clock {
                    race_clock = self.clocks.copy(clock);
                }
                self.clocks.join(clock, theirs);
            }
            let event = &self.events[conflict.event as usize];
            let theirs = event.clock;
            if self.clocks.component(race_clock, event.step.process.index()) < event.number {
                let race = Race::new(conflict.event, index);
                if conflict.plain && self.data_race.is_none() {
                    self.data_race = Some(race);
                }
                if conflict.independent {
                    continue;
                }
                if !is_reversible(self, &conflict) {
                    held_back = Some(theirs);
                    continue;
                }
                self.races.push(race.observed_by(conflict.observer));
                self.clocks.join(clock, theirs);
                if race_clock != clock {
                    self.clocks.join(race_clock, theirs);
                }
            }
            if conflict.is_barrier {
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

    /// Collects the conflicts of one of several accesses of the new event.
    fn collect(&self, all_new: &[Access], mut walk: impl Walk, conflicts: &mut Vec<Conflict>) {
        let waits = all_new.iter().any(|access| access.waits);
        let past = self.processes[self.newcomer.index()].clock;
        while let Some(mut conflict) = walk.next(self, past) {
            // It is a barrier only for this access. Other accesses of the event may conflict with
            // earlier events.
            let is_barrier = std::mem::take(&mut conflict.is_barrier);
            // The events in the past of the process happen before the new event in any case.
            if !self.has_seen(self.newcomer, conflict.event) {
                conflict.reversible = !waits || self.removal(conflict.event, all_new).is_some();
                conflicts.push(conflict);
            }
            if conflict.reversible && is_barrier {
                break;
            }
        }
    }

    /// Returns whether an event belongs to a process or happens before the next event of the
    /// process, whatever that accesses.
    fn has_seen(&self, process: ProcessId, event: u32) -> bool {
        let event = &self.events[event as usize];
        let owner = event.step.process;
        let past = self.processes[process.index()].clock;
        owner == process || self.clocks.component(past, owner.index()) >= event.number
    }

    /// Returns whether a new access may be dependent on an earlier one.
    #[inline]
    fn may_conflict<R: Relation>(&self, new: &Access, rivals: usize) -> bool {
        match new.op {
            // Only a receive that found no message depends on it.
            Op::Hangup => self.was_looked_at_in_vain(new.cell),
            Op::Deliver { .. } => R::delivery_may_conflict(self, new, rivals),
            Op::Post { .. } => !self.posts_commute,
            Op::Forgone(_) => false,
            _ => true,
        }
    }
}

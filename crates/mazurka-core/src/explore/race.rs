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

use super::cells::{CellId, NOBODY};
use super::clock::{ClockId, Clocks};
use super::execution::{Access, Event, Execution, Race};
use super::footprint::{Footprint, Touch};
use super::queue::Queue;
use super::walk::{walk_memory, walk_queue};
use crate::model::{Op, ProcessId, Ways, When, dependence};

/// A conflict of the event that is being added with an earlier one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conflict {
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
    pub(super) fn new(event: u32, reversible: bool, plain: bool) -> Self {
        Conflict { event, reversible, plain, independent: false, observer: NOBODY }
    }

    /// Two accesses to plain memory that do not depend on each other, but must not be at once.
    pub(super) fn at_once(event: u32) -> Self {
        Conflict { event, reversible: false, plain: true, independent: true, observer: NOBODY }
    }

    pub(super) fn observed_by(self, observer: u32) -> Self {
        Conflict { observer, ..self }
    }

    pub(super) fn event(&self) -> u32 {
        self.event
    }
}

/// A new event that makes one access and does not wait. It could have overtaken all that it conflicts
/// with, so its clock alone tells which of these are races, and nothing need be collected first.
struct Newcomer<'a> {
    access: &'a Access,
    clock: ClockId,
    events: &'a [Event],
    clocks: &'a mut Clocks,
    races: &'a mut Vec<Race>,
    data_race: &'a mut Option<Race>,
}

impl Newcomer<'_> {
    /// Lets it happen after an access that it is dependent on, and says whether there may be more.
    #[inline(always)]
    fn comes_after(&mut self, earlier: &Access) -> bool {
        let event = &self.events[earlier.event as usize];
        if self.clocks.component(self.clock, event.step.process.index()) < event.number {
            let race = Race::new(earlier.event, self.access.event);
            if (self.access.plain || earlier.plain) && self.data_race.is_none() {
                *self.data_race = Some(race);
            }
            self.clocks.join(self.clock, event.clock);
            self.races.push(race);
        }
        !dependence::is_barrier(earlier.op)
    }
}

impl Execution {
    /// Finds what the event `index` of `process` with these accesses depends on: joins that
    /// into its `clock`, which has what the process has seen before, and notes the races.
    #[inline]
    pub(super) fn order(
        &mut self,
        process: ProcessId,
        clock: ClockId,
        accesses: std::ops::Range<usize>,
        rivals: usize,
        index: u32,
    ) {
        self.newcomer = process;
        match &self.accesses[accesses.clone()] {
            [] => {}
            [new] if !self.matters(new, rivals) => {}
            [new] if !new.waits && !self.is_observed(new.op) => {
                self.order_access(accesses.start, clock);
            }
            _ => {
                self.find_conflicts(process, accesses, rivals);
                self.order_conflicts(clock, index);
            }
        }
    }

    /// Whether the order of two of these matters only to those who observe it.
    #[inline]
    fn is_observed(&self, op: Op) -> bool {
        self.with_observers && matches!(op, Op::Write | Op::Deliver { .. })
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

    /// Does the same for an event that makes one access and does not wait, as most do.
    #[inline]
    fn order_access(&mut self, new: usize, clock: ClockId) {
        match self.accesses[new].op.is_memory() {
            true => self.order_in_memory(new, clock),
            false => self.order_in_queue(new, clock),
        }
    }

    fn order_in_memory(&mut self, new: usize, clock: ClockId) {
        let (accesses, mut newcomer) = self.split_for(new, clock);
        walk_memory(accesses, newcomer.access, |access| newcomer.comes_after(access));
    }

    fn order_in_queue(&mut self, new: usize, clock: ClockId) {
        let (accesses, mut newcomer) = self.split_for(new, clock);
        walk_queue(accesses, newcomer.access, |access| newcomer.comes_after(access));
    }

    /// All accesses, and what is needed to compare a new one with earlier ones.
    #[inline]
    fn split_for(&mut self, new: usize, clock: ClockId) -> (&[Access], Newcomer<'_>) {
        let Execution { accesses, events, clocks, races, data_race, .. } = self;
        let access = &accesses[new];
        (accesses, Newcomer { access, clock, events, clocks, races, data_race })
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
        let waits = new.iter().any(|access| access.waits);
        for access in new {
            match access.op {
                _ if !self.matters(access, rivals) => {}
                Op::Write if self.with_observers => self.walk_from_write(access, &mut conflicts),
                Op::Deliver { .. } if self.with_observers => {
                    self.walk_from_delivery(access, rivals, &mut conflicts);
                }
                _ => self.walk(process, access, new, waits, &mut conflicts),
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
        waits: bool,
        conflicts: &mut Vec<Conflict>,
    ) {
        let visit = |access: &Access| {
            let is_barrier = dependence::is_barrier(access.op);
            if self.has_seen(process, access.event) {
                return !is_barrier; // It happens before the new one anyway.
            }
            let reversible = !waits || self.could_run_without(access.event, all_new);
            let plain = new.plain || access.plain;
            conflicts.push(Conflict::new(access.event, reversible, plain));
            !(is_barrier && reversible)
        };
        match new.op.is_memory() {
            true => walk_memory(&self.accesses, new, visit),
            false => walk_queue(&self.accesses, new, visit),
        }
    }

    /// Whether an event is one of a process's own, or happens before its next one in any case.
    fn has_seen(&self, process: ProcessId, event: u32) -> bool {
        let event = &self.events[event as usize];
        let owner = event.step.process;
        let past = self.processes[process.index()].clock;
        owner == process || self.clocks.component(past, owner.index()) >= event.number
    }

    /// Whether the process of an event with the accesses `new` could take its step if `without`,
    /// and all that happens after it, had not happened yet.
    fn could_run_without(&self, without: u32, new: &[Access]) -> bool {
        let holds = |access: &Access| match access.op.is_memory() {
            true => access.when.holds(self.value_without(without, access)),
            false => match access.op {
                // Whatever else it matches has come later, and after this one.
                Op::Take { message } | Op::Dequeue { message } => {
                    self.is_delivered_without(without, message)
                }
                // All sends are ordered, and so are all receives. So without the send of this
                // message there are as many as were received before, unless the last of these
                // receives is gone as well.
                Op::Receive { number } if self.sends(without, access.cell, number) => {
                    let last = self.last_receive_before(access);
                    last.is_some_and(|receive| !self.remains(receive.event, without))
                }
                _ => self.queue_without(without, access).lets_go_on(access),
            },
        };
        let mut guards = new.iter().filter(|access| access.guard).peekable();
        let guarded = guards.peek().is_none() || guards.any(holds);
        guarded && new.iter().filter(|access| access.waits && !access.guard).all(holds)
    }

    /// Whether an event sends this message to a queue.
    fn sends(&self, event: u32, queue: CellId, message: u32) -> bool {
        let sends = |op| matches!(op, Op::Send { number, .. } if number == message);
        let mut accesses = self.accesses_of(event as usize).iter();
        accesses.any(|access| access.cell == queue && sends(access.op))
    }

    /// The last message that was received from a queue before an access to it.
    fn last_receive_before(&self, access: &Access) -> Option<&Access> {
        let before = |access: &Access| self.accesses.get(access.previous as usize);
        let mut earlier = std::iter::successors(before(access), |access| before(access));
        earlier.find(|access| matches!(access.op, Op::Receive { .. }))
    }

    /// The value of the cell of a `new` access if `without`, and all that happens after it, had
    /// not happened. For one that waits to have the cell alone, whoever shares it at that point
    /// and would not have let go of it is left out: they can be made to come later as well.
    fn value_without(&self, without: u32, new: &Access) -> u64 {
        let wants_it_alone = new.waits && !new.guard && new.op == Op::Update;
        let mut sum = 0u64;
        let mut next = new.previous;
        let mut earliest = new.before;
        while next != NOBODY {
            let access = &self.accesses[next as usize];
            next = access.previous;
            if access.event == new.event {
                continue;
            }
            earliest = access.before;
            if !self.remains(access.event, without) {
                continue;
            }
            match access.op {
                Op::Write | Op::Update | Op::WritePart => return access.after.wrapping_add(sum),
                Op::Add => {
                    let change = access.after.wrapping_sub(access.before);
                    let movable = wants_it_alone
                        && access.event > without
                        && !self.is_in_past(access.event, new);
                    if !(movable && self.is_left_open(access, without, new.previous)) {
                        sum = sum.wrapping_add(change);
                    }
                }
                _ => {}
            }
        }
        earliest.wrapping_add(sum)
    }

    /// Whether an event happens before what the process of an access did before it.
    fn is_in_past(&self, event: u32, access: &Access) -> bool {
        match access.event as usize == self.events.len() {
            true => self.happens_before_next(event as usize, self.newcomer),
            false => self.happens_before_process_of(event as usize, access.event as usize),
        }
    }

    /// Whether an event is there without `without` and what happens after it.
    #[inline]
    fn remains(&self, event: u32, without: u32) -> bool {
        event < without
            || (event != without && !self.happens_before(without as usize, event as usize))
    }

    /// Whether a process that came to share a cell does not let go of it again without
    /// `without`, looking back from the access `last`.
    fn is_left_open(&self, acquired: &Access, without: u32, last: u32) -> bool {
        if acquired.after < acquired.before {
            return false;
        }
        let owner = self.events[acquired.event as usize].step.process;
        let accesses = std::iter::successors(self.accesses.get(last as usize), |access| {
            self.accesses.get(access.previous as usize)
        });
        let changes = accesses
            .take_while(|access| access.event > acquired.event)
            .filter(|access| access.op == Op::Add && self.remains(access.event, without))
            .filter(|access| self.events[access.event as usize].step.process == owner)
            .map(|access| access.after.wrapping_sub(access.before) as i64);
        // It may have come to share it several times; it lets go when it has left as often.
        let mut held: i64 = 1 + changes.clone().sum::<i64>();
        held > 0
            && changes.into_iter().all(|change| {
                held -= change;
                held > 0
            })
    }

    /// What the accesses of an event would do if `without`, and all that happens after it, had
    /// not happened.
    pub(crate) fn footprint_without(&self, event: usize, without: u32) -> Footprint {
        let touch = |access: &Access| {
            let op = match access.op {
                Op::Take { message } => match self.is_delivered_without(without, message) {
                    true => access.op,
                    false => Op::TakeNone,
                },
                Op::Forgone(forgone) => forgone.op(),
                op if !op.is_memory() => self.queue_without(without, access).op_of(access),
                op if access.when == When::Always || access.waits => op,
                _ => match access.when.holds(self.value_without(without, access)) {
                    true => access.declared_op(),
                    false => Op::Read,
                },
            };
            Touch { cell: access.cell, op }
        };
        self.accesses_of(event).iter().map(touch).collect()
    }

    /// In how many ways an event could go if `without`, and all that happens after it, had not
    /// happened.
    pub(crate) fn ways_without(&self, event: usize, without: u32) -> u32 {
        let Some(access) = self.accesses_of(event).first() else { return 1 };
        if access.ways == Ways::One {
            return 1;
        }
        let value = self.value_without(without, access);
        access.ways.count(value, access.when.holds(value))
    }

    /// Whether a message would have been delivered if `without`, and all that happens after it,
    /// had not happened.
    fn is_delivered_without(&self, without: u32, message: u32) -> bool {
        self.delivery(message).is_some_and(|delivery| self.remains(delivery.event, without))
    }

    /// What the queue of an access would be like if `without`, and all that happens after it, had
    /// not happened.
    fn queue_without(&self, without: u32, access: &Access) -> Queue {
        let mut queue = Queue::default();
        let mut next = access.previous;
        while next != NOBODY {
            let earlier = &self.accesses[next as usize];
            next = earlier.previous;
            if earlier.event == access.event {
                continue;
            }
            let remains = self.remains(earlier.event, without);
            match earlier.op {
                Op::Send { .. } => queue.sent += u32::from(remains),
                Op::Receive { .. } => queue.received += u32::from(remains),
                Op::Close => queue.is_closed |= remains,
                Op::Hangup => queue.lacks_hangup |= !remains,
                _ => {}
            }
        }
        queue
    }
}

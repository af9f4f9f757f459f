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

use super::cells::NOBODY;
use super::clock::ClockId;
use super::execution::{Access, Execution, Race};
use super::footprint::{Footprint, Touch};
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
            [new]
                if new.op.is_memory()
                    && !new.waits
                    && !(self.with_observers && new.op == Op::Write) =>
            {
                self.order_access(accesses.start, clock);
            }
            _ => {
                self.find_conflicts(process, accesses, rivals);
                self.order_conflicts(clock, index);
            }
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

    /// Does the same for an event that makes one access to memory and does not wait, as most do. It
    /// could have overtaken all that it conflicts with, so that nothing need be collected first.
    fn order_access(&mut self, new: usize, clock: ClockId) {
        let new = &self.accesses[new];
        let only_writes = new.op.is_read();
        let before = |access: &Access| match only_writes {
            true => access.previous_write,
            false => access.previous,
        };
        let mut next = before(new);
        while let Some(access) = self.accesses.get(next as usize) {
            next = before(access);
            if !dependence::dependent(access.op, new.op) {
                continue;
            }
            let event = &self.events[access.event as usize];
            if self.clocks.component(clock, event.step.process.index()) < event.number {
                let race = Race::new(access.event, new.event);
                if (new.plain || access.plain) && self.data_race.is_none() {
                    self.data_race = Some(race);
                }
                self.clocks.join(clock, event.clock);
                self.races.push(race);
            }
            if dependence::is_barrier(access.op) {
                break;
            }
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
        // Only who has looked in vain cares.
        if new.op == Op::Hangup && !self.was_looked_at_in_vain(new.cell) {
            return;
        }
        let is_queue = !new.op.is_memory();
        let commutes = self.posts_commute && matches!(new.op, Op::Post { .. });
        let only_writes = new.op.is_read();
        let mut next = if only_writes { new.previous_write } else { new.previous };
        let mut missing = Missing::of(new.op);
        while next != NOBODY {
            let access = &self.accesses[next as usize];
            next = if only_writes { access.previous_write } else { access.previous };
            if access.event == new.event {
                continue;
            }
            if is_queue {
                missing.saw(access.op);
            }
            if dependence::dependent(access.op, new.op) && !commutes {
                let reversible = !waits || self.could_go_before(process, access.event, all_new);
                let plain = new.plain || access.plain;
                conflicts.push(Conflict::new(access.event, reversible, plain));
                if dependence::is_barrier(access.op)
                    && (reversible || self.has_seen(process, access.event))
                {
                    break;
                }
            }
            if is_queue && missing.nothing() {
                break;
            }
        }
    }

    /// Whether a process that waits could take its step, with the accesses `new`, before an event.
    fn could_go_before(&self, process: ProcessId, event: u32, new: &[Access]) -> bool {
        !self.has_seen(process, event) && self.could_run_without(event, new)
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
                _ => self.queue_without(without, access).lets_go_on(access),
            },
        };
        let mut guards = new.iter().filter(|access| access.guard).peekable();
        let guarded = guards.peek().is_none() || guards.any(holds);
        guarded && new.iter().filter(|access| access.waits && !access.guard).all(holds)
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

/// What a walk over the accesses to a queue still looks for.
enum Missing {
    /// All that came before the last send happens before it, save for the receive that made
    /// room.
    BeforeSend { send: bool, room: Option<u32> },
    /// All that came before the last receive happens before it, save for the send of this
    /// message.
    BeforeReceive { receive: bool, message: Option<u32> },
    /// It is not a queue, or all accesses count.
    Everything,
}

impl Missing {
    fn of(op: Op) -> Self {
        match op {
            Op::Send { freed_by, .. } => {
                let room = (freed_by != Op::NONE).then_some(freed_by);
                Missing::BeforeSend { send: true, room }
            }
            Op::Deliver { .. } | Op::Post { .. } => Missing::BeforeSend { send: true, room: None },
            Op::Receive { number: message } | Op::Take { message } | Op::Dequeue { message } => {
                Missing::BeforeReceive { receive: true, message: Some(message) }
            }
            _ => Missing::Everything,
        }
    }

    fn saw(&mut self, op: Op) {
        match (self, op) {
            (
                Missing::BeforeSend { send, .. },
                Op::Send { .. } | Op::Deliver { .. } | Op::Post { .. },
            ) => {
                *send = false;
            }
            (Missing::BeforeSend { room, .. }, Op::Receive { number }) if *room == Some(number) => {
                *room = None;
            }
            (
                Missing::BeforeReceive { receive, .. },
                Op::Receive { .. } | Op::Take { .. } | Op::Dequeue { .. },
            ) => {
                *receive = false;
            }
            (
                Missing::BeforeReceive { message, .. },
                Op::Send { number, .. }
                | Op::Deliver { message: number }
                | Op::Post { message: number },
            ) if *message == Some(number) => {
                *message = None;
            }
            _ => {}
        }
    }

    fn nothing(&self) -> bool {
        matches!(
            self,
            Missing::BeforeSend { send: false, room: None }
                | Missing::BeforeReceive { receive: false, message: None }
        )
    }
}

/// The state of a queue.
#[derive(Default)]
struct Queue {
    sent: u32,
    received: u32,
    is_closed: bool,
    /// Whether a sender that has gone would still be there.
    lacks_hangup: bool,
}

impl Queue {
    /// Whether there is room for another message, where a send would have been, or was declared
    /// to be, this one.
    fn has_room_for(&self, number: u32, freed_by: u32) -> bool {
        // As long as the first messages fit in, it makes no difference how many do.
        freed_by == Op::NONE || self.sent < self.received + (number - freed_by)
    }

    /// Whether an operation that waits can go on.
    fn lets_go_on(&self, access: &Access) -> bool {
        match (access.op, access.declared) {
            (Op::Receive { .. }, _) => self.sent > self.received,
            (Op::ReceiveNone, _) => self.sent > self.received || !self.lacks_hangup,
            (Op::Send { number, freed_by }, _) | (Op::SendNone, Op::Send { number, freed_by }) => {
                self.is_closed || self.has_room_for(number, freed_by)
            }
            _ => true,
        }
    }

    /// How an operation would go.
    fn op_of(&self, access: &Access) -> Op {
        match (access.op, access.declared) {
            (Op::Receive { .. } | Op::ReceiveNone, _) => match self.sent > self.received {
                true => Op::Receive { number: self.received },
                false => Op::ReceiveNone,
            },
            (Op::Send { number, freed_by }, _) | (Op::SendNone, Op::Send { number, freed_by }) => {
                if self.is_closed || !self.has_room_for(number, freed_by) {
                    return Op::SendNone;
                }
                let capacity = number.wrapping_sub(freed_by);
                let freed_by = match freed_by == Op::NONE || self.sent < capacity {
                    true => Op::NONE,
                    false => self.sent - capacity,
                };
                Op::Send { number: self.sent, freed_by }
            }
            (op, _) => op,
        }
    }
}

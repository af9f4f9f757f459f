//! The state after removing some events and all events that happen after them.
//!
//! Explorers use it to decide whether a waiting process could have moved before an event, and what
//! a step does after a race is reversed.

mod channels;
mod removal;

pub(crate) use removal::{Removal, Without};

use crate::execution::cells::{CellId, NO_EVENT};
use crate::execution::footprint::Footprint;
use crate::execution::value::ValueBefore;
use crate::execution::without::channels::Queue;
use crate::execution::{Access, Execution};
use crate::model::{Action, Op, Ways, When};

/// How much is known of a predicted footprint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Certainty {
    #[default]
    Exact,
    /// The step has this footprint or a smaller one.
    AtMost,
    /// The step may do [anything](crate::model::Forgone::Anything).
    None,
}

impl Execution {
    /// Returns whether the process of an event with the accesses `new` could take its step
    /// `without` some events.
    pub(crate) fn could_run_without(&self, without: Without, new: &[Access]) -> bool {
        let holds = |access: &Access| self.holds_without(without, access);
        let mut guards = new.iter().filter(|access| access.guard).peekable();
        let guarded = guards.peek().is_none() || guards.any(holds);
        guarded && new.iter().filter(|access| access.waits && !access.guard).all(holds)
    }

    /// Returns whether the condition of an access would hold `without` some events.
    fn holds_without(&self, without: Without, access: &Access) -> bool {
        match access.op.is_memory() {
            // An unknown value may be any value.
            true => {
                let value = self.value_without(without, access);
                value.is_none_or(|value| access.when.holds(value))
            }
            false => match access.op {
                // All other messages that it matches were delivered after this one.
                Op::Take { message } | Op::Dequeue { message } => {
                    self.is_delivered_without(without, message)
                }
                // All sends are ordered, and so are all receives. Without the send of this message,
                // there are as many sends as receives before it, unless the last of these receives
                // is removed as well.
                Op::Receive { number } if self.sends(without.first, access.cell, number) => {
                    let last = self.last_receive_before(access);
                    last.is_some_and(|receive| !self.remains(receive.event, without))
                }
                _ => self.queue_before(without, access).lets_go_on(access),
            },
        }
    }

    /// Returns whether an event sends this message to a queue.
    fn sends(&self, event: u32, queue: CellId, message: u32) -> bool {
        let sends = |op| matches!(op, Op::Send { number, .. } if number == message);
        let mut accesses = self.accesses_of(event as usize).iter();
        accesses.any(|access| access.cell == queue && sends(access.op))
    }

    /// Returns the last receive from a queue before an access to it.
    fn last_receive_before(&self, access: &Access) -> Option<&Access> {
        let before = |access: &Access| self.accesses.get(access.previous as usize);
        let mut earlier = std::iter::successors(before(access), |access| before(access));
        earlier.find(|access| matches!(access.op, Op::Receive { .. }))
    }

    /// Returns the value of the cell of a `new` access `without` some events, or `None` if it
    /// cannot be computed.
    ///
    /// If the access waits for exclusive ownership of the cell, the value ignores shared owners
    /// that would not have released the cell at that point: their acquisition can be moved behind
    /// the access.
    fn value_without(&self, without: Without, new: &Access) -> Option<u64> {
        let wants_it_alone = new.waits && !new.guard && new.op == Op::Update;
        let mut value = ValueBefore::new(new.before);
        let mut next = new.previous;
        while next != NO_EVENT {
            let access = &self.accesses[next as usize];
            next = access.previous;
            if access.event == new.event {
                continue;
            }
            let movable = wants_it_alone
                && access.op == Op::Add
                && access.event > without.first
                && !self.is_in_past(access.event, new);
            let counts = self.remains(access.event, without)
                && !(movable && self.is_left_open(access, without, new.previous));
            match counts {
                false => value.skip(access),
                true => {
                    if let Some(value) = value.add(access) {
                        return value;
                    }
                }
            }
        }
        value.at_start()
    }

    /// Returns whether an event is in the past of the process of an access before the access.
    fn is_in_past(&self, event: u32, access: &Access) -> bool {
        match access.event as usize == self.events.len() {
            true => self.happens_before_next(event as usize, self.newcomer),
            false => self.happens_before_process_of(event as usize, access.event as usize),
        }
    }

    /// Returns whether a process that acquired shared ownership of a cell does not release it
    /// `without` some events, looking back from the access `last`.
    fn is_left_open(&self, acquired: &Access, without: Without, last: u32) -> bool {
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
        // The process may have acquired it several times. It owns the cell until it has released it
        // as often.
        let mut held: i64 = 1 + changes.clone().sum::<i64>();
        held > 0
            && changes.into_iter().all(|change| {
                held -= change;
                held > 0
            })
    }

    /// Returns the footprint of an event with these accesses `without` some events, and how certain it is.
    pub(crate) fn footprint_without(
        &self,
        accesses: &[Access],
        without: Without,
    ) -> (Footprint, Certainty) {
        let mut certainty = Certainty::Exact;
        let op_of = |access: &Access| match access.op {
            Op::Take { message } => match self.is_delivered_without(without, message) {
                true => access.op,
                false => access.missed(),
            },
            Op::Forgone(forgone) => match forgone.op() {
                Some(op) => {
                    certainty = certainty.max(Certainty::AtMost);
                    op
                }
                None => {
                    certainty = Certainty::None;
                    access.op
                }
            },
            op if !op.is_memory() => self.queue_before(without, access).op_of(op, access.declared),
            op if access.waits => op,
            // An alternative that fails performs another operation than the first.
            op if access.when == When::Always && access.ways != Ways::MayFail => {
                if access.has_failed() {
                    certainty = certainty.max(Certainty::AtMost);
                }
                op
            }
            _ if access.when == When::Always => access.declared_op(),
            _ => match self.value_without(without, access) {
                Some(value) if !access.when.holds(value) => Op::Read,
                value => {
                    if value.is_none() {
                        certainty = certainty.max(Certainty::AtMost);
                    }
                    access.declared_op()
                }
            },
        };
        let footprint = self.touches_as(accesses, op_of).collect();
        (footprint, certainty)
    }

    /// Returns the number of alternatives of an event with these accesses `without` some events.
    pub(crate) fn ways_without(&self, accesses: &[Access], without: Without) -> u32 {
        let Some(access) = accesses.first() else { return 1 };
        if access.ways == Ways::One {
            return 1;
        }
        match self.value_without(without, access) {
            Some(value) => access.ways.count(value, access.when.holds(value)),
            None => 1,
        }
    }

    /// Returns whether a message would be delivered `without` some events.
    fn is_delivered_without(&self, without: Without, message: u32) -> bool {
        self.messages.delivery(message).is_some_and(|delivery| self.remains(delivery, without))
    }

    /// Returns the operation that a waiting action on a cell would perform `without` some events.
    pub(crate) fn pending_without(&self, action: &Action, cell: CellId, without: Without) -> Op {
        match action.op {
            op @ (Op::Send { .. } | Op::Receive { .. }) => {
                let queue = self.queue_without(without, self.last_access(cell), NO_EVENT);
                queue.op_of(op, op)
            }
            op => op,
        }
    }

    /// Returns the state of the queue before an access `without` some events.
    fn queue_before(&self, without: Without, access: &Access) -> Queue {
        self.queue_without(without, access.previous, access.event)
    }

    /// Returns the state of a queue after the access `last`, ignoring accesses of `event`.
    fn queue_without(&self, without: Without, last: u32, event: u32) -> Queue {
        let mut queue = Queue::default();
        let mut next = last;
        while next != NO_EVENT {
            let earlier = &self.accesses[next as usize];
            next = earlier.previous;
            if earlier.event == event {
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

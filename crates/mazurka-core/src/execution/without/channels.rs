//! The state of queues without some events.

use crate::execution::Access;
use crate::model::Op;

/// The state of a queue.
#[derive(Default)]
pub(crate) struct Queue {
    pub(crate) sent: u32,
    pub(crate) received: u32,
    pub(crate) is_closed: bool,
    /// Whether the drop of a sender is removed, so that the queue still has a sender.
    pub(crate) lacks_hangup: bool,
}

impl Queue {
    /// Returns whether there is room for another message. `number` and `freed_by` are those of a
    /// send that was performed or declared; they give the capacity of the queue.
    fn has_room_for(&self, number: u32, freed_by: u32) -> bool {
        // Without `freed_by`, `number` is less than the capacity, so there is room in any case.
        freed_by == Op::NONE || self.sent < self.received + (number - freed_by)
    }

    /// Returns whether a waiting operation is enabled.
    pub(crate) fn lets_go_on(&self, access: &Access) -> bool {
        match (access.op, access.declared) {
            (Op::Receive { .. }, _) => self.sent > self.received,
            (Op::ReceiveNone, _) => self.sent > self.received || !self.lacks_hangup,
            (Op::Send { number, freed_by }, _) | (Op::SendNone, Op::Send { number, freed_by }) => {
                self.is_closed || self.has_room_for(number, freed_by)
            }
            _ => true,
        }
    }

    /// Returns the outcome of an operation in this state, given its outcome `op` in the execution
    /// and its declared outcome.
    pub(crate) fn op_of(&self, op: Op, declared: Op) -> Op {
        match (op, declared) {
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

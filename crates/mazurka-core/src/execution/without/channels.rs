//! Queues as they would be if some events had not happened.

use crate::execution::Access;
use crate::model::Op;

/// The state of a queue.
#[derive(Default)]
pub(crate) struct Queue {
    pub(crate) sent: u32,
    pub(crate) received: u32,
    pub(crate) is_closed: bool,
    /// Whether a sender that has gone would still be there.
    pub(crate) lacks_hangup: bool,
}

impl Queue {
    /// Whether there is room for another message, where a send would have been, or was declared
    /// to be, this one.
    fn has_room_for(&self, number: u32, freed_by: u32) -> bool {
        // As long as the first messages fit in, it makes no difference how many do.
        freed_by == Op::NONE || self.sent < self.received + (number - freed_by)
    }

    /// Whether an operation that waits can go on.
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

    /// How an operation would go that went, or goes, in one way and was declared to go in another.
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

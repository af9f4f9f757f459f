//! Walks back over the earlier accesses to a cell that a new one is dependent on.

use super::execution::Access;
use crate::model::{Op, dependence};

/// Visits the accesses to the cell in memory of a `new` one that it is dependent on, latest first,
/// until `visit` returns `false`, as it may at one that [everything](dependence::is_barrier) before it
/// happens before.
#[inline]
pub(super) fn walk_memory(
    accesses: &[Access],
    new: &Access,
    mut visit: impl FnMut(&Access) -> bool,
) {
    let only_writes = new.op.is_read();
    let before = |access: &Access| match only_writes {
        true => access.previous_write,
        false => access.previous,
    };
    let mut next = before(new);
    // There is no access with the number `NOBODY`.
    while let Some(access) = accesses.get(next as usize) {
        next = before(access);
        let counts = access.event != new.event && dependence::dependent(access.op, new.op);
        if counts && !visit(access) {
            return;
        }
    }
}

/// The same in a queue, up to those before which nothing is new.
#[inline]
pub(super) fn walk_queue(
    accesses: &[Access],
    new: &Access,
    mut visit: impl FnMut(&Access) -> bool,
) {
    let mut missing = Missing::of(new.op);
    let mut next = new.previous;
    while let Some(access) = accesses.get(next as usize) {
        next = access.previous;
        if access.event == new.event {
            continue;
        }
        missing.saw(access.op);
        let counts = dependence::dependent(access.op, new.op);
        if (counts && !visit(access)) || missing.nothing() {
            return;
        }
    }
}

/// What a walk over the accesses to a queue still looks for.
enum Missing {
    /// All that came before the last send, as far as it matters to another one or to who closes the
    /// queue, happens before it, save for the receive that made room.
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
            Op::Deliver { .. } | Op::Post { .. } | Op::Close => {
                Missing::BeforeSend { send: true, room: None }
            }
            Op::Receive { number: message } | Op::Take { message } | Op::Dequeue { message } => {
                let message = (message != Op::NONE).then_some(message);
                Missing::BeforeReceive { receive: true, message }
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

//! Conflicts between accesses to a queue: a channel, a mailbox, or an event queue.

use crate::execution::cells::NO_EVENT;
use crate::execution::clock::ClockId;
use crate::execution::effort;
use crate::execution::order::{Conflict, Walk};
use crate::execution::{Access, Execution};
use crate::model::{Op, dependence};

/// A walk over the accesses to a queue that a new access depends on. It ends where all earlier
/// conflicts are ordered.
pub(crate) struct QueueWalk {
    op: Op,
    plain: bool,
    event: u32,
    next: u32,
    missing: Missing,
}

impl QueueWalk {
    #[inline]
    pub(crate) fn back_from(new: &Access) -> Self {
        let missing = Missing::of(new.op);
        QueueWalk { op: new.op, plain: new.plain, event: new.event, next: new.previous, missing }
    }
}

impl Walk for QueueWalk {
    #[inline]
    fn next(&mut self, execution: &Execution, _clock: ClockId) -> Option<Conflict> {
        loop {
            let access = execution.accesses.get(self.next as usize)?;
            effort::look();
            self.next = access.previous;
            if access.event == self.event {
                continue;
            }
            self.missing.saw(access.op);
            if self.missing.nothing() {
                self.next = NO_EVENT;
            }
            if dependence::dependent(access.op, self.op) {
                let plain = self.plain || access.plain;
                return Some(Conflict::new(access.event, plain, dependence::is_barrier(access.op)));
            }
        }
    }
}

/// The accesses to a queue that a walk still has to find.
enum Missing {
    /// The last send, and the receive that made room. All earlier accesses that a send or a close
    /// depends on happen before the last send.
    BeforeSend { send: bool, room: Option<u32> },
    /// The last receive, and the send of this message. All earlier accesses that a receive depends
    /// on happen before the last receive.
    BeforeReceive { receive: bool, message: Option<u32> },
    /// All accesses.
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

//! Walks back over the earlier accesses to a cell that a new one is dependent on.

use crate::execution::Access;
use crate::execution::cells::NOBODY;
use crate::model::{Op, dependence};

/// A walk from a new access over the accesses to the same cell that it is dependent on, latest first.
///
/// Whoever comes to one that [everything](dependence::is_barrier) before it happens before need not go
/// on.
pub(crate) trait Walk {
    /// The next access on the way back.
    fn next<'a>(&mut self, accesses: &'a [Access]) -> Option<&'a Access>;
}

/// A walk over the accesses to a cell in memory.
pub(crate) struct MemoryWalk {
    op: Op,
    event: u32,
    next: u32,
    only_writes: bool,
}

impl MemoryWalk {
    #[inline]
    pub(crate) fn back_from(new: &Access) -> Self {
        let only_writes = new.op.is_read();
        MemoryWalk { op: new.op, event: new.event, next: before(new, only_writes), only_writes }
    }
}

/// The access before another one, or the last one before it that was not a read.
#[inline]
fn before(access: &Access, only_writes: bool) -> u32 {
    match only_writes {
        true => access.previous_write,
        false => access.previous,
    }
}

impl Walk for MemoryWalk {
    #[inline]
    fn next<'a>(&mut self, accesses: &'a [Access]) -> Option<&'a Access> {
        loop {
            // There is no access with the number `NOBODY`.
            let access = accesses.get(self.next as usize)?;
            self.next = before(access, self.only_writes);
            if access.event != self.event && dependence::dependent(access.op, self.op) {
                return Some(access);
            }
        }
    }
}

/// A walk from a write that nobody has observed yet, with observers: over whoever looked at the location
/// since the last write that anybody looked at. Writes that nobody has looked at are not in its way. Only
/// where memory is plain they are on it, for the two may not be at once.
pub(crate) struct WriteWalk {
    plain: bool,
    next: u32,
    was_observed: bool,
}

impl WriteWalk {
    #[inline]
    pub(crate) fn back_from(new: &Access) -> Self {
        WriteWalk { plain: new.plain, next: new.previous, was_observed: false }
    }
}

impl Walk for WriteWalk {
    #[inline]
    fn next<'a>(&mut self, accesses: &'a [Access]) -> Option<&'a Access> {
        loop {
            let access = accesses.get(self.next as usize)?;
            self.next = access.previous;
            match access.op {
                Op::Write if self.was_observed => {
                    self.next = NOBODY;
                    return None;
                }
                Op::Write if !self.plain && !access.plain => {}
                Op::Write => return Some(access),
                op => {
                    self.was_observed = true;
                    if dependence::is_barrier(op) {
                        self.next = NOBODY;
                    }
                    return Some(access);
                }
            }
        }
    }
}

/// A walk over the accesses to a queue, up to those before which nothing is new.
pub(crate) struct QueueWalk {
    op: Op,
    event: u32,
    next: u32,
    missing: Missing,
}

impl QueueWalk {
    #[inline]
    pub(crate) fn back_from(new: &Access) -> Self {
        let missing = Missing::of(new.op);
        QueueWalk { op: new.op, event: new.event, next: new.previous, missing }
    }
}

impl Walk for QueueWalk {
    #[inline]
    fn next<'a>(&mut self, accesses: &'a [Access]) -> Option<&'a Access> {
        loop {
            let access = accesses.get(self.next as usize)?;
            self.next = access.previous;
            if access.event == self.event {
                continue;
            }
            self.missing.saw(access.op);
            if self.missing.nothing() {
                self.next = NOBODY;
            }
            if dependence::dependent(access.op, self.op) {
                return Some(access);
            }
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

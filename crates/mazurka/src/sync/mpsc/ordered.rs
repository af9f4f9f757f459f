//! Channels under a memory model.
//!
//! The explorer `graphs` knows cells and no queues. So under a memory model a channel is a cell, and
//! every operation that changes the channel is a read-modify-write of it. These read from each other in a
//! chain. Therefore the operations on a channel are totally ordered, and each sees the present state of the
//! channel. The value of the cell says only what processes wait for.
//!
//! A send releases, and a receive acquires. In a channel with limited capacity both do both, since the end
//! of a wait for room happens after the receive that made it.
//!
//! A send to a channel without a limit fails if the receiver is gone. Then it only reads, and acquires: it
//! happens after the end of the receiver, as in the standard library. Once the channel is closed, it stays
//! so, and the value does not change while a sender is left.

use mazurka_core::model::{Action, Location, MemoryOrdering, Op, When};

use super::channel::{Channel, State};
use crate::rt::{self, Runtime};

/// Set in the value if the last sender is gone.
const NO_SENDERS: u64 = 1;
/// Set in the value if the receiver is gone.
const CLOSED: u64 = 2;
/// Set in the value while the receiver of a channel without capacity waits.
const DEMAND: u64 = 4;
/// Added to the value for each message.
const MESSAGE: u64 = 8;

/// Returns whether the program is checked under a memory model.
#[inline]
pub(super) fn is_ordered() -> bool {
    rt::with(|rt| rt.tuning().memory_orderings)
}

/// Returns whether a receiver waits at a channel without capacity, given its value.
pub(super) fn is_demanded(value: u64) -> bool {
    value & DEMAND != 0
}

/// Returns the update by which the receiver of a channel without capacity begins to wait, as performed.
pub(super) fn demanding(rt: &Runtime, action: Action) -> Action {
    let before = rt.value(action.on.object);
    action.performed(before, before | DEMAND)
}

impl<T> Channel<T> {
    /// Returns an operation as an update of the cell.
    pub(super) fn update(&self, op: Op, waits: bool) -> Action {
        let may_fail = !self.is_limited() && matches!(op, Op::Send { .. } | Op::SendNone);
        let when = match op {
            _ if may_fail => When::Differs(CLOSED),
            _ if !waits => When::Always,
            Op::Send { .. } | Op::SendNone => When::Differs(self.capacity() * MESSAGE),
            _ if self.is_rendezvous() && self.state().is_awaited => When::Differs(DEMAND),
            _ => When::Differs(0),
        };
        let ordering = match op {
            _ if self.is_limited() => MemoryOrdering::AcqRel,
            Op::Receive { .. } | Op::ReceiveNone => MemoryOrdering::Acquire,
            _ => MemoryOrdering::Release,
        };
        let action = Action::new(Op::Update, Location::whole(self.id())).when(when);
        let on_failure = if may_fail { MemoryOrdering::Acquire } else { MemoryOrdering::Relaxed };
        Action { waits, ..action }.ordered(ordering).ordered_on_failure(on_failure)
    }

    /// Returns the value of the cell after an operation, which has not changed the state yet.
    pub(super) fn value_after(&self, state: &State<T>, op: Op, before: u64) -> u64 {
        match op {
            Op::Send { .. } => before + MESSAGE,
            Op::Receive { .. } => (before - MESSAGE) & !DEMAND,
            Op::ReceiveNone => before & !DEMAND,
            Op::Hangup if state.senders == 1 => before | NO_SENDERS,
            Op::Close => before & NO_SENDERS | CLOSED,
            _ => before,
        }
    }

    /// Makes sure that a receiver which waits for a message learns that the last sender has gone. Returns
    /// `false` if the execution is being torn down.
    #[track_caller]
    pub(super) fn watch_last_sender(&self) -> bool {
        let is_last = {
            let state = self.state();
            state.is_awaited && state.senders == 0 && state.messages.is_empty()
        };
        !is_last || rt::watch_hangups()
    }
}

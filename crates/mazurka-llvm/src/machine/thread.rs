//! One thread of the program.

use mazurka_core::model::Action;

use super::awaits::Await;
use super::spin::Watch;
use super::twins::{Joins, Kin};
use crate::bytecode::Pc;
use crate::memory::StackSpace;

/// How a thread is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// It does not exist in this execution.
    Absent,
    /// It runs, or will before the current step is over.
    Running,
    /// It is at an action.
    Ready,
    /// It is about to choose, without an action.
    Choosing,
    /// It waits for the end of another thread.
    Joining(u32),
    /// It waits until another thread releases it, at the object with this address.
    Waiting(u64),
    /// An assumption has failed.
    Stopped,
    /// It has come to its end.
    Ended,
    /// It has ended by a violation, or by ending the program.
    Gone,
}

/// Where the value is that an action waits for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Probe {
    pub(crate) byte: usize,
    pub(crate) len: u32,
}

/// What a thread is besides its stack: copied as a whole when it is about to change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub(crate) status: Status,
    pub(crate) pc: Pc,
    /// Where the frame of the current function starts, and where it ends.
    pub(crate) base: u32,
    pub(crate) top: u32,
    pub(crate) space: StackSpace,
    /// What it is about to do.
    pub(crate) action: Action,
    pub(crate) probe: Probe,
    pub(crate) alternatives: u32,
    /// How many threads it has created.
    pub(crate) children: u32,
    /// How many threads there were in this execution before it: its number, for people.
    pub(crate) number: u32,
    /// How deep it is in atomic blocks.
    pub(crate) atomic: u32,
    /// How far the library function got that it is in.
    pub(crate) phase: u64,
    /// Once it has ended: what its function has returned.
    pub(crate) result: u64,
    /// Whether no thread may join it.
    pub(crate) detached: bool,
    /// Whether its action waits as a loop does.
    pub(crate) awaits: Await,
    /// The twins that it has joined.
    pub(crate) joins: Joins,
}

impl State {
    /// Returns whether the thread is at an action, and was at the same one in an earlier state, in the same frame.
    pub(super) fn is_ready_like(&self, old: &State) -> bool {
        self.status == Status::Ready
            && (self.pc, self.base, self.top) == (old.pc, old.base, old.top)
            && (self.space, self.children) == (old.space, old.children)
            && (self.atomic, self.phase) == (old.atomic, old.phase)
            && self.action.on == old.action.on
    }
}

/// A thread.
pub(crate) struct Thread {
    pub(crate) state: State,
    /// The frames, one after the other. What is behind the top is left over.
    pub(crate) stack: Vec<u64>,
    /// In this step: from here on, what the stack was before has been logged.
    pub(crate) saved_from: u32,
    /// The step in which the thread was logged last.
    pub(crate) saved_in: u64,
    pub(crate) watch: Watch,
    /// Whether a thread has joined it.
    pub(crate) claimed: bool,
    /// The address of the function that it runs.
    pub(crate) function: u64,
    /// Its twins.
    pub(crate) kin: Kin,
    /// The ids of its children, by rank. It only grows, so that ids mean the same in every
    /// execution.
    pub(crate) child_ids: Vec<u32>,
}

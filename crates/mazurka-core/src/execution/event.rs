//! Events, and the processes that they belong to.

use super::cells::NOBODY;
use super::clock::{ClockId, Clocks};
use crate::model::{Action, Op, ProcessId, Step, Ways, When};

/// One occurrence of a step in an execution.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) step: Step,
    /// Its rank among the events of its process, from 1.
    pub(crate) number: u32,
    /// How many alternatives the step had.
    pub(crate) alternatives: u32,
    pub(crate) clock: ClockId,
    pub(super) accesses: (u32, u32),
    pub(super) races: u32,
    pub(super) rivals: u32,
    /// The first clock that was allocated for it.
    pub(super) first_clock: ClockId,
    /// Where the changes of clocks start that it caused: those of earlier events, and those by its
    /// edges.
    pub(super) changes: (u32, u32),
    /// What the process's clock and last event were before.
    pub(crate) before: (ClockId, u32),
    /// The first of the earlier events that this one has ordered after others by observing them, or
    /// [`NOBODY`].
    pub(crate) unsettles: u32,
}

/// What an action was declared to do before it was performed, as far as it may turn out otherwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared {
    pub(super) op: Op,
    pub(super) when: When,
    pub(super) ways: Ways,
}

impl Declared {
    #[inline]
    pub(crate) fn of(action: &Action) -> Self {
        Declared { op: action.op, when: action.when, ways: action.ways }
    }
}

/// The owner of a clock.
#[derive(Clone, Copy, Debug)]
pub(super) enum Owner {
    /// A process's.
    Process(ProcessId),
    /// An event's.
    Event(u32),
    /// That of an event's process, before the event.
    Before(u32),
}

/// What is known of a process in the current execution.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessState {
    /// What happens before its next event whatever that touches.
    pub(super) clock: ClockId,
    /// Its last event, or [`NOBODY`].
    pub(super) last: u32,
    /// How many events it has.
    pub(super) events: u32,
}

/// The state of a process that has not moved.
pub(super) const FRESH: ProcessState =
    ProcessState { clock: Clocks::ZERO, last: NOBODY, events: 0 };

//! Events, and the state of processes.

use super::cells::NO_EVENT;
use super::clock::{ClockId, Clocks};
use crate::model::{Action, Op, ProcessId, Step, Ways, When};

/// One occurrence of a step in an execution.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) step: Step,
    /// Its position among the events of its process, from 1.
    pub(crate) number: u32,
    /// The number of alternatives of the step.
    pub(crate) alternatives: u32,
    pub(crate) clock: ClockId,
    pub(super) accesses: (u32, u32),
    pub(super) races: u32,
    pub(super) rivals: u32,
    /// The first clock that was allocated for this event.
    pub(super) first_clock: ClockId,
    /// The indices of the first change of a clock that this event caused for an earlier event, and
    /// of the first one that it caused by its edges.
    pub(super) changes: (u32, u32),
    /// The clock and the last event of the process before this event.
    pub(crate) before: (ClockId, u32),
    /// The first earlier event that this event has ordered after others by observing them, or
    /// [`NO_EVENT`].
    pub(crate) unsettles: u32,
}

/// The part of a pending action that may differ from the performed action.
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
    /// A process.
    Process(ProcessId),
    /// An event.
    Event(u32),
    /// The process of an event, before the event.
    Before(u32),
}

/// The state of a process in the current execution.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessState {
    /// The clock of the events that happen before its next event, whatever that accesses.
    pub(super) clock: ClockId,
    /// Its last event, or [`NO_EVENT`].
    pub(super) last: u32,
    /// The number of its events.
    pub(super) events: u32,
}

/// The state of a process that has not moved.
pub(super) const FRESH: ProcessState =
    ProcessState { clock: Clocks::ZERO, last: NO_EVENT, events: 0 };

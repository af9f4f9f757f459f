//! Events.

use crate::model::{MemoryOrdering, ProcessId};

/// An event of a graph, by its place in the order in which the events were run.
pub type EventId = u32;

/// The write that every location has from the start. It is before all others in coherence order, and
/// happens before everything.
pub const INITIAL: EventId = u32::MAX;

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Reads from a location.
    Read,
    /// Writes to a location.
    Write,
    /// Is a fence.
    Fence,
    /// Is a choice of the program.
    Choice,
}

/// One event of a graph. A read-modify-write is two: an exclusive read, and behind it an exclusive
/// write.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Whose event it is.
    pub process: ProcessId,
    /// Its rank among the events of its process, from 1.
    pub index: u32,
    /// What it does.
    pub kind: Kind,
    /// Its memory ordering, or `None` if it is plain.
    pub ordering: Option<MemoryOrdering>,
    /// Whether it is a part of a read-modify-write.
    pub is_exclusive: bool,
    /// Whether it is the arrival at a barrier: a read-modify-write of which there is only the read, because
    /// arrivals commute.
    pub is_arrival: bool,
    /// Whether it is the read of a process that waits, and that cannot go on with what it reads.
    pub is_blocked: bool,
    /// Its location: see [`Graph::location`](super::Graph::location).
    pub location: u32,
    /// What it reads or writes.
    pub value: u64,
    /// The write that a read reads from.
    pub reads_from: EventId,
    /// Which alternative its step takes.
    pub choice: u32,
    /// When it was added, by the order that the explorer adds events in. This differs from the order in
    /// which events are run once a read reads from a write that was added later.
    pub(crate) stamp: u32,
    /// The step of the machine that performs it, or [`NO_STEP`].
    pub(crate) step: u32,
    /// Of a write: its position in coherence order, from 1.
    pub(crate) position: u32,
    /// Of a write: whether the writes up to it in coherence order are a chain. Each one happens before the
    /// next, or is read by it as by a read-modify-write, or is a read-modify-write that goes back, by
    /// read-modify-writes alone, to a write that happens before the next. They have no other order then. The
    /// same holds for every part of them that contains its prefix.
    pub(crate) ends_chain: bool,
    /// Of a write: whether the writes up to it in coherence order were run in this order.
    pub(crate) ends_run: bool,
    /// The latest stamp of the events up to this one.
    pub(crate) latest: u32,
}

impl Event {
    /// Returns a plain event whose other fields have the values of an event that is not yet in a graph.
    pub(crate) const fn new(process: ProcessId, kind: Kind, location: u32) -> Self {
        Event {
            process,
            index: 0,
            kind,
            ordering: None,
            is_exclusive: false,
            is_arrival: false,
            is_blocked: false,
            location,
            value: 0,
            reads_from: INITIAL,
            choice: 0,
            stamp: 0,
            step: NO_STEP,
            position: 0,
            ends_chain: false,
            ends_run: false,
            latest: 0,
        }
    }

    /// Returns its location if it is a read or a write.
    pub fn location_if_memory(&self) -> Option<u32> {
        matches!(self.kind, Kind::Read | Kind::Write).then_some(self.location)
    }

    /// Returns whether it is a part of a read-modify-write, or all of one.
    pub(crate) fn is_update(&self) -> bool {
        self.is_exclusive || self.is_arrival
    }

    /// Returns whether it changes what its location holds.
    pub(crate) fn changes(&self) -> bool {
        self.kind == Kind::Write || self.is_arrival
    }

    /// Returns the step of the execution that performs it. A blocked read has none.
    pub fn step(&self) -> Option<usize> {
        (self.step != NO_STEP).then_some(self.step as usize)
    }
}

/// The step of an event that the machine does not perform.
pub(crate) const NO_STEP: u32 = u32::MAX;

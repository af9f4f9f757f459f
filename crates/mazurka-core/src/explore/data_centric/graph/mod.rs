//! The current execution as a graph: its events, what each observes, and what is in its causal past.
//!
//! It is kept like a stack, in the order in which the machine took the steps. That order is one
//! *witness* of the graph: one of the sequences that have these events and these observations.

pub(crate) mod access;
mod growth;
pub(crate) mod identity;
mod lock_epochs;
mod visible;

use crate::execution::clock::{ClockId, Clocks};
use crate::explore::data_centric::lessons::CellGroup;
use access::{Accesses, GroupAccess};
use identity::Identity;

/// So many processes have a bit of their own.
pub(crate) const MANY: usize = 127;

/// A bit for a process; those beyond [`MANY`] share one.
pub(crate) fn bit(process: usize) -> u128 {
    1 << process.min(MANY)
}

/// Stands for the write that put the initial values there.
pub(crate) const INITIAL: u32 = u32::MAX;

/// What is known of a process's next event before it is performed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past {
    /// Of everything that happens before it, but for what it will observe itself.
    pub(crate) identity: Identity,
    pub(crate) clock: ClockId,
    /// Whether an edge has come in since the event before it.
    pub(crate) joined: bool,
}

#[derive(Debug)]
pub(crate) struct GraphEvent {
    pub(crate) process: usize,
    /// Its rank in its process, from 1.
    pub(crate) number: u32,
    pub(crate) choice: u32,
    pub(crate) alternatives: u32,
    /// What its process's past was, the message that it takes not included.
    before: Past,
    pub(crate) past: Past,
    pub(crate) identity: Identity,
    /// How many events of each process are in its causal past, itself included.
    pub(crate) clock: ClockId,
    pub(crate) waits: bool,
    accesses: (u32, u32),
    first_clock: ClockId,
    changes: u32,
}

#[derive(Debug)]
struct Process {
    past: Past,
    /// Its events.
    events: Vec<u32>,
}

/// The current execution.
#[derive(Debug)]
pub(crate) struct ObservationGraph {
    events: Vec<GraphEvent>,
    accesses: Vec<GroupAccess>,
    pub(crate) clocks: Clocks,
    processes: Vec<Process>,
    /// For each group the events that write to it, first to last.
    writes: Vec<Vec<u32>>,
    /// For each group the events that access it as plain memory.
    plain: Vec<Vec<u32>>,
    /// For each group that is shared all events on it, first to last.
    pub(crate) shared: Vec<Vec<u32>>,
    /// Those of them that neither acquire nor release what they are on.
    pub(crate) loose: Vec<u32>,
    /// For each group the processes that have ever written to it.
    writers: Vec<u128>,
    /// For each group the value that it has at first, once it is known.
    initial: Vec<u64>,
    /// For each group the event that observes and replaces that, or [`INITIAL`].
    initial_replaced_by: Vec<u32>,
    /// Pasts that edges have changed, and what they were.
    changes: Vec<(u32, Past)>,
    scratch: Accesses,
}

impl ObservationGraph {
    pub(crate) fn new() -> Self {
        ObservationGraph {
            events: Vec::new(),
            accesses: Vec::new(),
            clocks: Clocks::new(),
            processes: Vec::new(),
            writes: Vec::new(),
            plain: Vec::new(),
            shared: Vec::new(),
            loose: Vec::new(),
            writers: Vec::new(),
            initial: Vec::new(),
            initial_replaced_by: Vec::new(),
            changes: Vec::new(),
            scratch: Accesses::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    pub(crate) fn event(&self, event: u32) -> &GraphEvent {
        &self.events[event as usize]
    }

    pub(crate) fn accesses(&self, event: u32) -> &[GroupAccess] {
        let (start, end) = self.events[event as usize].accesses;
        &self.accesses[start as usize..end as usize]
    }

    /// The event of a process with this rank.
    pub(crate) fn find(&self, process: usize, number: u32) -> Option<u32> {
        self.processes.get(process)?.events.get(number as usize - 1).copied()
    }

    pub(crate) fn processes(&self) -> usize {
        self.processes.len()
    }

    /// How many events a process has.
    #[inline]
    pub(crate) fn count(&self, process: usize) -> u32 {
        self.processes.get(process).map_or(0, |process| process.events.len() as u32)
    }

    /// What is known of the next event of a process.
    pub(crate) fn past_of_next(&self, process: usize) -> Past {
        self.processes[process].past
    }

    #[inline]
    pub(crate) fn clock(&self, clock: ClockId) -> &[u32] {
        self.clocks.of(clock)
    }

    /// How many events of a process are in a past.
    #[inline]
    pub(crate) fn component(&self, clock: ClockId, process: usize) -> u32 {
        self.clocks.component(clock, process)
    }

    /// The events that write to a group, first to last.
    pub(crate) fn writes_to(&self, group: CellGroup) -> &[u32] {
        self.writes.get(group.index()).map_or(&[], Vec::as_slice)
    }

    /// The last of them, or [`INITIAL`].
    pub(crate) fn last_write_to(&self, group: CellGroup) -> u32 {
        self.writes_to(group).last().copied().unwrap_or(INITIAL)
    }

    /// Whether an event is among the first so many of its process; [`INITIAL`] always is.
    #[inline]
    pub(crate) fn is_within(&self, event: u32, cut: &[u32]) -> bool {
        event == INITIAL || {
            let GraphEvent { process, number, .. } = *self.event(event);
            cut.get(process).is_some_and(|count| number <= *count)
        }
    }

    /// Orders events as they may come: by how many are in their causal past, and then by their
    /// processes. It does not depend on the execution.
    pub(crate) fn lateness(&self, event: u32) -> (u32, usize) {
        match event {
            INITIAL => (0, 0),
            event => {
                let event = self.event(event);
                (self.clock(event.clock).iter().sum(), event.process)
            }
        }
    }

    /// The identity of an event, or of the initial values.
    pub(crate) fn identity_of(&self, event: u32) -> Identity {
        match event {
            INITIAL => Identity::INITIAL,
            event => self.event(event).identity,
        }
    }

    /// What the identity of an event would be if it had chosen otherwise.
    pub(crate) fn identity_choosing(&self, event: u32, choice: u32) -> Identity {
        let start = self.event(event).past.identity.choosing(choice);
        let reads = self.accesses(event).iter().filter(|access| access.reads);
        reads.fold(start, |identity, access| identity.observing(self.identity_of(access.source)))
    }

    /// The value that an event, or [`INITIAL`], leaves in a group, if it can be told.
    pub(crate) fn value_after(&self, event: u32, group: CellGroup) -> Option<u64> {
        if event == INITIAL {
            return self.initial.get(group.index()).copied();
        }
        let access = self.accesses(event).iter().find(|access| access.group == group)?;
        access.simple.then_some(access.after)
    }

    /// Makes room for as many processes as there are.
    pub(crate) fn admit(&mut self, processes: usize) {
        while self.processes.len() < processes {
            let identity = Identity::of_process(self.processes.len());
            let past = Past { identity, clock: Clocks::ZERO, joined: false };
            self.processes.push(Process { past, events: Vec::new() });
        }
        self.clocks.widen(processes);
    }

    /// The event that observes and replaces what an event, or [`INITIAL`], has written.
    pub(crate) fn replaced_by(&self, write: u32, group: CellGroup) -> Option<u32> {
        let by = match write {
            INITIAL => self.initial_replaced_by.get(group.index()).copied(),
            write => {
                let mut written = self.accesses(write).iter();
                written.find(|access| access.group == group).map(|access| access.replaced_by)
            }
        };
        by.filter(|by| *by != INITIAL)
    }
}

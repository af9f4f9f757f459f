//! The current execution as a graph: its events, their observations, and their causal pasts.
//!
//! The graph is kept like a stack, in the order in which the machine took the steps. That order is one
//! *witness* of the graph: one of the sequences with these events and observations. [`access`] says what
//! an event does to each group of locations, [`identity`] names events across executions, [`growth`]
//! adds and removes events, [`visible`] finds the writes that an event can observe, [`lock_epochs`] orders
//! operations on reader-writer locks, and [`lives`] checks that accesses to an object happen during its
//! life. The graph knows nothing of nodes or children.

pub(crate) mod access;
mod growth;
pub(crate) mod identity;
mod lives;
mod lock_epochs;
mod visible;

use crate::execution::clock::{ClockId, Clocks};
use crate::explore::data_centric::lessons::CellGroup;
use crate::explore::fingerprint::Fingerprint;
use access::{Accesses, GroupAccess};
use identity::Identity;

/// How many processes have a bit of their own in a set of processes.
pub(crate) const MANY: usize = 127;

/// Returns the bit of a process; all processes from number [`MANY`] on share one.
pub(crate) fn bit(process: usize) -> u128 {
    1 << process.min(MANY)
}

/// The largest number of groups that an event observes in a program with locations that overlap. The number
/// of children of a node is exponential in it. Two fields and the word that contains them are three groups.
const MOST_GROUPS: usize = 3;

/// Stands for the event that writes all initial values.
pub(crate) const INITIAL: u32 = u32::MAX;

/// What happens before the next event of a process, whatever that event observes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past {
    /// The fingerprint of that past.
    pub(crate) identity: Identity,
    pub(crate) clock: ClockId,
    /// Whether an edge has led to the process since its last event.
    pub(crate) joined: bool,
}

/// An event of the execution.
#[derive(Debug)]
pub(crate) struct GraphEvent {
    pub(crate) process: usize,
    /// Its rank in its process, from 1.
    pub(crate) number: u32,
    pub(crate) choice: u32,
    pub(crate) alternatives: u32,
    /// The past of its process before it.
    before: Past,
    /// Its past without its observations: `before`, and the delivery of the message that it takes.
    pub(crate) past: Past,
    pub(crate) identity: Identity,
    /// For each process how many of its events are in the causal past, the event itself included.
    pub(crate) clock: ClockId,
    /// Whether one of its accesses [takes turns](GroupAccess::takes_turns).
    pub(crate) waits: bool,
    accesses: (u32, u32),
    /// The first clock that was allocated for the event.
    first_clock: ClockId,
    /// The start of its changes in [`ObservationGraph::changes`].
    changes: u32,
}

#[derive(Debug)]
struct Process {
    /// A name that means the same in all parts of a divided search, which may give it different ids.
    name: Fingerprint,
    /// The past of its next event.
    past: Past,
    /// Its events, as positions in the execution.
    events: Vec<u32>,
}

/// The current execution, with its observation function.
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
    /// For each group the other events that access it.
    atomic: Vec<Vec<u32>>,
    /// For each reader-writer lock all events on it, first to last.
    pub(crate) shared: Vec<Vec<u32>>,
    /// The events on reader-writer locks that neither acquire nor release them.
    pub(crate) loose: Vec<u32>,
    /// For each group a bit for every process that has written to it in any execution.
    writers: Vec<u128>,
    /// For each group its initial value, once that is known.
    initial: Vec<u64>,
    /// For each group the event that observes and overwrites the initial value, or [`INITIAL`].
    initial_replaced_by: Vec<u32>,
    /// Processes whose past an edge has changed, each with its past before that.
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
            atomic: Vec::new(),
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

    /// Returns whether some event observes more groups than are [supported](MOST_GROUPS) if locations
    /// overlap.
    pub(crate) fn observes_many(&self) -> bool {
        let observed = |event| self.accesses(event).iter().filter(|access| access.reads).count();
        (0..self.len() as u32).any(|event| observed(event) > MOST_GROUPS)
    }

    /// Returns the event of a process with this rank.
    pub(crate) fn find(&self, process: usize, number: u32) -> Option<u32> {
        self.processes.get(process)?.events.get(number as usize - 1).copied()
    }

    pub(crate) fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Returns how many events a process has.
    #[inline]
    pub(crate) fn count(&self, process: usize) -> u32 {
        self.processes.get(process).map_or(0, |process| process.events.len() as u32)
    }

    /// Returns the past of the next event of a process.
    pub(crate) fn past_of_next(&self, process: usize) -> Past {
        self.processes[process].past
    }

    #[inline]
    pub(crate) fn clock(&self, clock: ClockId) -> &[u32] {
        self.clocks.of(clock)
    }

    /// Returns how many events of a process are in a past.
    #[inline]
    pub(crate) fn component(&self, clock: ClockId, process: usize) -> u32 {
        self.clocks.component(clock, process)
    }

    /// Returns the events that write to a group, first to last.
    pub(crate) fn writes_to(&self, group: CellGroup) -> &[u32] {
        self.writes.get(group.index()).map_or(&[], Vec::as_slice)
    }

    /// Returns the events that access a group.
    pub(crate) fn accessing(&self, group: CellGroup) -> impl Iterator<Item = u32> + '_ {
        let kinds = [&self.plain, &self.atomic].into_iter();
        kinds.filter_map(move |kind| kind.get(group.index())).flatten().copied()
    }

    /// Returns the last event that writes to a group, or [`INITIAL`].
    pub(crate) fn last_write_to(&self, group: CellGroup) -> u32 {
        self.writes_to(group).last().copied().unwrap_or(INITIAL)
    }

    /// Returns the last event within a cut that writes to a group, or [`INITIAL`].
    pub(crate) fn last_write_within(&self, group: CellGroup, cut: &[u32]) -> u32 {
        let mut writes = self.writes_to(group).iter().rev().copied();
        writes.find(|write| self.is_within(*write, cut)).unwrap_or(INITIAL)
    }

    /// Returns the first event within a cut that writes to a group after `source`.
    pub(crate) fn first_write_behind(
        &self,
        group: CellGroup,
        source: u32,
        cut: &[u32],
    ) -> Option<u32> {
        let writes = self.writes_to(group);
        let start = match source {
            INITIAL => 0,
            source => writes.partition_point(|write| *write <= source),
        };
        writes[start..].iter().copied().find(|write| self.is_within(*write, cut))
    }

    /// Returns whether `later` is `earlier`, or has it in its past. Everything has [`INITIAL`] in its past.
    pub(crate) fn follows(&self, later: u32, earlier: u32) -> bool {
        earlier == INITIAL || later != INITIAL && self.is_past(earlier, self.event(later).clock)
    }

    /// Returns whether an event is in a closed set, given by the number of events of each process.
    /// [`INITIAL`] always is.
    #[inline]
    pub(crate) fn is_within(&self, event: u32, cut: &[u32]) -> bool {
        event == INITIAL || {
            let GraphEvent { process, number, .. } = *self.event(event);
            cut.get(process).is_some_and(|count| number <= *count)
        }
    }

    /// Returns the position after the last event within a cut.
    pub(crate) fn end_of(&self, cut: &[u32]) -> u32 {
        let counts = cut.iter().enumerate().filter(|(_, count)| **count > 0);
        let lasts = counts.filter_map(|(process, count)| self.find(process, *count));
        lasts.max().map_or(0, |last| last + 1)
    }

    /// Returns a key that orders events by the size of their causal past, and then by the name of the process.
    /// It is the same in every execution that contains the event.
    pub(crate) fn lateness(&self, event: u32) -> (u32, Fingerprint) {
        match event {
            INITIAL => (0, Fingerprint::new(0)),
            event => {
                let event = self.event(event);
                (self.clock(event.clock).iter().sum(), self.processes[event.process].name)
            }
        }
    }

    /// Returns the identity of an event or of [`INITIAL`].
    pub(crate) fn identity_of(&self, event: u32) -> Identity {
        match event {
            INITIAL => Identity::INITIAL,
            event => self.event(event).identity,
        }
    }

    /// Returns the identity that an event would have with another alternative.
    pub(crate) fn identity_choosing(&self, event: u32, choice: u32) -> Identity {
        let start = self.event(event).past.identity.choosing(choice);
        let reads = self.accesses(event).iter().filter(|access| access.reads);
        reads.fold(start, |identity, access| identity.observing(self.identity_of(access.source)))
    }

    /// Returns the value that an event or [`INITIAL`] leaves in a group, if it is known.
    pub(crate) fn value_after(&self, event: u32, group: CellGroup) -> Option<u64> {
        if event == INITIAL {
            return self.initial.get(group.index()).copied();
        }
        let access = self.accesses(event).iter().find(|access| access.group == group)?;
        access.simple.then_some(access.after)
    }

    /// Notes the initial value of a group that no event has accessed yet.
    pub(crate) fn note_initial(&mut self, group: CellGroup, value: u64) {
        let has_accesses = |events: &[Vec<u32>]| {
            events.get(group.index()).is_some_and(|events| !events.is_empty())
        };
        if !has_accesses(&self.plain) && !has_accesses(&self.atomic) {
            self.make_room(group);
            self.initial[group.index()] = value;
        }
    }

    /// Adds a group to the tables.
    fn make_room(&mut self, group: CellGroup) {
        let needed = group.index() + 1;
        if self.writes.len() < needed {
            self.writes.resize_with(needed, Vec::new);
            self.plain.resize_with(needed, Vec::new);
            self.atomic.resize_with(needed, Vec::new);
            self.shared.resize_with(needed, Vec::new);
            self.writers.resize(needed, 0);
            self.initial.resize(needed, 0);
            self.initial_replaced_by.resize(needed, INITIAL);
        }
    }

    /// Adds the processes that are new.
    pub(crate) fn admit(&mut self, processes: usize) {
        while self.processes.len() < processes {
            let identity = Identity::of_process(self.processes.len());
            let past = Past { identity, clock: Clocks::ZERO, joined: false };
            let name = Fingerprint::new(self.processes.len() as u128);
            self.processes.push(Process { name, past, events: Vec::new() });
        }
        self.clocks.widen(processes);
    }

    /// Returns the event that observes and overwrites what an event or [`INITIAL`] has written.
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

//! The current execution as a graph: its events, what each observes, and what is in its causal past.
//!
//! It is kept like a stack, in the order in which the machine took the steps. That order is one
//! *witness* of the graph: one of the sequences that have these events and these observations.

pub(crate) mod access;
pub(crate) mod identity;
mod lock_epochs;

use smallvec::SmallVec;

use crate::execution::clock::{ClockId, Clocks};
use crate::execution::{Execution, Race};
use crate::explore::data_centric::lessons::{CellGroup, Lessons};
use crate::model::Edge;
use access::{Accesses, GroupAccess, Part, Share, gather, learn, takes_own};
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

    /// Adds the last event of `execution`. Returns a data race if it makes one.
    pub(crate) fn push(
        &mut self,
        execution: &Execution,
        edges: &[Edge],
        lessons: &mut Lessons,
    ) -> Option<Race> {
        let index = self.events.len() as u32;
        let event = execution.event(index as usize);
        let process = event.step.process.index();
        let first_clock = self.clocks.next();
        let changes = self.changes.len() as u32;
        let first_access = self.accesses.len() as u32;

        let mut accesses = std::mem::take(&mut self.scratch);
        let parts = execution.accesses_of(index as usize).iter().map(Part::from);
        learn(parts.clone(), process, execution, lessons);
        gather(parts.clone(), execution, lessons, &mut accesses);

        let before = self.processes[process].past;
        let message = takes_own(parts, lessons);
        let past = match message.and_then(|message| execution.messages.delivery(message)) {
            Some(delivery) => self.behind(before, delivery),
            None => before,
        };
        let clock = self.clocks.copy(past.clock);
        let mut identity = past.identity.choosing(event.step.choice);
        let mut race = None;
        for access in &mut accesses {
            let group = access.group.index();
            if self.writes.len() <= group {
                self.writes.resize_with(group + 1, Vec::new);
                self.plain.resize_with(group + 1, Vec::new);
                self.shared.resize_with(group + 1, Vec::new);
                self.writers.resize(group + 1, 0);
                self.initial.resize(group + 1, 0);
                self.initial_replaced_by.resize(group + 1, INITIAL);
            }
            if access.plain {
                race = race.or_else(|| self.data_race(process, past.clock, access));
            }
            let source = self.last_write_to(access.group);
            if source == INITIAL && access.simple {
                self.initial[group] = access.before;
            }
            if access.reads {
                access.source = source;
                identity = identity.observing(self.identity_of(source));
                if source != INITIAL {
                    self.clocks.join(clock, self.events[source as usize].clock);
                }
            }
            if access.share == Share::Ends {
                identity = self.end_epoch(access.group, clock, identity);
            }
        }
        for access in &accesses {
            if access.writes {
                self.writes[access.group.index()].push(index);
                self.writers[access.group.index()] |= bit(process);
                if access.reads {
                    self.set_replaced_by(access.source, access.group, index);
                }
            }
            if access.plain {
                self.plain[access.group.index()].push(index);
            }
            if access.share != Share::No {
                self.shared[access.group.index()].push(index);
            }
        }
        let number = self.processes[process].events.len() as u32 + 1;
        self.clocks.set(clock, process, number);
        let waits = accesses.iter().any(|access| access.waits);
        self.accesses.extend_from_slice(&accesses);
        self.scratch = accesses;
        self.events.push(GraphEvent {
            process,
            number,
            choice: event.step.choice,
            alternatives: event.alternatives,
            before,
            past,
            identity,
            clock,
            waits,
            accesses: (first_access, self.accesses.len() as u32),
            first_clock,
            changes,
        });
        let own = &mut self.processes[process];
        own.events.push(index);
        own.past = Past { identity, clock, joined: false };
        for edge in edges {
            self.pass_on(*edge);
        }
        race.map(|first| Race::new(first, index))
    }

    fn set_replaced_by(&mut self, write: u32, group: CellGroup, by: u32) {
        if write == INITIAL {
            self.initial_replaced_by[group.index()] = by;
            return;
        }
        let (start, end) = self.events[write as usize].accesses;
        let written = self.accesses[start as usize..end as usize].iter_mut();
        written.filter(|access| access.group == group).for_each(|access| access.replaced_by = by);
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

    /// Collects the writes to a group that an event with this past could observe as far as its past
    /// tells: those behind which there is no other one in its past.
    pub(crate) fn visible_writes(&self, group: CellGroup, past: ClockId, into: &mut Vec<u32>) {
        into.clear();
        if !self.collect_visible(group, past, into) {
            into.push(INITIAL);
        }
        into.reverse();
    }

    /// The same, the latest first and without the initial value; says whether one is in the past.
    fn collect_visible(&self, group: CellGroup, past: ClockId, into: &mut Vec<u32>) -> bool {
        let writers = self.writers.get(group.index()).copied().unwrap_or(0);
        // The last write of each process in the past.
        let mut last: SmallVec<[u32; 8]> = SmallVec::new();
        let mut exhausted = !writers;
        for write in self.writes_to(group).iter().rev() {
            let event = self.event(*write);
            if exhausted & bit(event.process) != 0 && event.process < MANY {
                continue;
            }
            let is_past = self.component(past, event.process) >= event.number;
            let hides = |later: &u32| {
                self.component(self.event(*later).clock, event.process) >= event.number
            };
            if is_past && last.iter().any(hides) {
                exhausted |= bit(event.process);
                if exhausted == u128::MAX && self.processes.len() <= MANY {
                    return true;
                }
                continue;
            }
            if is_past && !last.iter().any(|other| self.event(*other).process == event.process) {
                last.push(*write);
            }
            into.push(*write);
        }
        !last.is_empty()
    }

    fn pass_on(&mut self, edge: Edge) {
        let Past { identity, clock, .. } = self.processes[edge.from.index()].past;
        let to = self.processes[edge.to.index()].past;
        self.changes.push((edge.to.index() as u32, to));
        self.processes[edge.to.index()].past = self.joined(to, identity, clock);
    }

    /// A past, and an event that delivered a message.
    fn behind(&mut self, past: Past, delivery: u32) -> Past {
        let GraphEvent { identity, clock, .. } = *self.event(delivery);
        self.joined(past, identity, clock)
    }

    /// A past, and something else with this identity and this clock.
    fn joined(&mut self, past: Past, identity: Identity, other: ClockId) -> Past {
        let clock = self.clocks.copy(past.clock);
        self.clocks.join(clock, other);
        Past { identity: past.identity.joined_by(identity), clock, joined: true }
    }

    /// An earlier access to plain memory that nothing orders before the one that a process makes
    /// now. Those before the last write are ordered before that, or were a race themselves.
    fn data_race(&self, process: usize, past: ClockId, access: &GroupAccess) -> Option<u32> {
        for earlier in self.plain[access.group.index()].iter().rev() {
            let event = self.event(*earlier);
            let accesses = self.accesses(*earlier).iter();
            let wrote = accesses.filter(|a| a.group == access.group).any(|a| a.writes);
            let is_ordered =
                event.process == process || self.component(past, event.process) >= event.number;
            if (wrote || access.writes) && !is_ordered {
                return Some(*earlier);
            }
            if wrote {
                break;
            }
        }
        None
    }

    /// Goes back to the first `len` events.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.loose.pop_if(|event| *event as usize >= len).is_some() {}
        while self.events.len() > len {
            let event = self.events.pop().expect("there are more than len events");
            while self.changes.len() > event.changes as usize {
                let (process, past) = self.changes.pop().expect("there are more changes");
                self.processes[process as usize].past = past;
            }
            let own = &mut self.processes[event.process];
            own.past = event.before;
            own.events.pop();
            for index in event.accesses.0 as usize..self.accesses.len() {
                let access = self.accesses[index];
                if access.writes {
                    self.writes[access.group.index()].pop();
                    if access.reads {
                        self.set_replaced_by(access.source, access.group, INITIAL);
                    }
                }
                if access.plain {
                    self.plain[access.group.index()].pop();
                }
                if access.share != Share::No {
                    self.shared[access.group.index()].pop();
                }
            }
            self.accesses.truncate(event.accesses.0 as usize);
            self.clocks.free_from(event.first_clock);
        }
    }
}

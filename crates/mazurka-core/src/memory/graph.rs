//! Execution graphs.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::Model;
use super::clocks::{Clocks, Row};
use crate::model::{Location, MemoryOrdering, ProcessId};

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
    /// Whether it is the read of a process that waits, and that cannot go on with what it reads.
    pub is_blocked: bool,
    /// Its location: see [`Graph::location`].
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
    /// The latest stamp of the events up to this one.
    pub(crate) latest: u32,
}

impl Event {
    /// Returns its location if it is a read or a write.
    pub fn location_if_memory(&self) -> Option<u32> {
        matches!(self.kind, Kind::Read | Kind::Write).then_some(self.location)
    }

    /// Returns the step of the execution that performs it. A blocked read has none.
    pub fn step(&self) -> Option<usize> {
        (self.step != NO_STEP).then_some(self.step as usize)
    }
}

/// The step of an event that the machine does not perform.
pub(crate) const NO_STEP: u32 = u32::MAX;

/// That everything which a process had done by then is before what another one does next.
#[derive(Clone, Copy, Debug)]
struct Passed {
    /// How many events there were.
    at: u32,
    to: ProcessId,
}

/// The accesses to one location.
#[derive(Debug)]
struct Accesses {
    /// The value at the start.
    initial: u64,
    /// The writes, in coherence order, without the initial one.
    coherence: Vec<EventId>,
    reads: Vec<EventId>,
    /// How many of the accesses are plain.
    plain: u32,
    /// The other locations that have a part of their range in common.
    overlapping: Vec<u32>,
    /// The first write to one of these locations after the accesses, or [`INITIAL`].
    retired_by: EventId,
}

impl Clone for Accesses {
    fn clone(&self) -> Self {
        Accesses {
            initial: self.initial,
            coherence: self.coherence.clone(),
            reads: self.reads.clone(),
            plain: self.plain,
            overlapping: self.overlapping.clone(),
            retired_by: self.retired_by,
        }
    }

    /// Reuses the memory, which the derived method would not: a graph is restricted for each revisit.
    fn clone_from(&mut self, other: &Self) {
        self.initial = other.initial;
        self.coherence.clone_from(&other.coherence);
        self.reads.clone_from(&other.reads);
        self.plain = other.plain;
        self.overlapping.clone_from(&other.overlapping);
        self.retired_by = other.retired_by;
    }
}

impl Accesses {
    fn is_unused(&self) -> bool {
        self.coherence.is_empty() && self.reads.is_empty()
    }
}

/// Where locations were found last. An entry may be out of date.
#[derive(Clone, Debug)]
struct Recent {
    places: [u32; Recent::SIZE],
}

impl Recent {
    const SIZE: usize = 64;

    /// Returns the entry for a location.
    fn slot(&self, location: Location) -> usize {
        let mut hasher = FxHasher::default();
        location.hash(&mut hasher);
        (hasher.finish() >> 32) as usize % Recent::SIZE
    }
}

impl Default for Recent {
    fn default() -> Self {
        Recent { places: [0; Recent::SIZE] }
    }
}

/// Events with program order, reads-from, and coherence order, and the clocks that follow from these.
///
/// Events are in an order in which they can be run: each is behind those before it in program order, and
/// each read behind the write that it reads from.
///
/// # Locations that overlap
///
/// A range of memory may be accessed by accesses of different sizes, such as the assignment of a structure
/// and accesses to its members. Each range is a location of its own. A write to a range *retires* the other
/// locations that it overlaps with: a later access to one of these ranges gets a new location, whose
/// initial value is what memory holds then. So two accesses of different sizes, of which one writes, must be
/// ordered by happens-before. The explorer reports the others as data races, or refuses the program.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    events: Vec<Event>,
    clocks: Clocks,
    locations: Vec<Location>,
    accesses: Vec<Accesses>,
    /// The events of each process, in program order.
    processes: Vec<Vec<EventId>>,
    edges: Vec<Passed>,
    edge_clocks: Clocks,
    recent: Recent,
    /// The stamps of new events are not less than this.
    pub(crate) least_stamp: u32,
}

impl Graph {
    /// Returns the events, in the order in which they were run.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns an event.
    #[inline]
    pub fn event(&self, event: EventId) -> &Event {
        &self.events[event as usize]
    }

    /// Returns where the accesses to a location are.
    pub fn location(&self, location: u32) -> Location {
        self.locations[location as usize]
    }

    /// Returns how many locations there are.
    pub fn locations(&self) -> u32 {
        self.locations.len() as u32
    }

    /// Returns the writes to a location in coherence order, without the initial one.
    #[inline]
    pub fn coherence(&self, location: u32) -> &[EventId] {
        &self.accesses[location as usize].coherence
    }

    /// Returns the reads of a location.
    #[inline]
    pub fn reads(&self, location: u32) -> &[EventId] {
        &self.accesses[location as usize].reads
    }

    /// Returns how many processes have events, or may have had some.
    pub(crate) fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Returns the events of a process, in program order.
    pub(crate) fn events_of(&self, process: ProcessId) -> &[EventId] {
        self.processes.get(process.index()).map_or(&[], |events| events)
    }

    /// Returns the value that a write wrote to a location.
    pub(crate) fn value_of(&self, location: u32, write: EventId) -> u64 {
        match write {
            INITIAL => self.accesses[location as usize].initial,
            write => self.events[write as usize].value,
        }
    }

    /// Returns the last write to a location in coherence order.
    pub(crate) fn last_write(&self, location: u32) -> EventId {
        self.coherence(location).last().copied().unwrap_or(INITIAL)
    }

    /// Returns how many writes to its location are before a write in coherence order, the initial one
    /// included.
    #[inline]
    pub(crate) fn position(&self, location: u32, write: EventId) -> usize {
        match write {
            INITIAL => 0,
            write => {
                let position = self.event(write).position as usize;
                debug_assert_eq!(self.coherence(location)[position - 1], write);
                position
            }
        }
    }

    /// Returns the position of the write that an access to memory is or reads from.
    pub(crate) fn position_of(&self, event: EventId) -> usize {
        let Event { kind, location, reads_from, .. } = *self.event(event);
        match kind {
            Kind::Read => self.position(location, reads_from),
            _ => self.position(location, event),
        }
    }

    /// Returns whether `earlier` is before `later`, by a clock of the later one, or is the same event.
    #[inline]
    fn is_covered(&self, earlier: EventId, later: EventId, row: Row) -> bool {
        let Event { process, index, .. } = *self.event(earlier);
        self.clocks.get(later as usize, row, process.index()) >= index
    }

    /// Returns whether `earlier` happens before `later`.
    #[inline]
    pub fn happens_before(&self, earlier: EventId, later: EventId) -> bool {
        earlier != later && self.is_covered(earlier, later, Row::HappensBefore)
    }

    /// Returns whether `earlier` is before `later` in program order, or by an edge: the creation of a
    /// process, a join.
    #[inline]
    pub(crate) fn program_order(&self, earlier: EventId, later: EventId) -> bool {
        earlier != later && self.is_covered(earlier, later, Row::ProgramOrder)
    }

    /// Returns whether an event of a process with this index or a later one is before `event` in program
    /// order, or by an edge.
    pub(crate) fn is_ordered_behind(&self, event: EventId, process: ProcessId, index: u32) -> bool {
        self.clocks.get(event as usize, Row::ProgramOrder, process.index()) >= index
    }

    /// Returns whether `earlier` is before `later` in `(po ∪ rf)⁺`, or is the same event.
    #[inline]
    pub(crate) fn is_in_prefix(&self, earlier: EventId, later: EventId) -> bool {
        self.is_covered(earlier, later, Row::Prefix)
    }

    /// Returns the event whose clocks the next event of a process begins with. There is none if that is
    /// its first event, or if an edge leads to it.
    fn clock_of_next(&self, process: ProcessId) -> Option<EventId> {
        let previous = *self.events_of(process).last()?;
        let mut new = self.edges.iter().rev().take_while(|edge| edge.at > previous);
        new.all(|edge| edge.to != process).then_some(previous)
    }

    /// Returns `true` only if the next event of a process must read from the last write to a location, or
    /// come behind it in coherence order: that write happens before the event, or a read from it does. If
    /// this is not known without a search, returns `false`.
    pub(crate) fn is_settled(&self, process: ProcessId, location: u32) -> bool {
        let accesses = &self.accesses[location as usize];
        let Some(last) = accesses.coherence.last().copied() else { return true };
        let Some(previous) = self.clock_of_next(process) else { return false };
        let is_before = |event: EventId| self.is_covered(event, previous, Row::HappensBefore);
        let mut recent = accesses.reads.iter().rev().take(4);
        is_before(last)
            || recent.any(|read| self.event(*read).reads_from == last && is_before(*read))
    }

    /// Returns `true` only if a write that a process adds next can revisit no read of a location: all of
    /// them are in its prefix.
    pub(crate) fn has_seen_reads(&self, process: ProcessId, location: u32) -> bool {
        let reads = &self.accesses[location as usize].reads;
        if reads.is_empty() {
            return true;
        }
        let previous = self.clock_of_next(process);
        previous.is_some_and(|last| reads.iter().all(|read| self.is_in_prefix(*read, last)))
    }

    /// Returns the location with this range, and adds it if it is not there, or is retired.
    pub(crate) fn intern(&mut self, location: Location) -> u32 {
        let is_current = |place: &usize| {
            self.locations[*place] == location && self.accesses[*place].retired_by == INITIAL
        };
        let slot = self.recent.slot(location);
        let recent = self.recent.places[slot] as usize;
        if recent < self.locations.len() && is_current(&recent) {
            return recent as u32;
        }
        if let Some(place) = (0..self.locations.len()).find(is_current) {
            self.recent.places[slot] = place as u32;
            return place as u32;
        }
        let new = self.locations.len() as u32;
        let overlaps = |other: &u32| self.locations[*other as usize].overlaps(location);
        let overlapping: Vec<u32> = (0..new).filter(overlaps).collect();
        for other in &overlapping {
            self.accesses[*other as usize].overlapping.push(new);
        }
        self.locations.push(location);
        self.accesses.push(Accesses {
            initial: 0,
            coherence: Vec::new(),
            reads: Vec::new(),
            plain: 0,
            overlapping,
            retired_by: INITIAL,
        });
        new
    }

    /// Returns the other locations that have a part of the range of a location in common.
    #[inline]
    pub fn overlapping(&self, location: u32) -> &[u32] {
        &self.accesses[location as usize].overlapping
    }

    /// Returns whether there is a plain access to a location.
    pub(crate) fn has_plain_accesses(&self, location: u32) -> bool {
        self.accesses[location as usize].plain > 0
    }

    /// Returns whether there is no access to a location.
    pub(crate) fn is_unused(&self, location: u32) -> bool {
        self.accesses[location as usize].is_unused()
    }

    /// Retires the locations that a write overlaps with.
    fn retire(&mut self, location: u32, write: EventId) {
        for at in 0..self.accesses[location as usize].overlapping.len() {
            let other = self.accesses[location as usize].overlapping[at];
            let other = &mut self.accesses[other as usize];
            if other.retired_by == INITIAL && !other.is_unused() {
                other.retired_by = write;
            }
        }
    }

    /// Undoes [`retire`](Self::retire).
    fn restore(&mut self, location: u32, write: EventId) {
        for at in 0..self.accesses[location as usize].overlapping.len() {
            let other = self.accesses[location as usize].overlapping[at];
            let other = &mut self.accesses[other as usize];
            if other.retired_by == write {
                other.retired_by = INITIAL;
            }
        }
    }

    /// Sets the initial value of a location.
    pub(crate) fn set_initial(&mut self, location: u32, value: u64) {
        self.accesses[location as usize].initial = value;
    }

    /// Adds an event behind all others: a write at a position in coherence order. Its rank in its
    /// process is computed.
    pub(crate) fn push(&mut self, event: Event, position: usize, model: &dyn Model) -> EventId {
        let id = self.events.len() as EventId;
        let process = event.process.index();
        if process >= self.processes.len() {
            self.processes.resize_with(process + 1, Vec::new);
        }
        self.widen(process + 1);
        let previous = self.processes[process].last().copied();
        let index = previous.map_or(0, |previous| self.event(previous).index) + 1;
        self.processes[process].push(id);
        let latest = self.events.last().map_or(event.stamp, |last| last.latest.max(event.stamp));
        self.events.push(Event { index, latest, ..event });
        let block = match previous {
            None => self.clocks.push(),
            Some(previous) => {
                let block = self.clocks.push_copy(previous as usize);
                self.clocks.clear(block, Row::Released);
                block
            }
        };
        debug_assert_eq!(block, id as usize);
        self.receive_edges(event.process, previous, block);
        for row in [Row::ProgramOrder, Row::Prefix, Row::HappensBefore] {
            self.clocks.set(block, row, process, index);
        }
        match event.kind {
            Kind::Read => self.push_read(id, model),
            Kind::Write => self.push_write(id, previous, position, model),
            Kind::Fence => self.push_fence(id, model),
            Kind::Choice => {}
        }
        id
    }

    fn push_read(&mut self, id: EventId, model: &dyn Model) {
        let Event { location, reads_from, ordering, .. } = *self.event(id);
        let accesses = &mut self.accesses[location as usize];
        accesses.reads.push(id);
        accesses.plain += u32::from(ordering.is_none());
        if reads_from == INITIAL {
            return;
        }
        let (block, write) = (id as usize, reads_from as usize);
        self.clocks.join((block, Row::Prefix), (write, Row::Prefix));
        let Some(ordering) = ordering else { return };
        self.clocks.join((block, Row::Acquirable), (write, Row::Released));
        if model.counts_as(ordering).is_acquire() {
            self.clocks.join((block, Row::HappensBefore), (write, Row::Released));
        }
    }

    fn push_write(
        &mut self,
        id: EventId,
        previous: Option<EventId>,
        position: usize,
        model: &dyn Model,
    ) {
        let Event { location, ordering, is_exclusive, .. } = *self.event(id);
        let accesses = &mut self.accesses[location as usize];
        accesses.coherence.insert(position - 1, id);
        accesses.plain += u32::from(ordering.is_none());
        self.renumber(location, position - 1);
        self.retire(location, id);
        let Some(ordering) = ordering else { return };
        let block = id as usize;
        let released = match model.counts_as(ordering).is_release() {
            true => Row::HappensBefore,
            false => Row::Fenced,
        };
        self.clocks.join((block, Row::Released), (block, released));
        // A read-modify-write continues the release sequence of the write that it reads from.
        if let Some(read) = previous.filter(|_| is_exclusive) {
            let source = self.event(read).reads_from;
            if source != INITIAL {
                self.clocks.join((block, Row::Released), (source as usize, Row::Released));
            }
        }
    }

    /// Sets the positions of the writes to a location from a place in coherence order on.
    fn renumber(&mut self, location: u32, from: usize) {
        for (place, write) in
            self.accesses[location as usize].coherence.iter().enumerate().skip(from)
        {
            self.events[*write as usize].position = place as u32 + 1;
        }
    }

    fn push_fence(&mut self, id: EventId, model: &dyn Model) {
        let Some(ordering) = self.event(id).ordering else { return };
        let (block, ordering) = (id as usize, model.counts_as(ordering));
        if ordering.is_acquire() {
            self.clocks.join((block, Row::HappensBefore), (block, Row::Acquirable));
        }
        if ordering.is_release() {
            self.clocks.join((block, Row::Fenced), (block, Row::HappensBefore));
        }
    }

    fn widen(&mut self, processes: usize) {
        self.clocks.widen(processes);
        self.edge_clocks.widen(processes);
    }

    /// Joins what was passed on to a process since its `previous` event into a new one.
    fn receive_edges(&mut self, process: ProcessId, previous: Option<EventId>, block: usize) {
        for edge in (0..self.edges.len()).rev() {
            let Passed { at, to } = self.edges[edge];
            if previous.is_some_and(|previous| at <= previous) {
                break;
            }
            if to == process {
                for row in [Row::ProgramOrder, Row::Prefix, Row::HappensBefore] {
                    for other in 0..self.processes.len() {
                        let theirs = self.edge_clocks.get(edge, row, other);
                        let mine = self.clocks.get(block, row, other);
                        self.clocks.set(block, row, other, mine.max(theirs));
                    }
                }
            }
        }
    }

    /// Notes that all that `from` has done is before what `to` does next.
    pub(crate) fn pass_on(&mut self, from: ProcessId, to: ProcessId) {
        self.widen(from.index().max(to.index()) + 1);
        let at = self.events.len() as u32;
        let new = self.edge_clocks.push();
        let previous = self.events_of(from).last().copied();
        for row in [Row::ProgramOrder, Row::Prefix, Row::HappensBefore] {
            for other in 0..self.processes.len() {
                let mut covers =
                    previous.map_or(0, |last| self.clocks.get(last as usize, row, other));
                for (edge, passed) in self.edges.iter().enumerate() {
                    if passed.to == from && previous.is_none_or(|previous| passed.at > previous) {
                        covers = covers.max(self.edge_clocks.get(edge, row, other));
                    }
                }
                self.edge_clocks.set(new, row, other, covers);
            }
        }
        self.edges.push(Passed { at, to });
    }

    /// Sets the value of an event.
    pub(crate) fn set_value(&mut self, event: EventId, value: u64) {
        self.events[event as usize].value = value;
    }

    /// Sets the step of all events from `first` on.
    pub(crate) fn set_step(&mut self, first: EventId, step: u32) {
        self.events[first as usize..].iter_mut().for_each(|event| event.step = step);
    }

    /// Goes back to the first `len` events, and to the edges that were there before the next one was
    /// added.
    pub(crate) fn truncate(&mut self, len: usize, edges: usize) {
        while self.events.len() > len {
            let event = self.events.pop().expect("there are more events");
            let id = self.events.len() as EventId;
            self.processes[event.process.index()].pop();
            if let Some(location) = event.location_if_memory() {
                self.accesses[location as usize].plain -= u32::from(event.ordering.is_none());
            }
            match event.kind {
                Kind::Read => {
                    self.accesses[event.location as usize].reads.pop();
                }
                Kind::Write => {
                    let place = event.position as usize - 1;
                    self.accesses[event.location as usize].coherence.remove(place);
                    self.renumber(event.location, place);
                    self.restore(event.location, id);
                }
                Kind::Fence | Kind::Choice => {}
            }
        }
        self.clocks.truncate(len);
        self.edges.truncate(edges);
        self.edge_clocks.truncate(edges);
    }

    /// Returns a stamp that is later than all others.
    pub(crate) fn next_stamp(&self) -> u32 {
        self.events.last().map_or(0, |last| last.latest + 1).max(self.least_stamp)
    }

    /// Returns how many edges there are.
    pub(crate) fn edges(&self) -> usize {
        self.edges.len()
    }

    /// Makes this the restriction of another graph to the events that are `kept`. These contain the
    /// prefix of each of them. Returns by `names` the new name of each event that is kept.
    pub(crate) fn restrict(&mut self, other: &Graph, kept: &[bool], names: &mut Vec<EventId>) {
        self.events.clear();
        self.edges.clear();
        self.processes.iter_mut().for_each(Vec::clear);
        self.locations.clone_from(&other.locations);
        self.accesses.clone_from(&other.accesses);
        for accesses in &mut self.accesses {
            accesses.reads.clear();
            accesses.plain = 0;
            accesses.retired_by = INITIAL;
        }
        self.processes.resize_with(other.processes.len(), Vec::new);
        self.clocks.copy_width(&other.clocks);
        self.edge_clocks.copy_width(&other.edge_clocks);
        self.least_stamp = other.least_stamp;
        names.clear();
        for (id, event) in other.events.iter().enumerate() {
            names.push(match kept[id] {
                true => self.events.len() as EventId,
                false => INITIAL,
            });
            if !kept[id] {
                continue;
            }
            let new = self.events.len() as EventId;
            let reads_from = match event.reads_from {
                INITIAL => INITIAL,
                write => names[write as usize],
            };
            let latest = self.events.last().map_or(event.stamp, |l| l.latest.max(event.stamp));
            self.events.push(Event { reads_from, latest, ..*event });
            self.clocks.push_from(&other.clocks, id);
            self.processes[event.process.index()].push(new);
            if let Some(location) = event.location_if_memory() {
                let accesses = &mut self.accesses[location as usize];
                accesses.plain += u32::from(event.ordering.is_none());
                if event.kind == Kind::Read {
                    accesses.reads.push(new);
                }
            }
        }
        for location in 0..self.accesses.len() {
            let coherence = &mut self.accesses[location].coherence;
            coherence.retain(|write| kept[*write as usize]);
            coherence.iter_mut().for_each(|write| *write = names[*write as usize]);
            self.renumber(location as u32, 0);
        }
        if other.accesses.iter().any(|accesses| accesses.retired_by != INITIAL) {
            for location in 0..self.accesses.len() {
                let retired_by = other.accesses[location].retired_by;
                if retired_by != INITIAL && kept[retired_by as usize] {
                    self.accesses[location].retired_by = names[retired_by as usize];
                }
            }
        }
        for (edge, passed) in other.edges.iter().enumerate() {
            let before = &kept[..(passed.at as usize).min(kept.len())];
            let at = before.iter().filter(|kept| **kept).count() as u32;
            self.edges.push(Passed { at, ..*passed });
            self.edge_clocks.push_from(&other.edge_clocks, edge);
        }
    }

    /// Leaves out the edges that a process received after an event, which it is to perform anew. Names
    /// the event as in the graph `other` that this one is [restricted](Self::restrict) from.
    pub(crate) fn forget_edges_after(&mut self, other: &Graph, event: EventId) {
        let process = other.event(event).process;
        let is_later = |passed: &Passed| passed.to == process && passed.at > event;
        if !other.edges.iter().any(is_later) {
            return;
        }
        let edges = std::mem::take(&mut self.edges);
        self.edge_clocks.truncate(0);
        for (edge, passed) in edges.into_iter().enumerate() {
            if !is_later(&other.edges[edge]) {
                self.edges.push(passed);
                self.edge_clocks.push_from(&other.edge_clocks, edge);
            }
        }
    }

    /// Returns the lowest position in coherence order that a new event of a process may have that reads
    /// from a location, or that is read from there: that of the last write that happens before `event`,
    /// or that an event which happens before `event` reads from.
    pub(crate) fn floor(&self, event: EventId) -> usize {
        let location = self.event(event).location;
        let accesses = &self.accesses[location as usize];
        let mut floor = 0;
        for (place, write) in accesses.coherence.iter().enumerate().rev() {
            if self.happens_before(*write, event) {
                floor = place + 1;
                break;
            }
        }
        for read in &accesses.reads {
            let position = self.position_of(*read);
            if position > floor && self.happens_before(*read, event) {
                floor = position;
            }
        }
        floor
    }

    /// Returns whether an exclusive read reads from the write at a position of a location.
    pub(crate) fn is_read_exclusively(
        &self,
        location: u32,
        write: EventId,
        except: EventId,
    ) -> bool {
        self.reads(location).iter().any(|read| {
            let event = self.event(*read);
            *read != except && event.is_exclusive && event.reads_from == write
        })
    }
}

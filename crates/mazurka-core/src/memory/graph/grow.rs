//! Adding events to a graph, and removing the last ones.

use super::super::Model;
use super::super::clocks::Row;
use super::{Event, EventId, Graph, INITIAL, Kind};

impl Graph {
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
        self.has_arrivals |= event.is_arrival;
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
        self.push_twin(id);
        id
    }

    fn push_read(&mut self, id: EventId, model: &dyn Model) {
        let Event { location, reads_from, ordering, is_arrival, .. } = *self.event(id);
        let accesses = &mut self.accesses[location as usize];
        accesses.reads.push(id);
        accesses.plain += u32::from(ordering.is_none());
        if reads_from == INITIAL {
            return;
        }
        let (block, write) = (id as usize, reads_from as usize);
        // A prefix contains the prefixes of its events.
        if !self.is_in_prefix(reads_from, id) {
            self.clocks.join((block, Row::Prefix), (write, Row::Prefix));
        }
        // An arrival at a barrier must be behind that write without reading from it.
        let Some(ordering) = ordering.filter(|_| !is_arrival) else { return };
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

    pub(super) fn widen(&mut self, processes: usize) {
        self.clocks.widen(processes);
        self.edge_clocks.widen(processes);
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
        self.twins.truncate(len);
        self.edges.truncate(edges);
        self.edge_clocks.truncate(edges);
    }

    /// Returns a stamp that is later than all others.
    pub(crate) fn next_stamp(&self) -> u32 {
        self.events.last().map_or(0, |last| last.latest + 1).max(self.least_stamp)
    }
}

//! The part of a graph that remains when a read is revisited.

use super::edges::Passed;
use super::locations::Accesses;
use super::{Event, EventId, Graph, INITIAL, Kind};

impl Graph {
    /// Makes this the restriction of another graph to the events that are `kept`. These contain the
    /// prefix of each of them. Returns by `names` the new name of each event that is kept.
    pub(crate) fn restrict(&mut self, other: &Graph, kept: &[bool], names: &mut Vec<EventId>) {
        self.events.clear();
        self.edges.clear();
        self.processes.iter_mut().for_each(Vec::clear);
        self.locations.clone_from(&other.locations);
        self.processes.resize_with(other.processes.len(), Vec::new);
        self.edge_clocks.copy_prefix(&other.edge_clocks, other.edges.len());
        self.least_stamp = other.least_stamp;
        self.has_arrivals = other.has_arrivals;
        self.twins.restart(&other.twins);
        let prefix = kept.iter().position(|kept| !kept).unwrap_or(kept.len());
        self.copy_prefix(other, prefix);
        names.clear();
        names.extend(0..prefix as EventId);
        for (id, event) in other.events.iter().enumerate().skip(prefix) {
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
            self.twins.push_from(&other.twins, id);
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
            let removed = coherence.iter().position(|write| !kept[*write as usize]);
            if removed.is_some() {
                coherence.retain(|write| kept[*write as usize]);
            }
            coherence.iter_mut().for_each(|write| *write = names[*write as usize]);
            if let Some(removed) = removed {
                self.renumber(location as u32, removed);
            }
        }
        if other.accesses.iter().any(|accesses| accesses.retired_by != INITIAL) {
            for location in 0..self.accesses.len() {
                if let Some(write) = first_kept_retirement(other, location, kept) {
                    self.accesses[location].retired_by = names[write as usize];
                }
            }
        }
        for passed in &other.edges {
            let removed = &kept[prefix..(passed.at as usize).clamp(prefix, kept.len())];
            let removed = removed.iter().filter(|kept| !**kept).count() as u32;
            self.edges.push(Passed { at: passed.at - removed, ..*passed });
        }
    }

    /// Copies the first events of another graph, and all of its coherence order. Their names stay the same.
    fn copy_prefix(&mut self, other: &Graph, prefix: usize) {
        self.events.extend_from_slice(&other.events[..prefix]);
        self.clocks.copy_prefix(&other.clocks, prefix);
        self.twins.copy_prefix(&other.twins, prefix);
        let first = |events: &[EventId]| events.partition_point(|e| (*e as usize) < prefix);
        for (events, others) in self.processes.iter_mut().zip(&other.processes) {
            events.extend_from_slice(&others[..first(others)]);
        }
        self.accesses.truncate(other.accesses.len());
        for (location, theirs) in other.accesses.iter().enumerate() {
            if location == self.accesses.len() {
                self.accesses.push(Accesses::default());
            }
            let accesses = &mut self.accesses[location];
            accesses.initial = theirs.initial;
            accesses.coherence.clone_from(&theirs.coherence);
            accesses.reads.clear();
            accesses.reads.extend_from_slice(&theirs.reads[..first(&theirs.reads)]);
            accesses.plain = 0;
            // Most locations overlap with no other one.
            if accesses.overlapping.len() + theirs.overlapping.len() > 0 {
                accesses.overlapping.clone_from(&theirs.overlapping);
            }
            accesses.retired_by = INITIAL;
        }
        for event in &self.events {
            if let Some(location) = event.location_if_memory() {
                self.accesses[location as usize].plain += u32::from(event.ordering.is_none());
            }
        }
    }
}

/// Returns the first write that is kept of those that retire a location of a graph.
fn first_kept_retirement(graph: &Graph, location: usize, kept: &[bool]) -> Option<EventId> {
    let Accesses { retired_by, overlapping, .. } = &graph.accesses[location];
    if *retired_by == INITIAL || kept[*retired_by as usize] {
        return Some(*retired_by).filter(|write| *write != INITIAL);
    }
    let writes = overlapping.iter().flat_map(|other| graph.coherence(*other));
    writes.copied().filter(|write| write > retired_by && kept[*write as usize]).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{self, MemoryModel};
    use crate::model::{Location, ObjectId, ProcessId};

    /// Adds a plain write to a range of memory, and returns its location.
    fn write(graph: &mut Graph, process: usize, start: u32, len: u32) -> u32 {
        let location = graph.intern(Location { object: ObjectId(1), start, len });
        let event = Event::new(ProcessId::new(process), Kind::Write, location);
        let event = Event { stamp: graph.next_stamp(), ..event };
        let position = graph.coherence(location).len() + 1;
        graph.push(event, position, memory::model(MemoryModel::Rc11));
        location
    }

    #[test]
    fn a_location_is_current_again_without_the_write_that_retired_it() {
        let mut graph = Graph::default();
        let whole = write(&mut graph, 0, 0, 4);
        write(&mut graph, 0, 1, 1);
        let successor = write(&mut graph, 0, 0, 4);
        assert_ne!(successor, whole);
        graph.truncate(1, 0);
        assert_eq!(write(&mut graph, 0, 0, 4), whole);
    }

    #[test]
    fn a_location_is_retired_by_the_first_write_that_is_kept() {
        let mut graph = Graph::default();
        let whole = write(&mut graph, 0, 0, 4);
        write(&mut graph, 1, 1, 1);
        write(&mut graph, 2, 2, 1);
        let mut rest = Graph::default();
        rest.restrict(&graph, &[true, false, true], &mut Vec::new());
        assert_eq!(rest.accesses[whole as usize].retired_by, 1);
        rest.restrict(&graph, &[true, false, false], &mut Vec::new());
        assert_eq!(rest.accesses[whole as usize].retired_by, INITIAL);
    }
}

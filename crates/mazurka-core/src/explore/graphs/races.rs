//! Data races, and the synchronisation that they lack.

use super::{Graphs, Taken};
use crate::execution::Race;
use crate::memory::{Event, EventId, Graph, INITIAL, Kind, NO_STEP};
use crate::model::{Action, MemoryOrdering, MissingSynchronisation};

impl Graphs {
    /// Notes a data race of the end of a block of memory with an access to it.
    pub(super) fn find_race_with_end(&mut self, taken: Taken, action: &Action) {
        if !self.model.has_data_races() {
            return;
        }
        let graph = &self.lineage().graph;
        let races = |id: &EventId| {
            let event = graph.event(*id);
            *id < taken.first
                && event.process != taken.step.process
                && event.step != NO_STEP
                && !graph.happens_before(*id, taken.first)
        };
        let first = |location: u32| {
            let accesses = graph.coherence(location).iter().chain(graph.reads(location));
            accesses.copied().filter(races).min()
        };
        let is_ended = |location: &u32| graph.location(*location).overlaps(action.on);
        let ended = (0..graph.locations()).filter(is_ended);
        if let Some(other) = ended.filter_map(first).min() {
            self.race = Some(race(graph, other, taken.first));
            self.has_raced = true;
        }
    }

    /// Notes a data race of the events of a step with earlier ones.
    pub(super) fn find_race(&mut self, taken: Taken) {
        if !self.model.has_data_races() {
            return;
        }
        let graph = &self.lineage().graph;
        for id in taken.first..taken.first + taken.events {
            let Some(location) = graph.event(id).location_if_memory() else { continue };
            let mut other = self.racing(taken, id, location);
            for overlapping in graph.overlapping(location) {
                other = other.or_else(|| self.racing(taken, id, *overlapping));
            }
            if let Some(other) = other {
                self.race = Some(race(graph, other, id));
                self.has_raced = true;
                return;
            }
        }
    }

    /// Returns an access to a location, before a step, with which an event of the step has a data race.
    fn racing(&self, taken: Taken, id: EventId, location: u32) -> Option<EventId> {
        let graph = &self.lineage().graph;
        let event = graph.event(id);
        if event.ordering.is_some() && !graph.has_plain_accesses(location) {
            return None;
        }
        let races = |other: &EventId| {
            let earlier = graph.event(*other);
            *other < taken.first
                && earlier.step != NO_STEP
                && earlier.process != event.process
                && (earlier.ordering.is_none() || event.ordering.is_none())
                && (earlier.changes() || event.changes())
                && !graph.happens_before(*other, id)
        };
        // Accesses before it need not be looked at.
        let first = match self.has_raced {
            true => 0,
            false => first_unordered(graph, location, id),
        };
        let (writes, reads) = (graph.coherence(location), graph.reads(location));
        let from = match graph.is_run_in_order(location) {
            true => writes.partition_point(|write| *write < first),
            false => 0,
        };
        let mut later = writes[from..].iter().copied();
        let racing_write = later.find(|write| *write >= first && races(write));
        racing_write.or_else(|| {
            let from = reads.partition_point(|read| *read < first);
            reads[from..].iter().copied().find(races)
        })
    }

    /// Returns an earlier access that conflicts with an event of a step, has another size, and does not
    /// happen before it.
    pub(super) fn conflict_of_sizes(&self, taken: Taken) -> Option<EventId> {
        let graph = &self.lineage().graph;
        (taken.first..taken.first + taken.events).find_map(|id| {
            let event = graph.event(id);
            let location = event.location_if_memory()?;
            if graph.overlapping(location).is_empty() {
                return None;
            }
            let conflicts = |other: &EventId| {
                let earlier = graph.event(*other);
                *other < taken.first
                    && (earlier.changes() || event.changes())
                    && !graph.happens_before(*other, id)
            };
            let conflict = |other: &u32| {
                graph.coherence(*other).iter().chain(graph.reads(*other)).copied().find(conflicts)
            };
            // A location that is retired has the same range.
            let overlapping = graph.overlapping(location);
            let is_other = |other: &&u32| graph.location(**other) != graph.location(location);
            let others = overlapping.iter().filter(is_other);
            others.chain(overlapping).find_map(conflict)
        })
    }
}

/// Returns an event such that all earlier accesses to a location happen before an event, if the graph had no
/// data races without the event. A plain write conflicts with all earlier accesses, so that these happen
/// before it.
fn first_unordered(graph: &Graph, location: u32, event: EventId) -> EventId {
    let ordered = graph.coherence(location).iter().rev().find(|write| {
        graph.event(**write).ordering.is_none() && graph.happens_before(**write, event)
    });
    ordered.map_or(0, |write| write + 1)
}

/// Returns a race, and the synchronisation that would order the two events.
fn race(graph: &Graph, first: EventId, second: EventId) -> (Race, Option<MissingSynchronisation>) {
    (Race::new(graph.event(first).step, graph.event(second).step), missing(graph, first, second))
}

/// Returns a write after `first` in program order, and a read before `second` in program order that reads
/// from it, where the write does not release or the read does not acquire.
fn missing(graph: &Graph, first: EventId, second: EventId) -> Option<MissingSynchronisation> {
    let reader = graph.events_of(graph.event(second).process).iter().rev();
    let mut reads = reader.filter(|read| {
        let event = graph.event(**read);
        event.kind == Kind::Read && **read < second && event.ordering.is_some()
    });
    reads.find_map(|read| {
        let load = graph.event(*read);
        let write = source_after(graph, first, load.reads_from)?;
        let store = graph.event(write);
        let orders =
            |event: &Event, has: fn(MemoryOrdering) -> bool| event.ordering.is_some_and(has);
        let is_store_weak = !orders(store, MemoryOrdering::is_release);
        let is_load_weak = !orders(load, MemoryOrdering::is_acquire);
        (is_store_weak || is_load_weak).then_some(MissingSynchronisation {
            store: store.step as usize,
            load: load.step as usize,
            is_store_weak,
            is_load_weak,
        })
    })
}

/// Returns the write of the release sequence of `write` that comes after `first` in program order.
fn source_after(graph: &Graph, first: EventId, write: EventId) -> Option<EventId> {
    let mut write = write;
    loop {
        if write == INITIAL {
            return None;
        }
        if graph.event(write).process == graph.event(first).process && first < write {
            return Some(write);
        }
        if !graph.event(write).is_exclusive {
            return None;
        }
        write = graph.event(write - 1).reads_from;
    }
}

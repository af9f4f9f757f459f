//! The part of a graph that remains when a read is revisited.

use super::edges::Passed;
use super::{Event, EventId, Graph, INITIAL, Kind};

impl Graph {
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
}

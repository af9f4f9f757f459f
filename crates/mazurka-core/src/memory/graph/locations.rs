//! The locations of a graph, and the accesses to each.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::{EventId, Graph, INITIAL};
use crate::model::Location;

/// The accesses to one location.
#[derive(Clone, Debug)]
pub(super) struct Accesses {
    /// The value at the start.
    pub(super) initial: u64,
    /// The writes, in coherence order, without the initial one.
    pub(super) coherence: Vec<EventId>,
    pub(super) reads: Vec<EventId>,
    /// How many of the accesses are plain.
    pub(super) plain: u32,
    /// The other locations that have a part of their range in common.
    pub(super) overlapping: Vec<u32>,
    /// The first write to one of these locations after the accesses, or [`INITIAL`].
    pub(super) retired_by: EventId,
}

impl Default for Accesses {
    fn default() -> Self {
        Accesses {
            initial: 0,
            coherence: Vec::new(),
            reads: Vec::new(),
            plain: 0,
            overlapping: Vec::new(),
            retired_by: INITIAL,
        }
    }
}

impl Accesses {
    fn is_unused(&self) -> bool {
        self.coherence.is_empty() && self.reads.is_empty()
    }
}

/// Where locations were found last. An entry may be out of date.
#[derive(Clone, Debug)]
pub(super) struct Recent {
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

impl Graph {
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

    /// Returns the location with this range, and adds it if it is not there, or is retired.
    ///
    /// When the write that retired a location is removed, its successor remains, without accesses. So a
    /// location that has accesses comes first.
    pub(crate) fn intern(&mut self, location: Location) -> u32 {
        let is_current = |place: &usize| self.is_current(*place as u32, location);
        let is_in_use = |place: &usize| is_current(place) && !self.accesses[*place].is_unused();
        let slot = self.recent.slot(location);
        let recent = self.recent.places[slot] as usize;
        if recent < self.locations.len() && is_in_use(&recent) {
            return recent as u32;
        }
        let mut all = 0..self.locations.len();
        if let Some(place) = all.clone().find(is_in_use).or_else(|| all.find(is_current)) {
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
        self.accesses.push(Accesses { overlapping, ..Accesses::default() });
        new
    }

    /// Returns whether a location has this range, and is not retired.
    #[inline]
    pub(crate) fn is_current(&self, location: u32, range: Location) -> bool {
        self.locations[location as usize] == range
            && self.accesses[location as usize].retired_by == INITIAL
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
    pub(super) fn retire(&mut self, location: u32, write: EventId) {
        for at in 0..self.accesses[location as usize].overlapping.len() {
            let other = self.accesses[location as usize].overlapping[at];
            let other = &mut self.accesses[other as usize];
            if other.retired_by == INITIAL && !other.is_unused() {
                other.retired_by = write;
            }
        }
    }

    /// Undoes [`retire`](Self::retire).
    pub(super) fn restore(&mut self, location: u32, write: EventId) {
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

    /// Returns `true` only if the writes to a location have a single order: they are a
    /// [chain](super::Event::ends_chain).
    pub(crate) fn is_chain(&self, location: u32) -> bool {
        let last = self.coherence(location).last();
        last.is_none_or(|last| self.events[*last as usize].ends_chain)
    }

    /// Returns whether the writes to a location were run in coherence order.
    pub(crate) fn is_run_in_order(&self, location: u32) -> bool {
        let writes = self.coherence(location);
        let is_in_order = writes.last().is_none_or(|last| self.event(*last).ends_run);
        debug_assert_eq!(is_in_order, writes.is_sorted());
        is_in_order
    }

    /// Returns whether happens-before and atomicity force a write to come behind another one: that write, or
    /// one that read-modify-writes lead from to that write, happens before it. Nothing comes between a
    /// read-modify-write and the write that it reads from.
    fn comes_behind(&self, other: EventId, write: EventId) -> bool {
        let mut source = other;
        while source != INITIAL && !self.happens_before(source, write) {
            if !self.event(source).is_exclusive {
                return false;
            }
            source = self.event(source - 1).reads_from;
        }
        true
    }

    /// Sets the coherence order of a location.
    pub(in crate::memory) fn set_coherence(&mut self, location: u32, writes: &[EventId]) {
        let coherence = &mut self.accesses[location as usize].coherence;
        coherence.clear();
        coherence.extend_from_slice(writes);
        self.is_reordered = true;
        self.renumber(location, 0);
    }

    /// Sets the positions of the writes to a location from a place in coherence order on.
    pub(super) fn renumber(&mut self, location: u32, from: usize) {
        for place in from..self.accesses[location as usize].coherence.len() {
            let coherence = &self.accesses[location as usize].coherence;
            let write = coherence[place];
            let (ends_chain, ends_run) = match place.checked_sub(1).map(|before| coherence[before])
            {
                None => (true, true),
                Some(previous) => {
                    let is_next = || {
                        self.event(write).is_exclusive
                            && self.event(write - 1).reads_from == previous
                    };
                    let before = self.event(previous);
                    let ends_chain =
                        before.ends_chain && (self.comes_behind(previous, write) || is_next());
                    (ends_chain, before.ends_run && previous < write)
                }
            };
            let event = &mut self.events[write as usize];
            event.position = place as u32 + 1;
            (event.ends_chain, event.ends_run) = (ends_chain, ends_run);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Event, Kind};
    use super::*;
    use crate::memory::{self, MemoryModel};
    use crate::model::{MemoryOrdering, ObjectId, ProcessId};

    /// Adds an access, a write as the last one, and returns its event.
    fn push(graph: &mut Graph, process: usize, kind: Kind, reads_from: Option<EventId>) -> EventId {
        let location = graph.intern(Location { object: ObjectId(1), start: 0, len: 4 });
        let event = Event {
            ordering: Some(MemoryOrdering::Relaxed),
            is_exclusive: reads_from.is_some(),
            reads_from: reads_from.unwrap_or(INITIAL),
            stamp: graph.next_stamp(),
            ..Event::new(ProcessId::new(process), kind, location)
        };
        let position = graph.coherence(location).len() + 1;
        graph.push(event, position, memory::model(MemoryModel::Rc11))
    }

    /// Adds a read-modify-write, and returns its write.
    fn update(graph: &mut Graph, process: usize, reads_from: EventId) -> EventId {
        push(graph, process, Kind::Read, Some(reads_from));
        push(graph, process, Kind::Write, Some(INITIAL))
    }

    /// As in a lock whose holder stores after other threads have exchanged in vain.
    #[test]
    fn a_write_comes_behind_the_updates_of_an_earlier_write() {
        let mut graph = Graph::default();
        let first = update(&mut graph, 0, INITIAL);
        let second = update(&mut graph, 1, first);
        update(&mut graph, 2, second);
        push(&mut graph, 0, Kind::Write, None);
        assert!(graph.is_chain(0));
        push(&mut graph, 3, Kind::Write, None);
        assert!(!graph.is_chain(0));
    }

    #[test]
    fn a_write_does_not_come_behind_the_updates_of_an_unordered_write() {
        let mut graph = Graph::default();
        let first = push(&mut graph, 0, Kind::Write, None);
        update(&mut graph, 1, first);
        assert!(graph.is_chain(0));
        push(&mut graph, 2, Kind::Write, None);
        assert!(!graph.is_chain(0));
    }
}

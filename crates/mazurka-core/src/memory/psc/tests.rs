use super::*;
use crate::memory::coherence::is_coherent;
use crate::memory::{self, Event, MemoryModel};
use crate::model::{Location, ObjectId};

/// A graph under RC11, which grows by events that are the last ones of their processes.
#[derive(Default)]
struct Growing {
    graph: Graph,
}

impl Growing {
    fn push(&mut self, event: Event, position: usize) -> EventId {
        let stamp = self.graph.next_stamp();
        self.graph.push(Event { stamp, ..event }, position, memory::model(MemoryModel::Rc11))
    }

    fn event(&mut self, process: usize, kind: Kind, on: u32, ordering: MemoryOrdering) -> Event {
        let location = Location { object: ObjectId(on), start: 0, len: 4 };
        let event = Event::new(ProcessId::new(process), kind, self.graph.intern(location));
        Event { ordering: Some(ordering), ..event }
    }

    fn fence(&mut self, process: usize) {
        let event = self.event(process, Kind::Fence, 0, MemoryOrdering::SeqCst);
        self.push(event, 0);
    }

    /// Adds a write that comes last in coherence order.
    fn write(&mut self, process: usize, on: u32, ordering: MemoryOrdering) -> EventId {
        let event = self.event(process, Kind::Write, on, ordering);
        let position = self.graph.coherence(event.location).len() + 1;
        self.push(event, position)
    }

    fn read(&mut self, process: usize, on: u32, ordering: MemoryOrdering, from: EventId) {
        let event = self.event(process, Kind::Read, on, ordering);
        self.push(Event { reads_from: from, ..event }, 0);
    }

    /// Returns whether the last event is on a cycle. It is if there is one in the whole graph.
    fn gets_cycle(&self) -> bool {
        let graph = &self.graph;
        let found = gets_cycle(graph, graph.events().len() as EventId - 1);
        assert_eq!(has_cycle(graph, |a, b| is_before(graph, a, b)), found);
        assert_eq!(pairs::has_cycle(graph, &|a, b| is_before(graph, a, b)), found);
        found
    }
}

use MemoryOrdering::{Acquire, Relaxed, Release, SeqCst};

const X: u32 = 1;
const Y: u32 = 2;
const Z: u32 = 3;

/// Returns whether store buffering with a fence in the first process is forbidden, if the second one has
/// a fence, too, or else accesses with these orderings.
fn forbids_store_buffering(second: Option<(MemoryOrdering, MemoryOrdering)>) -> bool {
    let mut graph = Growing::default();
    graph.write(0, X, Relaxed);
    graph.fence(0);
    graph.read(0, Y, Relaxed, INITIAL);
    let (store, load) = second.unwrap_or((Relaxed, Relaxed));
    graph.write(1, Y, store);
    if second.is_none() {
        graph.fence(1);
    }
    graph.read(1, X, load, INITIAL);
    graph.gets_cycle()
}

#[test]
fn fences_forbid_store_buffering() {
    assert!(forbids_store_buffering(None));
}

#[test]
fn a_fence_and_accesses_forbid_store_buffering() {
    assert!(forbids_store_buffering(Some((SeqCst, SeqCst))));
    for second in [(Relaxed, Relaxed), (Release, Acquire), (SeqCst, Acquire), (Release, SeqCst)] {
        assert!(!forbids_store_buffering(Some(second)), "{second:?}");
    }
}

/// Returns whether independent reads of independent writes may be seen in two orders, with fences in these
/// processes.
fn forbids_two_orders(fences: &[usize]) -> bool {
    let mut graph = Growing::default();
    let x = graph.write(0, X, Relaxed);
    let y = graph.write(1, Y, Relaxed);
    for (process, (first, second), from) in [(2, (X, Y), x), (3, (Y, X), y)] {
        graph.read(process, first, Acquire, from);
        if fences.contains(&process) {
            graph.fence(process);
        }
        graph.read(process, second, Acquire, INITIAL);
    }
    graph.gets_cycle()
}

#[test]
fn fences_between_reads_forbid_two_orders() {
    assert!(forbids_two_orders(&[2, 3]));
    assert!(!forbids_two_orders(&[2]));
}

#[test]
fn fences_forbid_opposite_coherence_orders() {
    let mut graph = Growing::default();
    graph.write(0, X, Relaxed);
    graph.fence(0);
    graph.write(0, Y, Relaxed);
    graph.write(1, Y, Relaxed);
    graph.fence(1);
    let write = graph.event(1, Kind::Write, X, Relaxed);
    graph.push(write, 1);
    assert!(graph.gets_cycle());
    let last = graph.graph.events().len() - 1;
    graph.graph.truncate(last, 0);
    graph.write(1, X, Relaxed);
    assert!(!graph.gets_cycle());
}

/// The write of the second process does not release what happens before it, so that `hb` does not lead from
/// the fence of the first process to that of the third. `hb;eco;hb` does.
#[test]
fn a_fence_precedes_another_one_by_a_relaxed_read() {
    let mut graph = Growing::default();
    graph.write(0, Y, Relaxed);
    graph.fence(0);
    let z = graph.write(0, Z, Release);
    graph.read(1, Z, Acquire, z);
    let x = graph.write(1, X, Relaxed);
    graph.read(2, X, Relaxed, x);
    graph.fence(2);
    assert!(!graph.gets_cycle());
    graph.read(2, Y, Relaxed, INITIAL);
    assert!(graph.gets_cycle());
}

/// A sequence of random numbers, by `splitmix64`.
struct Random(u64);

impl Random {
    /// Returns a number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn ordering(&mut self) -> MemoryOrdering {
        [Relaxed, Relaxed, Release, Acquire, SeqCst][self.below(5)]
    }
}

/// Adds random events for as long as `psc` stays acyclic. Returns whether it has got a cycle.
fn grow_until_cyclic(random: &mut Random) -> bool {
    let mut graph = Growing::default();
    let processes = 2 + random.below(3);
    while graph.graph.events().len() < 20 {
        let (process, on) = (random.below(processes), 1 + random.below(2) as u32);
        let ordering = random.ordering();
        let writes = |graph: &Growing, location: u32| graph.graph.coherence(location).to_vec();
        match random.below(8) {
            0..=2 => graph.fence(process),
            3..=5 => {
                let event = graph.event(process, Kind::Read, on, ordering);
                let writes = writes(&graph, event.location);
                // Old writes have successors.
                let place = random.below(writes.len() + 1).min(random.below(writes.len() + 1));
                let reads_from = place.checked_sub(1).map_or(INITIAL, |place| writes[place]);
                graph.push(Event { reads_from, ..event }, 0);
            }
            _ => {
                let event = graph.event(process, Kind::Write, on, ordering);
                let places = writes(&graph, event.location).len() + 1;
                let position = 1 + random.below(places).min(random.below(places));
                graph.push(event, position);
            }
        }
        let last = graph.graph.events().len() as EventId - 1;
        if !is_coherent(&graph.graph, last) {
            graph.graph.truncate(last as usize, 0);
            continue;
        }
        // A part of the coherence order, as in a search for a witness.
        let (whole, seed) = (&graph.graph, random.below(8) as u32);
        let before = |a: EventId, b: EventId| {
            let is_ordered = a == INITIAL || b == INITIAL || (a ^ b ^ seed) & 3 != 0;
            is_ordered && is_before(whole, a, b)
        };
        assert_eq!(has_cycle(whole, before), pairs::has_cycle(whole, &before));
        if graph.gets_cycle() {
            return true;
        }
    }
    false
}

#[test]
fn cycles_of_random_graphs_are_those_of_the_definition() {
    let cycles = (0..1_000).filter(|seed| grow_until_cyclic(&mut Random(*seed))).count();
    assert!((100..900).contains(&cycles), "{cycles} of 1000");
}

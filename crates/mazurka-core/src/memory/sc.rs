//! Sequential consistency: `po ∪ rf ∪ mo ∪ fr` is acyclic.

use smallvec::SmallVec;

use super::coherence::{has_successors, is_coherent};
use super::cycle::base;
use super::graph::Kind;
use super::relation::Relation;
use super::{EventId, Graph, Model};
use crate::model::{MemoryOrdering, ProcessId};

/// Sequential consistency.
pub(super) struct Sc;

impl Model for Sc {
    /// Every atomic access is sequentially consistent.
    fn counts_as(&self, _ordering: MemoryOrdering) -> MemoryOrdering {
        MemoryOrdering::SeqCst
    }

    fn admits(&self, graph: &Graph, last: EventId) -> bool {
        is_coherent(graph, last) && (!has_successors(graph, last) || !is_in_cycle(graph, last))
    }

    fn base(&self, graph: &Graph) -> Option<Relation> {
        Some(base(graph, true, |_, _| true))
    }

    fn has_data_races(&self) -> bool {
        true
    }
}

/// Returns whether the last event is on a cycle of `po ∪ edges ∪ rf ∪ mo ∪ fr`.
///
/// With an event, all later events of its process are reached. So it suffices to know the first event of
/// each process that is reached, and each event is looked at once. The last event is the last one of its
/// process: it is on a cycle if any event of its process is reached.
fn is_in_cycle(graph: &Graph, last: EventId) -> bool {
    let own = graph.event(last).process;
    let reached = SmallVec::from_elem(u32::MAX, graph.processes());
    let mut search = Search { graph, reached, open: SmallVec::new() };
    search.follow(last);
    while let Some((process, from, to)) = search.open.pop() {
        if process == own {
            return true;
        }
        search.follow_edges(process, from);
        for index in from..to {
            search.follow(graph.events_of(process)[index as usize - 1]);
        }
    }
    false
}

struct Search<'a> {
    graph: &'a Graph,
    /// For each process the index of the first event that is reached.
    reached: SmallVec<[u32; 16]>,
    /// Ranges of events that are reached, and whose successors are not.
    open: SmallVec<[(ProcessId, u32, u32); 16]>,
}

impl Search<'_> {
    fn reach(&mut self, process: ProcessId, index: u32) {
        let known = &mut self.reached[process.index()];
        if index < *known {
            let end = (*known).min(self.graph.events_of(process).len() as u32 + 1);
            self.open.push((process, index, end));
            *known = index;
        }
    }

    fn reach_event(&mut self, event: EventId) {
        let event = self.graph.event(event);
        self.reach(event.process, event.index);
    }

    /// Reaches what follows an event in `rf`, `mo` or `fr`. The next write in coherence order leads to
    /// all later ones.
    fn follow(&mut self, event: EventId) {
        let graph = self.graph;
        let Some(location) = graph.event(event).location_if_memory() else { return };
        let position = graph.position_of(event);
        if let Some(next) = graph.coherence(location).get(position) {
            self.reach_event(*next);
        }
        if graph.event(event).kind == Kind::Write {
            for read in graph.reads(location) {
                if graph.event(*read).reads_from == event {
                    self.reach_event(*read);
                }
            }
        }
    }

    /// Reaches what follows the events of a process from an index on by creations and joins.
    fn follow_edges(&mut self, process: ProcessId, from: u32) {
        if self.graph.edges() == 0 {
            return;
        }
        for other in (0..self.graph.processes()).map(ProcessId::new) {
            if other == process {
                continue;
            }
            let events = self.graph.events_of(other);
            let is_before = |event: &EventId| !self.graph.is_ordered_behind(*event, process, from);
            // The last event follows if any does.
            if events.last().is_some_and(|last| !is_before(last)) {
                self.reach(other, events.partition_point(is_before) as u32 + 1);
            }
        }
    }
}

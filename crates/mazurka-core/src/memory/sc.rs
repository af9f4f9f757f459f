//! Sequential consistency: `po ∪ rf ∪ mo ∪ fr` is acyclic.

use super::coherence::{has_successors, is_coherent};
use super::cycle::base;
use super::graph::Kind;
use super::reached::{Reached, is_in_cycle};
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
        is_coherent(graph, last)
            && (!has_successors(graph, last) || !is_in_cycle(graph, last, follow, follow_edges))
    }

    fn base(&self, graph: &Graph) -> Option<Relation> {
        Some(base(graph, true, |_, _| true))
    }

    fn has_data_races(&self) -> bool {
        true
    }
}

/// Reaches what follows an event in `rf`, `mo` or `fr`. The next write in coherence order leads to all later
/// ones.
fn follow(reached: &mut Reached<'_>, event: EventId) {
    let graph = reached.graph;
    let Some(location) = graph.event(event).location_if_memory() else { return };
    let position = graph.position_of(event);
    if let Some(next) = graph.coherence(location).get(position) {
        reached.reach_event(*next);
    }
    if graph.event(event).kind == Kind::Write {
        for read in graph.reads(location) {
            if graph.event(*read).reads_from == event {
                reached.reach_event(*read);
            }
        }
    }
}

/// Reaches what follows the events of a process from an index on by creations and joins.
fn follow_edges(reached: &mut Reached<'_>, process: ProcessId, from: u32) {
    let graph = reached.graph;
    if graph.edges() == 0 {
        return;
    }
    for other in (0..graph.processes()).map(ProcessId::new) {
        if other == process {
            continue;
        }
        let events = graph.events_of(other);
        let is_before = |event: &EventId| !graph.is_ordered_behind(*event, process, from);
        // The last event follows if any does.
        if events.last().is_some_and(|last| !is_before(last)) {
            reached.reach(other, events.partition_point(is_before) as u32 + 1);
        }
    }
}

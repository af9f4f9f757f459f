//! Total store order: each location is coherent, and `ppo ∪ rfe ∪ mo ∪ fr` is acyclic.
//!
//! `ppo` is program order without the pairs of a write and a later read, unless a `seq_cst` fence or a
//! read-modify-write is between them or is one of them. A `seq_cst` write is followed by such a fence, as
//! compilers do. Edges order everything, as creating and joining a thread do.

use super::coherence::is_coherent;
use super::cycle::{base, is_in_cycle};
use super::graph::{Event, Kind};
use super::relation::Relation;
use super::{EventId, Graph, Model};
use crate::model::MemoryOrdering;

/// Total store order.
pub(super) struct Tso;

impl Model for Tso {
    fn counts_as(&self, ordering: MemoryOrdering) -> MemoryOrdering {
        ordering
    }

    fn admits(&self, graph: &Graph, last: EventId) -> bool {
        is_coherent(graph, last) && !is_in_cycle(graph, last, false, |a, b| preserved(graph, a, b))
    }

    fn base(&self, graph: &Graph) -> Option<Relation> {
        Some(base(graph, false, |a, b| preserved(graph, a, b)))
    }

    fn has_data_races(&self) -> bool {
        false
    }
}

fn preserved(graph: &Graph, a: EventId, b: EventId) -> bool {
    let (from, to) = (graph.event(a), graph.event(b));
    match (from.kind, to.kind) {
        (Kind::Write, Kind::Read) => drains_between(graph, a, b, is_full_fence),
        // What is before a fence is before what is behind it: the fence itself need not be ordered.
        (Kind::Fence | Kind::Choice, _) | (_, Kind::Fence | Kind::Choice) => false,
        _ => true,
    }
}

/// Returns whether an event between two events of one process, or one of the two, drains the store
/// buffer.
pub(super) fn drains_between(
    graph: &Graph,
    a: EventId,
    b: EventId,
    drains: fn(&Event) -> bool,
) -> bool {
    let (from, to) = (graph.event(a), graph.event(b));
    if from.is_update() || to.is_update() {
        return true;
    }
    if from.ordering.is_some_and(MemoryOrdering::is_seq_cst) && from.kind == Kind::Write {
        return true;
    }
    let events = graph.events_of(from.process);
    let between = &events[from.index as usize..to.index as usize - 1];
    between.iter().any(|event| drains(graph.event(*event)))
}

/// Returns whether an event between a write and a read keeps them in order.
fn is_full_fence(event: &Event) -> bool {
    let is_seq_cst = event.ordering.is_some_and(MemoryOrdering::is_seq_cst);
    event.is_update() || is_seq_cst && matches!(event.kind, Kind::Fence | Kind::Write)
}

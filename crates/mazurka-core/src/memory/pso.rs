//! Partial store order: as [`tso`](super::tso), where `ppo` also lacks the pairs of writes to different
//! locations.
//!
//! A release write, and every write behind a release fence, stays behind the writes before it, as
//! compilers put a barrier there.

use super::coherence::is_coherent;
use super::cycle::{base, is_in_cycle};
use super::graph::{Event, Kind};
use super::relation::Relation;
use super::tso::drains_between;
use super::{EventId, Graph, Model};
use crate::model::MemoryOrdering;

/// Partial store order.
pub(super) struct Pso;

impl Model for Pso {
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
        (Kind::Write, Kind::Write) => {
            from.location == to.location
                || to.ordering.is_some_and(MemoryOrdering::is_release)
                || drains_between(graph, a, b, is_store_fence)
        }
        (Kind::Fence | Kind::Choice, _) | (_, Kind::Fence | Kind::Choice) => false,
        _ => true,
    }
}

/// Returns whether an event between a write and a read keeps them in order.
fn is_full_fence(event: &Event) -> bool {
    let is_seq_cst = event.ordering.is_some_and(MemoryOrdering::is_seq_cst);
    event.is_update() || is_seq_cst && matches!(event.kind, Kind::Fence | Kind::Write)
}

/// Returns whether an event between two writes keeps them in order.
fn is_store_fence(event: &Event) -> bool {
    let is_release = event.ordering.is_some_and(MemoryOrdering::is_release);
    is_full_fence(event) || is_release && event.kind == Kind::Fence
}

//! Sequential consistency: `po ∪ rf ∪ mo ∪ fr` is acyclic.

use super::coherence::is_coherent;
use super::cycle::is_in_cycle;
use super::{EventId, Graph, Model};
use crate::model::MemoryOrdering;

/// Sequential consistency.
pub(super) struct Sc;

impl Model for Sc {
    /// Every atomic access is sequentially consistent.
    fn counts_as(&self, _ordering: MemoryOrdering) -> MemoryOrdering {
        MemoryOrdering::SeqCst
    }

    fn admits(&self, graph: &Graph, last: EventId) -> bool {
        is_coherent(graph, last) && !is_in_cycle(graph, last, true, |_, _| true)
    }

    fn has_data_races(&self) -> bool {
        true
    }
}

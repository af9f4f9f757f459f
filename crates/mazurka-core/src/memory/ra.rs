//! Release and acquire: [`rc11`](super::rc11) without `psc`.

use super::coherence::is_coherent;
use super::relation::Relation;
use super::{EventId, Graph, Model};
use crate::model::MemoryOrdering;

/// Release and acquire.
pub(super) struct Ra;

impl Model for Ra {
    /// `seq_cst` counts as acquire and release.
    fn counts_as(&self, ordering: MemoryOrdering) -> MemoryOrdering {
        match ordering {
            MemoryOrdering::SeqCst => MemoryOrdering::AcqRel,
            ordering => ordering,
        }
    }

    fn admits(&self, graph: &Graph, last: EventId) -> bool {
        is_coherent(graph, last)
    }

    /// Reads-from alone decides.
    fn base(&self, _graph: &Graph) -> Option<Relation> {
        None
    }

    fn has_data_races(&self) -> bool {
        true
    }
}

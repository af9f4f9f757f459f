//! RC11: Lahav, Vafeiadis, Kang, Hur and Dreyer, *Repairing sequential consistency in C/C++11*.
//!
//! A graph is consistent if it is coherent (`hb;eco?` is irreflexive), read-modify-writes are atomic,
//! `po ∪ rf` is acyclic, and [`psc`](super::psc) is acyclic.

use super::coherence::is_coherent;
use super::psc;
use super::relation::Relation;
use super::witness::Order;
use super::{EventId, Graph, Model};
use crate::model::MemoryOrdering;

/// RC11.
pub(super) struct Rc11;

impl Model for Rc11 {
    fn counts_as(&self, ordering: MemoryOrdering) -> MemoryOrdering {
        ordering
    }

    fn admits(&self, graph: &Graph, last: EventId) -> bool {
        is_coherent(graph, last) && !psc::gets_cycle(graph, last)
    }

    fn base(&self, _graph: &Graph) -> Option<Relation> {
        None
    }

    fn allows(&self, graph: &Graph, order: &Order) -> bool {
        !psc::has_cycle(graph, |a, b| order.precedes(graph, a, b))
    }

    fn has_data_races(&self) -> bool {
        true
    }
}

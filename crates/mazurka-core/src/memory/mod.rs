//! Memory models: which execution graphs a program may have.
//!
//! An *execution graph* is a set of events with program order `po`, reads-from `rf` (each read has one
//! write) and coherence `mo` (a total order of the writes to each location). From-read is
//! `fr = rf⁻¹;mo`. A *memory model* says which graphs are *consistent*. Each is a file here, behind the
//! trait `Model`. Under all of them `po ∪ rf` is acyclic, so that a consistent graph has an order in
//! which its events can be run.
//!
//! # What synchronises
//!
//! `sw` is as in C++20: a release write, or a release fence before a write, synchronises with an
//! acquire read, or an acquire fence behind a read, if the read reads from that write or from a chain of
//! read-modify-writes that starts with it. (C11 also counts later writes of the same thread, which C++20
//! dropped.) Creating a process, joining it and notifying it are *edges*, and order everything before
//! them before everything behind them. `hb = (po ∪ edges ∪ sw)⁺`. Vector clocks carry it along, since a
//! new event never happens before others.

mod clocks;
mod coherence;
mod cycle;
mod graph;
mod psc;
mod pso;
mod ra;
mod rc11;
mod reached;
mod relation;
mod sc;
mod tso;
pub(crate) mod views;
pub(crate) mod witness;

pub(crate) use coherence::has_successors;
pub(crate) use graph::NO_STEP;
pub use graph::{Event, EventId, Graph, INITIAL, Kind};

pub use crate::model::{MemoryModel, UnknownMemoryModel};

use crate::model::MemoryOrdering;
use relation::Relation;
use witness::Order;

/// A memory model.
pub(crate) trait Model: Sync {
    /// Returns what a memory ordering counts as, for what synchronises.
    fn counts_as(&self, ordering: MemoryOrdering) -> MemoryOrdering;

    /// Returns whether a graph is consistent that was so before `last` was added, which is its last
    /// event.
    fn admits(&self, graph: &Graph, last: EventId) -> bool;

    /// Returns the relation that must be acyclic together with `mo` and `fr`, if there is one, for a graph
    /// without a known coherence order.
    fn base(&self, graph: &Graph) -> Option<Relation>;

    /// Returns whether the other axioms of the model hold for a partial coherence order. If they hold for
    /// an order, they hold for all parts of it.
    fn allows(&self, _graph: &Graph, _order: &Order) -> bool {
        true
    }

    /// Whether two conflicting accesses, of which one is plain, are a data race if neither happens before
    /// the other.
    fn has_data_races(&self) -> bool;
}

/// Returns the model that a user names so. `auto` explores graphs under `rc11`.
pub(crate) fn model(model: MemoryModel) -> &'static dyn Model {
    match model {
        MemoryModel::Sc => &sc::Sc,
        MemoryModel::Tso => &tso::Tso,
        MemoryModel::Pso => &pso::Pso,
        MemoryModel::Ra => &ra::Ra,
        MemoryModel::Rc11 | MemoryModel::Auto => &rc11::Rc11,
    }
}

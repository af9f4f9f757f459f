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
mod pso;
mod ra;
mod rc11;
mod sc;
mod tso;

pub(crate) use graph::NO_STEP;
pub use graph::{Event, EventId, Graph, INITIAL, Kind};

use std::fmt;
use std::str::FromStr;

use crate::model::MemoryOrdering;

/// A memory model.
pub(crate) trait Model: Sync {
    /// Returns what a memory ordering counts as, for what synchronises.
    fn counts_as(&self, ordering: MemoryOrdering) -> MemoryOrdering;

    /// Returns whether a graph is consistent that was so before `last` was added, which is its last
    /// event.
    fn admits(&self, graph: &Graph, last: EventId) -> bool;

    /// Whether two conflicting accesses, of which one is plain, are a data race if neither happens before
    /// the other.
    fn has_data_races(&self) -> bool;
}

/// Which memory model a program is checked under.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MemoryModel {
    /// Sequential consistency: `po ∪ rf ∪ mo ∪ fr` is acyclic.
    #[default]
    Sc,
    /// Total store order, as on x86: a read may overtake earlier writes of its thread.
    Tso,
    /// Partial store order, as on SPARC: writes to different locations may overtake each other, too.
    Pso,
    /// Release and acquire: `seq_cst` counts as acquire and release.
    Ra,
    /// The repaired model of C11 (RC11), with the release sequences of C++20.
    Rc11,
}

impl MemoryModel {
    /// All of them.
    pub const ALL: [MemoryModel; 5] =
        [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Ra, MemoryModel::Rc11];

    /// Returns its name, as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sc",
            MemoryModel::Tso => "tso",
            MemoryModel::Pso => "pso",
            MemoryModel::Ra => "ra",
            MemoryModel::Rc11 => "rc11",
        }
    }

    /// Returns what it allows, in a line.
    pub const fn summary(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sequential consistency",
            MemoryModel::Tso => "total store order, as on x86",
            MemoryModel::Pso => "partial store order, as on SPARC",
            MemoryModel::Ra => "release and acquire; seq_cst counts as both",
            MemoryModel::Rc11 => "what C11, C++20 and Rust promise",
        }
    }

    pub(crate) fn model(self) -> &'static dyn Model {
        match self {
            MemoryModel::Sc => &sc::Sc,
            MemoryModel::Tso => &tso::Tso,
            MemoryModel::Pso => &pso::Pso,
            MemoryModel::Ra => &ra::Ra,
            MemoryModel::Rc11 => &rc11::Rc11,
        }
    }
}

impl fmt::Display for MemoryModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no memory model has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownMemoryModel(String);

impl fmt::Display for UnknownMemoryModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no memory model `{}`; there are sc, tso, pso, ra and rc11", self.0)
    }
}

impl std::error::Error for UnknownMemoryModel {}

impl FromStr for MemoryModel {
    type Err = UnknownMemoryModel;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let wanted = name.trim();
        let found = MemoryModel::ALL.into_iter().find(|m| m.name().eq_ignore_ascii_case(wanted));
        found.ok_or_else(|| UnknownMemoryModel(name.to_owned()))
    }
}

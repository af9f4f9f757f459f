//! Edges between processes: creation, joining, notifying.

use super::super::clocks::Row;
use super::{EventId, Graph};
use crate::model::ProcessId;

/// The clocks that an edge passes on.
const PASSED: [Row; 3] = [Row::ProgramOrder, Row::Prefix, Row::HappensBefore];

/// An edge from the events of a process so far to the next event of another process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    /// How many events there were.
    pub(super) at: u32,
    pub(super) from: ProcessId,
    /// How many events `from` had.
    pub(super) done: u32,
    pub(super) to: ProcessId,
}

impl Graph {
    /// Returns how many edges there are.
    pub(crate) fn edges(&self) -> usize {
        self.edges.len()
    }

    /// Returns the processes of each edge, in the order in which the edges were added.
    pub(crate) fn passed(&self) -> impl Iterator<Item = (ProcessId, ProcessId)> {
        self.edges.iter().map(|passed| (passed.from, passed.to))
    }

    /// Notes that all that `from` has done is before what `to` does next.
    pub(crate) fn pass_on(&mut self, from: ProcessId, to: ProcessId) {
        self.widen(from.index().max(to.index()) + 1);
        let at = self.events.len() as u32;
        let new = self.edge_clocks.push();
        let previous = self.events_of(from).last().copied();
        if let Some(previous) = previous {
            for row in PASSED {
                self.edge_clocks.join_from((new, row), (&self.clocks, (previous as usize, row)));
            }
        }
        for edge in self.edges_since(previous) {
            if self.edges[edge].to == from {
                for row in PASSED {
                    self.edge_clocks.join((new, row), (edge, row));
                }
            }
        }
        let done = self.events_of(from).len() as u32;
        self.edges.push(Passed { at, from, done, to });
    }

    /// Notes that all that some processes have done is before what each of them does next. All of them get the
    /// same edges, one from itself included, so that twins among them remain equal.
    pub(crate) fn pass_on_to_all(&mut self, processes: &[ProcessId]) {
        let Some((first, others)) = processes.split_first() else { return };
        let start = self.edges.len();
        for from in processes {
            self.pass_on(*from, *first);
        }
        for to in others {
            for edge in start..start + processes.len() {
                self.edge_clocks.push_copy(edge);
                self.edges.push(Passed { to: *to, ..self.edges[edge] });
            }
        }
    }

    /// Returns the edges that were added after an event.
    fn edges_since(&self, event: Option<EventId>) -> std::ops::Range<usize> {
        let is_later = |passed: &&Passed| event.is_none_or(|event| passed.at > event);
        let count = self.edges.iter().rev().take_while(is_later).count();
        self.edges.len() - count..self.edges.len()
    }

    /// Returns from which processes a process received edges between its event with this index and the next
    /// one, and how many events these had.
    pub(super) fn released_by(
        &self,
        process: ProcessId,
        index: usize,
    ) -> impl Iterator<Item = (ProcessId, u32)> {
        let own = self.events_of(process);
        let previous = index.checked_sub(1).map(|previous| own[previous]);
        let next = own.get(index).copied();
        let edges = &self.edges[self.edges_since(previous)];
        let is_before = move |passed: &Passed| next.is_none_or(|next| passed.at <= next);
        let own = edges.iter().filter(move |passed| passed.to == process && is_before(passed));
        own.map(|passed| (passed.from, passed.done))
    }

    /// Joins what was passed on to a process since its `previous` event into a new one.
    pub(super) fn receive_edges(
        &mut self,
        process: ProcessId,
        previous: Option<EventId>,
        block: usize,
    ) {
        for edge in self.edges_since(previous) {
            if self.edges[edge].to == process {
                for row in PASSED {
                    self.clocks.join_from((block, row), (&self.edge_clocks, (edge, row)));
                }
            }
        }
    }

    /// Leaves out the edges that a process received after an event, which it is to perform anew. Names
    /// the event as in the graph `other` that this one is [restricted](Self::restrict) from.
    pub(crate) fn forget_edges_after(&mut self, other: &Graph, event: EventId) {
        let process = other.event(event).process;
        let is_later = |passed: &Passed| passed.to == process && passed.at > event;
        if !other.edges.iter().any(is_later) {
            return;
        }
        let edges = std::mem::take(&mut self.edges);
        self.edge_clocks.truncate(0);
        for (edge, passed) in edges.into_iter().enumerate() {
            if !is_later(&other.edges[edge]) {
                self.edges.push(passed);
                self.edge_clocks.push_from(&other.edge_clocks, edge);
            }
        }
    }
}

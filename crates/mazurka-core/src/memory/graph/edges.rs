//! Edges between processes: creation, joining, notifying.

use super::super::clocks::Row;
use super::{EventId, Graph};
use crate::model::ProcessId;

/// That everything which a process had done by then is before what another one does next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    /// How many events there were.
    pub(super) at: u32,
    pub(super) to: ProcessId,
}

impl Graph {
    /// Returns how many edges there are.
    pub(crate) fn edges(&self) -> usize {
        self.edges.len()
    }

    /// Notes that all that `from` has done is before what `to` does next.
    pub(crate) fn pass_on(&mut self, from: ProcessId, to: ProcessId) {
        self.widen(from.index().max(to.index()) + 1);
        let at = self.events.len() as u32;
        let new = self.edge_clocks.push();
        let previous = self.events_of(from).last().copied();
        for row in [Row::ProgramOrder, Row::Prefix, Row::HappensBefore] {
            for other in 0..self.processes.len() {
                let mut covers =
                    previous.map_or(0, |last| self.clocks.get(last as usize, row, other));
                for (edge, passed) in self.edges.iter().enumerate() {
                    if passed.to == from && previous.is_none_or(|previous| passed.at > previous) {
                        covers = covers.max(self.edge_clocks.get(edge, row, other));
                    }
                }
                self.edge_clocks.set(new, row, other, covers);
            }
        }
        self.edges.push(Passed { at, to });
    }

    /// Joins what was passed on to a process since its `previous` event into a new one.
    pub(super) fn receive_edges(
        &mut self,
        process: ProcessId,
        previous: Option<EventId>,
        block: usize,
    ) {
        for edge in (0..self.edges.len()).rev() {
            let Passed { at, to } = self.edges[edge];
            if previous.is_some_and(|previous| at <= previous) {
                break;
            }
            if to == process {
                for row in [Row::ProgramOrder, Row::Prefix, Row::HappensBefore] {
                    for other in 0..self.processes.len() {
                        let theirs = self.edge_clocks.get(edge, row, other);
                        let mine = self.clocks.get(block, row, other);
                        self.clocks.set(block, row, other, mine.max(theirs));
                    }
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

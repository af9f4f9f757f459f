//! Arrivals at barriers, which commute.
//!
//! An arrival adds 1 to a counter, and the last arrival of a round sets the counter to 0. If no thread uses the
//! result, and no other thread uses the barrier at the same time, then all orders of the arrivals have the
//! same effect: every thread continues after the arrivals of all.
//!
//! So an arrival is one event, a read that is marked as an [arrival](crate::memory::Event::is_arrival), and not a
//! read-modify-write. It reads from the last write, which initialised the barrier. The edges that the last
//! arrival of a round causes lead from every arrival to the next event of each thread. They are the same
//! whichever arrival comes last.
//!
//! # Why no graph is missed or added
//!
//! Let the *full graphs* be those with a read-modify-write for each arrival, which acquires and releases.
//! Leaving out the writes turns a full graph into one of ours, as the edges contain the order of the arrivals
//! of different rounds. Conversely, take the relation that the model asks to be acyclic for one of our graphs,
//! extend it to a total order, and let the arrivals of each round read from each other in this order. In a full
//! graph, an arrival is ordered behind other arrivals of its round. The only events behind an arrival are
//! those that the edges put behind all arrivals of the round, so that this adds no order between other events.
//! `tso` and `pso` treat the mark as the read-modify-write that it stands for: it drains the store buffer.
//!
//! # When the order matters
//!
//! If another access to the counter is not ordered with an arrival by happens-before, the search learns
//! [`Lesson::Arrivals`](crate::model::Lesson::Arrivals), and starts over with read-modify-writes. Such an access
//! is an arrival whose result is used, or the initialisation or the end of the barrier. What an arrival reads
//! does not synchronise, so that it does not order the two. Up to the first such pair, the graphs are those with
//! full arrivals, so that the search meets a pair if any graph of the program has one.

use super::{Graphs, Taken};
use crate::memory::EventId;
use crate::model::{Action, Edge, Machine, ProcessId};

/// Returns how many other processes the arrival of a process releases. If it releases some, the edges begin with
/// those from them to the process, and continue with those from the process to them.
pub(super) fn released_round(process: ProcessId, edges: &[Edge]) -> usize {
    let count = edges.iter().take_while(|edge| edge.to == process).count();
    let (arrived, rest) = edges.split_at(count);
    let is_released =
        |edge: &Edge| edge.from == process && arrived.iter().any(|arrived| arrived.from == edge.to);
    match rest.len() >= count && rest[..count].iter().all(is_released) {
        true => count,
        false => 0,
    }
}

impl Graphs {
    /// Returns the next action of a process. If arrivals are ordered, they are no longer marked as such.
    pub(super) fn next_action(&self, machine: &dyn Machine, process: ProcessId) -> Option<Action> {
        let action = *machine.next(process)?;
        let unread = action.unread && !(self.orders_arrivals && action.is_arrival());
        Some(Action { unread, ..action })
    }

    /// Notes that the order of arrivals matters if a step shows this.
    pub(super) fn check_arrivals(&mut self, taken: Taken) {
        let graph = &self.lineage().graph;
        if !graph.has_arrivals() {
            return;
        }
        let is_unordered = taken.range().any(|id| {
            let event = graph.event(id);
            let Some(location) = event.location_if_memory() else { return false };
            let mut reads = graph.reads(location).iter();
            let (writes, is_arrival) = (graph.coherence(location), event.is_arrival);
            let matters = |other: &EventId| {
                *other < taken.first
                    && graph.event(*other).is_arrival != is_arrival
                    && !graph.happens_before(*other, id)
            };
            match is_arrival {
                true => writes.iter().any(matters) || reads.any(matters),
                false => reads.any(matters),
            }
        });
        self.arrivals_matter |= is_unordered;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_arrival_releases_the_others() {
        let edges = |pairs: &[(usize, usize)]| -> Vec<Edge> {
            let edge = |&(from, to)| Edge { from: ProcessId::new(from), to: ProcessId::new(to) };
            pairs.iter().map(edge).collect()
        };
        let last = ProcessId::new(1);
        assert_eq!(released_round(last, &edges(&[])), 0);
        assert_eq!(released_round(last, &edges(&[(0, 1), (2, 1), (1, 0), (1, 2)])), 2);
        // The process then ends, and another one joins it.
        assert_eq!(released_round(last, &edges(&[(0, 1), (1, 0), (1, 3)])), 1);
        // These are no releases by an arrival.
        assert_eq!(released_round(last, &edges(&[(0, 1)])), 0);
        assert_eq!(released_round(last, &edges(&[(1, 0)])), 0);
        assert_eq!(released_round(last, &edges(&[(0, 1), (1, 2)])), 0);
    }
}

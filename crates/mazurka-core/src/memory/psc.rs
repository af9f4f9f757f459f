//! Cycles of `psc` in a graph of RC11 without `seq_cst` fences.
//!
//! Without fences, `psc` has the pairs of `scb` between `seq_cst` accesses:
//!
//! ```text
//! scb = po ∪ po|≠loc;hb;po|≠loc ∪ hb|loc ∪ mo ∪ fr
//! ```

use smallvec::SmallVec;

use super::graph::{EventId, Graph};
use crate::model::{MemoryOrdering, ProcessId};

/// Returns whether the last event, which is `seq_cst`, is on a cycle of `psc`.
///
/// With an access, all later accesses of its process are reached, since `scb` contains `po`. So it suffices to
/// know the first one of each process that is reached, and each access is looked at once. The last event is
/// the last one of its process: it is on a cycle if any access of its process is reached.
pub(super) fn is_in_cycle(graph: &Graph, last: EventId) -> bool {
    let own = graph.event(last).process;
    let reached = SmallVec::from_elem(u32::MAX, graph.processes());
    let mut search = Search { graph, reached, open: SmallVec::new() };
    search.follow(last);
    while let Some((process, from, to)) = search.open.pop() {
        if process == own {
            return true;
        }
        for index in from..to {
            let event = graph.events_of(process)[index as usize - 1];
            if is_sc(graph, event) {
                search.follow(event);
            }
        }
    }
    false
}

fn is_sc(graph: &Graph, event: EventId) -> bool {
    graph.event(event).ordering.is_some_and(MemoryOrdering::is_seq_cst)
}

struct Search<'a> {
    graph: &'a Graph,
    /// For each process the index of the first access that is reached.
    reached: SmallVec<[u32; 16]>,
    /// Ranges of events, of which the accesses that are `seq_cst` are reached, and their successors are not.
    open: SmallVec<[(ProcessId, u32, u32); 16]>,
}

impl Search<'_> {
    /// Reaches an access if it is `seq_cst`.
    fn reach(&mut self, event: EventId) {
        if !is_sc(self.graph, event) {
            return;
        }
        let event = self.graph.event(event);
        let known = &mut self.reached[event.process.index()];
        if event.index < *known {
            let end = (*known).min(self.graph.events_of(event.process).len() as u32 + 1);
            self.open.push((event.process, event.index, end));
            *known = event.index;
        }
    }

    /// Reaches what follows an access in `scb`.
    fn follow(&mut self, event: EventId) {
        let graph = self.graph;
        let location = graph.event(event).location;
        let writes = graph.coherence(location);
        // `mo` and `fr`.
        for write in &writes[graph.position_of(event)..] {
            self.reach(*write);
        }
        // `hb|loc`. An event is run before those that it happens before.
        for other in writes.iter().chain(graph.reads(location)) {
            if *other > event && graph.happens_before(event, *other) {
                self.reach(*other);
            }
        }
        self.follow_others(event);
    }

    /// Reaches what follows an access in `po|≠loc;hb;po|≠loc`.
    fn follow_others(&mut self, event: EventId) {
        let graph = self.graph;
        let from = graph.event(event);
        let later = &graph.events_of(from.process)[from.index as usize..];
        let Some(behind) = later.iter().find(|other| !self.is_same_location(event, **other)) else {
            return;
        };
        for process in (0..graph.processes()).map(ProcessId::new) {
            let events = graph.events_of(process);
            let is_after = |other: &EventId| graph.happens_before(*behind, *other);
            if process == from.process || !events.last().is_some_and(is_after) {
                continue;
            }
            let first = events.partition_point(|other| !is_after(other));
            // The first access with an event on another location in between.
            let found = (first + 1..events.len()).find(|at| {
                let access = events[*at];
                let mut between = events[first..*at].iter().rev();
                is_sc(graph, access) && between.any(|z| !self.is_same_location(*z, access))
            });
            if let Some(at) = found {
                self.reach(events[at]);
            }
        }
    }

    fn is_same_location(&self, a: EventId, b: EventId) -> bool {
        let location = |event: EventId| self.graph.event(event).location_if_memory();
        location(a).is_some() && location(a) == location(b)
    }
}

//! The events that are reached from an event along a relation that contains program order.

use smallvec::SmallVec;

use super::{EventId, Graph};
use crate::model::ProcessId;

/// The events that are reached.
///
/// With an event, all later events of its process are reached. So it suffices to know the first one of each
/// process, and each event is looked at once.
pub(super) struct Reached<'a> {
    pub(super) graph: &'a Graph,
    /// For each process the index of the first event that is reached.
    first: SmallVec<[u32; 16]>,
    /// Ranges of events that are reached, and whose successors are not.
    open: SmallVec<[(ProcessId, u32, u32); 16]>,
}

impl Reached<'_> {
    /// Reaches the events of a process from an index on.
    pub(super) fn reach(&mut self, process: ProcessId, index: u32) {
        let known = &mut self.first[process.index()];
        if index < *known {
            let end = (*known).min(self.graph.events_of(process).len() as u32 + 1);
            self.open.push((process, index, end));
            *known = index;
        }
    }

    /// Reaches an event.
    pub(super) fn reach_event(&mut self, event: EventId) {
        let event = self.graph.event(event);
        self.reach(event.process, event.index);
    }
}

/// Returns whether the last event is on a cycle. `follow` reaches what follows an event in other processes, and
/// `follow_edges` what follows the events of a process from an index on by creations and joins.
///
/// The last event is the last one of its process: it is on a cycle if any event of its process is reached.
pub(super) fn is_in_cycle<'a>(
    graph: &'a Graph,
    last: EventId,
    follow: impl Fn(&mut Reached<'a>, EventId),
    follow_edges: impl Fn(&mut Reached<'a>, ProcessId, u32),
) -> bool {
    let own = graph.event(last).process;
    let first = SmallVec::from_elem(u32::MAX, graph.processes());
    let mut reached = Reached { graph, first, open: SmallVec::new() };
    follow(&mut reached, last);
    while let Some((process, from, to)) = reached.open.pop() {
        if process == own {
            return true;
        }
        follow_edges(&mut reached, process, from);
        for index in from..to {
            follow(&mut reached, graph.events_of(process)[index as usize - 1]);
        }
    }
    false
}

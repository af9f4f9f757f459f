//! Cycles of `psc` through the last event of a graph without `seq_cst` fences.
//!
//! Without fences, `psc` has the pairs of `scb` between `seq_cst` accesses:
//!
//! ```text
//! scb = po ∪ po|≠loc;hb;po|≠loc ∪ hb|loc ∪ mo ∪ fr
//! ```

use super::super::graph::{EventId, Graph};
use super::super::reached::{self, Reached};
use super::{is_same_location, is_sc};
use crate::model::ProcessId;

/// Returns whether the last event, which is `seq_cst`, is on a cycle of `psc`.
///
/// With an access, all later accesses of its process are reached, since `scb` contains `po`.
pub(super) fn gets_cycle(graph: &Graph, last: EventId) -> bool {
    let follow = |reached: &mut Reached<'_>, event: EventId| {
        if is_sc(graph, event) {
            follow(reached, event);
        }
    };
    reached::is_in_cycle(graph, last, follow, |_, _, _| ())
}

/// Reaches an access if it is `seq_cst`.
fn reach(reached: &mut Reached<'_>, event: EventId) {
    if is_sc(reached.graph, event) {
        reached.reach_event(event);
    }
}

/// Reaches what follows an access in `scb`.
fn follow(reached: &mut Reached<'_>, event: EventId) {
    let graph = reached.graph;
    let location = graph.event(event).location;
    let writes = graph.coherence(location);
    // `mo` and `fr`.
    for write in &writes[graph.position_of(event)..] {
        reach(reached, *write);
    }
    // `hb|loc`. An event is run before all events that it happens before.
    for other in writes.iter().chain(graph.reads(location)) {
        if *other > event && graph.happens_before(event, *other) {
            reach(reached, *other);
        }
    }
    follow_others(reached, event);
}

/// Reaches what follows an access in `po|≠loc;hb;po|≠loc`.
fn follow_others(reached: &mut Reached<'_>, event: EventId) {
    let graph = reached.graph;
    let from = graph.event(event);
    let later = &graph.events_of(from.process)[from.index as usize..];
    let Some(behind) = later.iter().find(|other| !is_same_location(graph, event, **other)) else {
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
            is_sc(graph, access) && between.any(|z| !is_same_location(graph, *z, access))
        });
        if let Some(at) = found {
            reach(reached, events[at]);
        }
    }
}

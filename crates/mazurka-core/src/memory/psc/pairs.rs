//! The definition of `psc`, pair by pair.
//!
//! This takes time in the fourth power of the number of events. Assertions compare the searches with it on
//! small graphs.

use super::super::graph::{EventId, Graph, Kind};
use super::super::witness::write_of;
use super::{is_same_location, is_sc};

/// Graphs with more events are not compared.
const COMPARED: usize = 20;

/// Returns whether a graph is small enough for [`has_cycle`].
pub(super) fn is_small(graph: &Graph) -> bool {
    graph.events().len() <= COMPARED
}

/// Returns whether `psc` has a cycle, if `before` says which writes come before others.
pub(super) fn has_cycle(graph: &Graph, before: &impl Fn(EventId, EventId) -> bool) -> bool {
    let events = 0..graph.events().len() as EventId;
    let events: Vec<EventId> = events.filter(|event| is_sc(graph, *event)).collect();
    let psc = |a: EventId, b: EventId| precedes(graph, a, b, before);
    // Depth first: 1 is on the path, 2 is done.
    let mut states = vec![0u8; events.len()];
    !(0..events.len()).all(|start| visit(start, &events, &psc, &mut states))
}

/// Returns whether no cycle is reachable.
fn visit(
    at: usize,
    events: &[EventId],
    psc: &impl Fn(EventId, EventId) -> bool,
    states: &mut [u8],
) -> bool {
    match states[at] {
        1 => return false,
        2 => return true,
        _ => states[at] = 1,
    }
    for next in 0..events.len() {
        // A pair of an event with itself is a cycle, too.
        if psc(events[at], events[next]) && !visit(next, events, psc, states) {
            return false;
        }
    }
    states[at] = 2;
    true
}

/// Returns whether `psc` has `(a, b)`.
fn precedes(
    graph: &Graph,
    a: EventId,
    b: EventId,
    before_in_mo: &impl Fn(EventId, EventId) -> bool,
) -> bool {
    let is_fence = |event: EventId| graph.event(event).kind == Kind::Fence;
    let all = || 0..graph.events().len() as EventId;
    let behind = |event: EventId, x: EventId| {
        x == event || is_fence(event) && graph.happens_before(event, x)
    };
    let before = |y: EventId, event: EventId| {
        y == event || is_fence(event) && graph.happens_before(y, event)
    };
    let base = match (is_fence(a), is_fence(b)) {
        (false, false) => scb(graph, a, b, before_in_mo),
        _ => all()
            .filter(|x| behind(a, *x))
            .any(|x| all().filter(|y| before(*y, b)).any(|y| scb(graph, x, y, before_in_mo))),
    };
    base || is_fence(a) && is_fence(b) && fences_precede(graph, a, b, before_in_mo)
}

/// Returns whether `psc_F` has the pair of fences `(a, b)`.
fn fences_precede(
    graph: &Graph,
    a: EventId,
    b: EventId,
    before: &impl Fn(EventId, EventId) -> bool,
) -> bool {
    let all = || 0..graph.events().len() as EventId;
    graph.happens_before(a, b)
        || all().filter(|x| graph.happens_before(a, *x)).any(|x| {
            all().filter(|y| graph.happens_before(*y, b)).any(|y| eco(graph, x, y, before))
        })
}

/// Returns whether `eco = (rf ∪ mo ∪ fr)⁺` has `(x, y)`.
fn eco(graph: &Graph, x: EventId, y: EventId, before: &impl Fn(EventId, EventId) -> bool) -> bool {
    if x == y || !is_same_location(graph, x, y) {
        return false;
    }
    let (from, to) = (write_of(graph, x), write_of(graph, y));
    match (graph.event(x).kind, graph.event(y).kind) {
        (Kind::Write, Kind::Read) => from == to || before(from, to),
        _ => before(from, to),
    }
}

/// Returns whether `scb` has `(x, y)`.
fn scb(
    graph: &Graph,
    x: EventId,
    y: EventId,
    before_in_mo: &impl Fn(EventId, EventId) -> bool,
) -> bool {
    if x == y {
        return false;
    }
    let (from, to) = (graph.event(x), graph.event(y));
    if from.process == to.process && from.index < to.index {
        return true;
    }
    if is_same_location(graph, x, y) {
        let is_ordered = || before_in_mo(write_of(graph, x), write_of(graph, y));
        // `mo` and `fr`, and `hb|loc`.
        if to.kind == Kind::Write && is_ordered() || graph.happens_before(x, y) {
            return true;
        }
    }
    // The first event behind `x` on another location, and the last one before `y`.
    let behind = graph.events_of(from.process)[from.index as usize..]
        .iter()
        .find(|event| !is_same_location(graph, x, **event));
    let before = graph.events_of(to.process)[..to.index as usize - 1]
        .iter()
        .rev()
        .find(|event| !is_same_location(graph, **event, y));
    match (behind, before) {
        (Some(behind), Some(before)) => graph.happens_before(*behind, *before),
        _ => false,
    }
}

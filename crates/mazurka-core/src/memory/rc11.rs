//! RC11: Lahav, Vafeiadis, Kang, Hur and Dreyer, *Repairing sequential consistency in C/C++11*.
//!
//! A graph is consistent if it is coherent (`hb;eco?` is irreflexive), read-modify-writes are atomic,
//! `po ∪ rf` is acyclic, and `psc` is acyclic:
//!
//! ```text
//! scb      = po ∪ po|≠loc;hb;po|≠loc ∪ hb|loc ∪ mo ∪ fr
//! psc_base = ([E_sc] ∪ [F_sc];hb?) ; scb ; ([E_sc] ∪ hb?;[F_sc])
//! psc_F    = [F_sc] ; (hb ∪ hb;eco;hb) ; [F_sc]
//! psc      = psc_base ∪ psc_F
//! ```

use super::coherence::{has_successors, is_coherent};
use super::graph::Kind;
use super::psc::is_in_cycle;
use super::relation::Relation;
use super::witness::{Order, write_of};
use super::{EventId, Graph, INITIAL, Model};
use crate::model::MemoryOrdering;

/// RC11.
pub(super) struct Rc11;

impl Model for Rc11 {
    fn counts_as(&self, ordering: MemoryOrdering) -> MemoryOrdering {
        ordering
    }

    fn admits(&self, graph: &Graph, last: EventId) -> bool {
        is_coherent(graph, last) && is_psc_acyclic(graph, last)
    }

    fn base(&self, _graph: &Graph) -> Option<Relation> {
        None
    }

    fn allows(&self, graph: &Graph, order: &Order) -> bool {
        let events: Vec<EventId> =
            (0..graph.events().len() as EventId).filter(|event| is_sc(graph, *event)).collect();
        let mut states = vec![0u8; events.len()];
        let before = |a: EventId, b: EventId| order.precedes(graph, a, b);
        let psc = |a: EventId, b: EventId| precedes(graph, a, b, &before);
        (0..events.len()).all(|start| visit(start, &events, &psc, &mut states))
    }

    fn has_data_races(&self) -> bool {
        true
    }
}

fn is_sc(graph: &Graph, event: EventId) -> bool {
    graph.event(event).ordering.is_some_and(MemoryOrdering::is_seq_cst)
}

/// Returns whether a write comes before another one in the coherence order of a graph.
fn is_before(graph: &Graph, a: EventId, b: EventId) -> bool {
    let position = |write: EventId| match write {
        INITIAL => 0,
        write => graph.event(write).position,
    };
    position(a) < position(b)
}

/// Returns whether `psc`, which was acyclic before the last event was added, still is.
fn is_psc_acyclic(graph: &Graph, last: EventId) -> bool {
    // All new pairs of `psc` end in the last event, if it is `seq_cst`, or go through a pair of `mo` or
    // `fr` that starts with it.
    if !has_successors(graph, last) {
        return true;
    }
    let is_sc = |event: &EventId| is_sc(graph, *event);
    let is_sc_fence = |event: &EventId| is_sc(event) && graph.event(*event).kind == Kind::Fence;
    let has_fences = (0..last).any(|event| is_sc_fence(&event));
    // Without fences, `psc` has the pairs of `scb` between `seq_cst` accesses. Those of earlier events are
    // what they were, so that a new cycle goes through the last event.
    if !has_fences && !is_sc(&last) {
        return true;
    }
    let events = || (0..graph.events().len() as EventId).filter(is_sc).collect::<Vec<_>>();
    if !has_fences {
        let is_acyclic = !is_in_cycle(graph, last);
        debug_assert_eq!(is_acyclic, !has_cycle(graph, &events(), &[last]));
        return is_acyclic;
    }
    let events = events();
    !has_cycle(graph, &events, &events)
}

/// Returns whether a cycle of `psc` is reachable from one of the starts. The events are all that are `seq_cst`.
fn has_cycle(graph: &Graph, events: &[EventId], starts: &[EventId]) -> bool {
    let before = |a: EventId, b: EventId| is_before(graph, a, b);
    let psc = |a: EventId, b: EventId| precedes(graph, a, b, &before);
    // Depth first: 1 is on the path, 2 is done.
    let mut states = vec![0u8; events.len()];
    let place = |start: &EventId| events.iter().position(|event| event == start);
    !starts.iter().filter_map(place).all(|start| visit(start, events, &psc, &mut states))
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

fn is_memory(graph: &Graph, event: EventId) -> bool {
    matches!(graph.event(event).kind, Kind::Read | Kind::Write)
}

fn same_location(graph: &Graph, x: EventId, y: EventId) -> bool {
    is_memory(graph, x) && is_memory(graph, y) && graph.event(x).location == graph.event(y).location
}

/// Returns whether `eco = (rf ∪ mo ∪ fr)⁺` has `(x, y)`.
fn eco(graph: &Graph, x: EventId, y: EventId, before: &impl Fn(EventId, EventId) -> bool) -> bool {
    if x == y || !same_location(graph, x, y) {
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
    if same_location(graph, x, y) {
        let is_ordered = || before_in_mo(write_of(graph, x), write_of(graph, y));
        // `mo` and `fr`, and `hb|loc`.
        if to.kind == Kind::Write && is_ordered() || graph.happens_before(x, y) {
            return true;
        }
    }
    // The first event behind `x` on another location, and the last one before `y`.
    let behind = graph.events_of(from.process)[from.index as usize..]
        .iter()
        .find(|event| !same_location(graph, x, **event));
    let before = graph.events_of(to.process)[..to.index as usize - 1]
        .iter()
        .rev()
        .find(|event| !same_location(graph, **event, y));
    match (behind, before) {
        (Some(behind), Some(before)) => graph.happens_before(*behind, *before),
        _ => false,
    }
}

//! Cycles of the relations that `sc`, `tso` and `pso` ask to be acyclic.

use super::graph::{Event, EventId, Graph, INITIAL, Kind};
use super::relation::Relation;

/// Returns whether the last event is on a cycle of `preserved ∪ edges ∪ rf ∪ mo ∪ fr`, where a read from
/// a write of the same process counts only if `with_internal`.
///
/// `preserved` says which pairs of events of one process, in program order, are in the relation.
pub(super) fn is_in_cycle(
    graph: &Graph,
    last: EventId,
    with_internal: bool,
    preserved: impl Fn(EventId, EventId) -> bool,
) -> bool {
    if !super::coherence::has_successors(graph, last) {
        return false;
    }
    let count = graph.events().len();
    let mut seen = vec![false; count];
    let mut open = vec![last];
    let precedes = |a: EventId, b: EventId| {
        let (from, to) = (graph.event(a), graph.event(b));
        if from.process == to.process {
            if from.index < to.index && preserved(a, b) {
                return true;
            }
        } else if graph.program_order(a, b) {
            return true;
        }
        is_observed_before(graph, a, b, with_internal)
    };
    while let Some(at) = open.pop() {
        for next in 0..count as EventId {
            if !seen[next as usize] && next != at && precedes(at, next) {
                if next == last {
                    return true;
                }
                seen[next as usize] = true;
                open.push(next);
            }
        }
    }
    false
}

/// Returns whether `rf ∪ mo ∪ fr` has `(a, b)`.
fn is_observed_before(graph: &Graph, a: EventId, b: EventId, with_internal: bool) -> bool {
    let (from, to): (&Event, &Event) = (graph.event(a), graph.event(b));
    let is_memory = |kind| matches!(kind, Kind::Read | Kind::Write);
    if from.location != to.location || !is_memory(from.kind) || !is_memory(to.kind) {
        return false;
    }
    match (from.kind, to.kind) {
        (Kind::Write, Kind::Read) => {
            to.reads_from == a && (with_internal || from.process != to.process)
        }
        (_, Kind::Write) => graph.position_of(a) < graph.position_of(b),
        _ => false,
    }
}

/// Returns `preserved ∪ edges ∪ rf`, where a read from a write of the same process counts only if
/// `with_internal`.
pub(super) fn base(
    graph: &Graph,
    with_internal: bool,
    preserved: impl Fn(EventId, EventId) -> bool,
) -> Relation {
    let count = graph.events().len() as EventId;
    let mut relation = Relation::new(count as usize);
    for (a, b) in (0..count).flat_map(|b| (0..b).map(move |a| (a, b))) {
        let is_ordered = match graph.event(a).process == graph.event(b).process {
            true => preserved(a, b),
            false => graph.program_order(a, b),
        };
        if is_ordered {
            relation.add(a, b);
        }
    }
    for (read, event) in (0..count).zip(graph.events()) {
        let write = event.reads_from;
        if event.kind == Kind::Read
            && write != INITIAL
            && (with_internal || graph.event(write).process != event.process)
        {
            relation.add(write, read);
        }
    }
    relation
}

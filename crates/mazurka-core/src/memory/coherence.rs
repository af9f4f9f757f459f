//! What all models ask of each location on its own.

use super::graph::{Event, EventId, Graph, Kind};

/// Returns whether the accesses to the location of the last event are still coherent, and
/// read-modify-writes atomic.
///
/// Coherence: `hb;eco?` is irreflexive. The last event happens before no other. So it breaks this only
/// if it is, or reads from, a write that is in coherence order before a write that happens before it, or
/// before a write that is read by an event that happens before it.
///
/// Atomicity: the write of a read-modify-write comes immediately behind the write that its read reads
/// from.
pub(super) fn is_coherent(graph: &Graph, last: EventId) -> bool {
    let Event { kind, location, is_exclusive, .. } = *graph.event(last);
    match kind {
        Kind::Fence | Kind::Choice => true,
        Kind::Read => graph.position_of(last) >= graph.floor(last),
        Kind::Write => {
            let position = graph.position(location, last);
            let before = match position {
                1 => super::INITIAL,
                position => graph.coherence(location)[position - 2],
            };
            let own_read = match is_exclusive {
                true => last - 1,
                false => super::INITIAL,
            };
            if is_exclusive && graph.event(own_read).reads_from != before {
                return false;
            }
            position > graph.floor(last) && !graph.is_read_exclusively(location, before, own_read)
        }
    }
}

/// Returns whether some event follows the last event in `mo` or `fr`. Otherwise nothing follows it, and
/// it is in no cycle.
pub(crate) fn has_successors(graph: &Graph, last: EventId) -> bool {
    let Event { kind, location, .. } = *graph.event(last);
    match kind {
        Kind::Fence | Kind::Choice => false,
        Kind::Read | Kind::Write => graph.position_of(last) < graph.coherence(location).len(),
    }
}

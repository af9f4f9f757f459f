//! Which events were added maximally, with respect to a write that may revisit reads.

use super::observed::is_maximal_read;
use crate::memory::{EventId, Graph, INITIAL, Kind, Model};
use crate::search::Coherence;

/// Whether the events of a graph were added maximally, with respect to one write.
///
/// This does not depend on the read that the write revisits. A write that may revisit many reads would delete
/// many events again and again, so that the answers are kept.
#[derive(Default, Debug)]
pub(super) struct Added {
    /// By event, if it is known.
    is_maximal: Vec<Option<bool>>,
    /// By read, if it is known: what [`is_maximal_read`] returns.
    is_maximal_read: Vec<Option<bool>>,
}

impl Added {
    /// Forgets all answers. The next questions are about another write, or another graph.
    pub(super) fn restart(&mut self, graph: &Graph) {
        for answers in [&mut self.is_maximal, &mut self.is_maximal_read] {
            answers.clear();
            answers.resize(graph.events().len(), None);
        }
    }

    /// Returns whether an event was added maximally with respect to the write `w`. With observed coherence, this
    /// holds for a read only if [`is_maximal_read`](Self::is_maximal_read) does, too.
    pub(super) fn is_maximal(
        &mut self,
        graph: &Graph,
        e: EventId,
        w: EventId,
        coherence: Coherence,
    ) -> bool {
        let answer = &mut self.is_maximal[e as usize];
        *answer.get_or_insert_with(|| is_maximally_added(graph, e, w, coherence))
    }

    /// Returns whether a read was added maximally with respect to the write `w`, under observed coherence.
    pub(super) fn is_maximal_read(
        &mut self,
        graph: &Graph,
        read: EventId,
        w: EventId,
        scratch: (&mut Graph, &mut Vec<bool>, &mut Vec<EventId>),
        model: &dyn Model,
    ) -> bool {
        let is_previous = |other: EventId| is_previous(graph, other, read, w);
        let answer = &mut self.is_maximal_read[read as usize];
        *answer.get_or_insert_with(|| is_maximal_read(graph, read, is_previous, scratch, model))
    }
}

/// Returns whether an event was there before another one, or is in the prefix of the write `w`.
fn is_previous(graph: &Graph, other: EventId, e: EventId, w: EventId) -> bool {
    other != w
        && (graph.event(other).stamp <= graph.event(e).stamp
            || graph.is_in_prefix(graph.first_of_step(other), w))
}

/// `ISMAXIMALLYADDED`: returns whether an event was added as it would be if only the events that were
/// there before it and the prefix of the write `w` existed. With observed coherence,
/// [`is_maximal_read`] has to look at reads, too.
fn is_maximally_added(graph: &Graph, e: EventId, w: EventId, coherence: Coherence) -> bool {
    let event = graph.event(e);
    let is_previous = |other: EventId| is_previous(graph, other, e, w);
    if event.choice != 0 {
        return false;
    }
    let write = match event.kind {
        Kind::Fence | Kind::Choice => return true,
        Kind::Read => event.reads_from,
        Kind::Write => e,
    };
    if write != INITIAL && !is_previous(write) {
        return false;
    }
    if event.kind == Kind::Write {
        let mut reads = graph.reads(event.location).iter();
        if reads.any(|read| graph.event(*read).reads_from == e && is_previous(*read)) {
            return false;
        }
    }
    if coherence == Coherence::Observed {
        return true;
    }
    let position = graph.position(event.location, write);
    !graph.coherence(event.location)[position..].iter().any(|later| is_previous(*later))
}

//! Which events were added maximally, with respect to a write that may revisit reads.

use super::observed::is_maximal_read;
use crate::memory::{EventId, Graph, INITIAL, Kind, Model, NO_STEP};
use crate::search::Coherence;

/// Whether the events of a graph were added maximally, with respect to one write.
///
/// This does not depend on the read that the write revisits. A write that may revisit many reads would delete
/// many events again and again, so that the answers are kept.
#[derive(Default, Debug)]
pub(super) struct Added {
    /// By event: the first event of its step.
    first: Vec<EventId>,
    /// By event: whether that is in the prefix of the write, or so early that it does not matter.
    is_kept: Vec<bool>,
    /// By event, if it is known.
    is_maximal: Vec<Option<bool>>,
    /// By read, if it is known: what [`is_maximal_read`] returns.
    is_maximal_read: Vec<Option<bool>>,
}

impl Added {
    /// Forgets all answers. The next questions are about the write `w`, and about reads of which none has an
    /// earlier stamp than this.
    pub(super) fn restart(&mut self, graph: &Graph, w: EventId, stamp: u32) {
        for answers in [&mut self.is_maximal, &mut self.is_maximal_read] {
            answers.clear();
            answers.resize(graph.events().len(), None);
        }
        // Earlier events are previous to all others, and not deleted.
        let mut from = graph.first_after(stamp) as usize;
        let step_of = |e: usize| graph.events()[e].step;
        while from > 0
            && from < graph.events().len()
            && step_of(from) != NO_STEP
            && step_of(from - 1) == step_of(from)
        {
            from -= 1;
        }
        self.first.clear();
        self.first.extend(0..from as EventId);
        self.is_kept.clear();
        self.is_kept.resize(from, true);
        let mut step = NO_STEP;
        for e in from..graph.events().len() {
            let (first, is_kept) = match step != NO_STEP && step_of(e) == step {
                true => (self.first[e - 1], self.is_kept[e - 1]),
                false => (e as EventId, graph.is_in_prefix(e as EventId, w)),
            };
            step = step_of(e);
            self.first.push(first);
            self.is_kept.push(is_kept);
        }
    }

    /// Returns whether an event is deleted if the write revisits a read: its step was added later, and is not in
    /// the prefix of the write.
    ///
    /// A step may perform further actions after its first one. They have no other choice, and follow the
    /// first one in program order alone. So a step that is partly in the prefix is kept as a whole.
    #[inline]
    pub(super) fn is_deleted(&self, graph: &Graph, read: EventId, e: EventId) -> bool {
        let stamp = graph.event(read).stamp;
        !self.is_kept[e as usize]
            && graph.event(e).stamp > stamp
            && graph.event(self.first[e as usize]).stamp >= stamp
    }

    /// Returns whether an event was there before another one, or is in the prefix of the write `w`.
    #[inline]
    fn is_previous(&self, graph: &Graph, other: EventId, e: EventId, w: EventId) -> bool {
        other != w
            && (self.is_kept[other as usize] || graph.event(other).stamp <= graph.event(e).stamp)
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
        if let Some(known) = self.is_maximal[e as usize] {
            return known;
        }
        let answer = self.is_maximally_added(graph, e, w, coherence);
        self.is_maximal[e as usize] = Some(answer);
        answer
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
        if let Some(known) = self.is_maximal_read[read as usize] {
            return known;
        }
        let is_previous = |other: EventId| self.is_previous(graph, other, read, w);
        let answer = is_maximal_read(graph, read, is_previous, scratch, model);
        self.is_maximal_read[read as usize] = Some(answer);
        answer
    }

    /// `ISMAXIMALLYADDED`: returns whether an event was added as it would be if only the events that were
    /// there before it and the prefix of the write `w` existed. With observed coherence,
    /// [`is_maximal_read`] has to look at reads, too.
    fn is_maximally_added(
        &self,
        graph: &Graph,
        e: EventId,
        w: EventId,
        coherence: Coherence,
    ) -> bool {
        let event = graph.event(e);
        let is_previous = |other: EventId| self.is_previous(graph, other, e, w);
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
}

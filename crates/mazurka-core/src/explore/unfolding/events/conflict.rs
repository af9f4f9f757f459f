//! Causality and conflict between events.

use super::event::{EventId, Mark, UnfoldingEvent, dependent};
use super::prefix::Prefix;
use crate::model::ProcessId;

impl Prefix {
    /// Returns the number of an event in its process; 0 for none.
    #[inline]
    fn number(&self, event: EventId) -> u32 {
        if event == EventId::NONE { 0 } else { self.get(event).number }
    }

    /// Returns the event with that number on the way from the first event of its process to this
    /// one.
    ///
    /// Every event knows one that is further back, so that it takes only logarithmically many steps: these
    /// jumps are as long as the two before them together if those are of equal length (Myers' skew-binary
    /// lists).
    pub(crate) fn ancestor(&self, mut event: EventId, number: u32) -> EventId {
        while self.number(event) > number {
            let UnfoldingEvent { jump, previous, .. } = *self.get(event);
            event = if self.number(jump) >= number { jump } else { previous };
        }
        event
    }

    /// Returns the jump of an event that follows `previous`.
    pub(crate) fn jump_behind(&self, previous: EventId) -> EventId {
        if previous == EventId::NONE {
            return EventId::NONE;
        }
        let first = self.get(previous).jump;
        let second = if first == EventId::NONE { first } else { self.get(first).jump };
        let (here, there) = (self.number(previous), self.number(first));
        match first != EventId::NONE && here - there == there - self.number(second) {
            true => second,
            false => previous,
        }
    }

    /// Returns whether an event is the other one or a cause of it: whether it is in `[other]`.
    pub(crate) fn is_in(&self, event: EventId, other: EventId) -> bool {
        let Mark { event: last, number } = self.marks(other)[self.get(event).process().index()];
        let wanted = self.get(event).number;
        number >= wanted && self.ancestor(last, wanted) == event
    }

    /// Returns whether what a process did in the past of an event is a part of what it has done up
    /// to
    /// `previous`: otherwise whatever it does behind that is a cause of the event or excluded by it,
    /// and not in immediate conflict with it.
    #[inline]
    pub(crate) fn may_follow(&self, event: EventId, process: ProcessId, previous: EventId) -> bool {
        let Mark { event: last, number } = self.marks(event)[process.index()];
        last == previous
            || last == EventId::NONE
            || (previous != EventId::NONE
                && number < self.get(previous).number
                && self.ancestor(previous, number) == last)
    }

    /// Returns all causes of some events, in an order in which they can be run.
    pub(crate) fn causes_of<const N: usize>(&self, events: [EventId; N]) -> Vec<EventId> {
        let mut causes = Vec::new();
        for mark in events.iter().flat_map(|event| self.marks(*event)) {
            let mut cause = mark.event;
            while cause != EventId::NONE {
                causes.push(cause);
                cause = self.get(cause).previous;
            }
        }
        causes.retain(|cause| !events.contains(cause));
        causes.sort_unstable_by_key(|cause| self.get(*cause).serial);
        causes.dedup();
        causes
    }

    /// Returns whether two events exclude each other by themselves, rather than by their causes.
    pub(crate) fn in_direct_conflict(&self, a: EventId, b: EventId) -> bool {
        let (one, other) = (self.get(a), self.get(b));
        let excluding = one.process() == other.process() || dependent(&one.touches, &other.touches);
        a != b && excluding && !self.is_in(a, b) && !self.is_in(b, a)
    }

    /// Returns whether two events are in immediate conflict: they exclude each other, but neither
    /// excludes a cause of the other, and their causes do not exclude each other either.
    ///
    /// After the causes of both, a process can take only one step for each of its alternatives. So
    /// two events of one process are in immediate conflict only if these differ.
    pub(crate) fn in_immediate_conflict(
        &self,
        a: EventId,
        b: EventId,
        (only_a, only_b): &mut (Vec<EventId>, Vec<EventId>),
    ) -> bool {
        let (one, other) = (self.get(a), self.get(b));
        let excluding = match one.process() == other.process() {
            true => one.number == other.number && one.step.choice != other.step.choice,
            false => dependent(&one.touches, &other.touches),
        };
        if !excluding || !self.differences(a, b, (only_a, only_b)) {
            return false;
        }
        let mut pairs = only_a.iter().flat_map(|a| only_b.iter().map(move |b| (*a, *b)));
        let touches = |event| &self.get(event).touches;
        pairs.all(|(c, d)| (c, d) == (a, b) || !dependent(touches(c), touches(d)))
    }

    /// Collects `[a] ∖ [b]` and `[b] ∖ [a]`. Returns `false` if one of the events is a cause of the other,
    /// or some process took different steps in their pasts.
    fn differences(
        &self,
        a: EventId,
        b: EventId,
        (only_a, only_b): (&mut Vec<EventId>, &mut Vec<EventId>),
    ) -> bool {
        only_a.clear();
        only_b.clear();
        let (of_a, of_b) = (self.get(a).process().index(), self.get(b).process().index());
        for (process, (in_a, in_b)) in self.marks(a).iter().zip(self.marks(b)).enumerate() {
            if in_a == in_b {
                if in_a.event == a || in_b.event == b {
                    return false;
                }
                continue;
            }
            if of_a == of_b && process == of_a {
                only_a.push(a);
                only_b.push(b);
                if self.get(a).previous != self.get(b).previous {
                    return false;
                }
                continue;
            }
            let (mut longer, shorter, only, end) = match in_a.number > in_b.number {
                true => (in_a.event, in_b, &mut *only_a, b),
                false => (in_b.event, in_a, &mut *only_b, a),
            };
            // The shorter of the two ends with the other event: that is a cause, or excluded.
            if shorter.event == end {
                return false;
            }
            if self.ancestor(longer, shorter.number) != shorter.event {
                return false;
            }
            while longer != shorter.event {
                only.push(longer);
                longer = self.get(longer).previous;
            }
        }
        true
    }
}

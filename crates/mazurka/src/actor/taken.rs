//! What has been taken out of a mailbox.

use std::cell::Cell;
use std::ptr;

use mazurka_core::model::{Location, Rival};

use super::asking::ask;
use super::mailbox::Envelope;
use super::pattern::Pattern;
use crate::rt;

/// The messages that were taken out of a mailbox, and by which patterns.
pub(super) struct Taken<M> {
    /// Each with the place of the pattern.
    messages: Vec<(u32, u32)>,
    patterns: Vec<Known<M>>,
}

/// A pattern that has taken a message, perhaps several times.
struct Known<M> {
    pattern: Box<dyn Pattern<M>>,
    /// Whether it matches the message that it was asked about last.
    matches: Cell<bool>,
}

impl<M> Default for Taken<M> {
    fn default() -> Self {
        Taken { messages: Vec::new(), patterns: Vec::new() }
    }
}

impl<M> Taken<M> {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.messages.clear();
        self.patterns.clear();
    }
}

impl<M: 'static> Taken<M> {
    /// Notes that a pattern, which [has a state](Pattern::has_state) or not, has taken a message, and
    /// returns the pattern.
    pub(super) fn add(
        &mut self,
        message: u32,
        pattern: Box<dyn Pattern<M>>,
        has_state: bool,
    ) -> &dyn Pattern<M> {
        let place = self.place_of(pattern, has_state);
        self.messages.push((message, place as u32));
        &*self.patterns[place].pattern
    }

    /// Where a pattern is kept. One that has no state answers as all others of its kind do, so one of
    /// them is enough: a loop that receives in the same few places asks as many questions of each
    /// message, and not as many as it has received messages.
    #[inline]
    fn place_of(&mut self, pattern: Box<dyn Pattern<M>>, has_state: bool) -> usize {
        if !has_state && let Some(place) = self.patterns.iter().position(|it| it.is_same(&*pattern))
        {
            return place;
        }
        self.patterns.push(Known { pattern, matches: Cell::new(false) });
        self.patterns.len() - 1
    }

    /// Whether there is nothing.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Reports the messages that were taken by receives that would have taken this one, too.
    #[inline(never)]
    pub(super) fn report_rivals(&self, on: Location, envelope: &Envelope<M>) {
        self.patterns.iter().for_each(|it| it.matches.set(false));
        let questions = self.patterns.iter().map(|it| (envelope, &*it.pattern, &it.matches));
        ask(questions, |matches| {
            matches.set(true);
            true
        });
        let matches = |by: u32| self.patterns[by as usize].matches.get();
        let rivals = self.messages.iter().filter(|(_, by)| matches(*by));
        let rivals = rivals.map(|(taken, _)| Rival { on, taken: *taken, other: envelope.number });
        rt::with(|rt| rt.report_rivals(rivals));
    }
}

impl<M> Known<M> {
    /// Whether this is the same as a pattern without state.
    #[inline]
    fn is_same(&self, other: &dyn Pattern<M>) -> bool {
        // In boxes, all that has no size is in one place. If the tables of methods are in one place too,
        // the type is the same. It may have several, which only means to ask more.
        #[allow(ambiguous_wide_pointer_comparisons, reason = "what is the same may seem not to be")]
        ptr::eq(&raw const *self.pattern, &raw const *other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actor::pattern::If;

    fn more_than(least: u32) -> Box<dyn Pattern<u32>> {
        Box::new(If(move |message: &u32| *message > least))
    }

    fn odd() -> Box<dyn Pattern<u32>> {
        Box::new(If(|message: &u32| message % 2 == 1))
    }

    #[test]
    fn patterns_without_state_are_kept_once() {
        let mut taken = Taken::default();
        taken.add(0, odd(), false);
        taken.add(1, Box::new(If(|message: &u32| *message > 7)), false);
        assert!(taken.add(2, odd(), false).matches(&3));
        assert!(!taken.add(3, odd(), false).matches(&4));
        assert_eq!(taken.patterns.len(), 2);
        assert_eq!(taken.messages, [(0, 0), (1, 1), (2, 0), (3, 0)]);
    }

    #[test]
    fn patterns_with_state_are_told_apart() {
        let mut taken = Taken::default();
        assert!(!taken.add(0, more_than(5), true).matches(&5));
        assert!(taken.add(1, more_than(4), true).matches(&5));
        assert!(!taken.add(2, more_than(5), true).matches(&5));
        assert_eq!(taken.patterns.len(), 3);
    }
}

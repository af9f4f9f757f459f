//! What has been taken out of a mailbox.

use std::{mem, ptr};

use mazurka_core::model::{Location, Rival};

use super::asking::ask;
use super::mailbox::Envelope;
use super::pattern::Pattern;
use crate::rt;

/// The patterns by which messages were taken out of a mailbox.
pub(super) struct Taken<M>(Vec<Known<M>>);

/// A pattern that has taken a message, perhaps several times.
struct Known<M> {
    pattern: Box<dyn Pattern<M>>,
    /// The last message that it has taken.
    last: u32,
}

impl<M> Default for Taken<M> {
    fn default() -> Self {
        Taken(Vec::new())
    }
}

impl<M> Taken<M> {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl<M: 'static> Taken<M> {
    /// Notes that a pattern, which [has a state](super::pattern::has_state) or not, has taken a message.
    /// Returns the pattern, and the message that it took before, if it is known to have taken one.
    ///
    /// One that has no state answers as all others of its kind do, so one of them is enough: a loop that
    /// receives in the same few places asks as many questions of each message, and not as many as it has
    /// received messages.
    pub(super) fn add(
        &mut self,
        message: u32,
        pattern: Box<dyn Pattern<M>>,
        has_state: bool,
    ) -> (&dyn Pattern<M>, Option<u32>) {
        let same = match has_state {
            true => None,
            false => self.0.iter().position(|it| it.is_same(&*pattern)),
        };
        let place = same.unwrap_or(self.0.len());
        if same.is_none() {
            self.0.push(Known { pattern, last: message });
        }
        let known = &mut self.0[place];
        let last = mem::replace(&mut known.last, message);
        (&*known.pattern, same.map(|_| last))
    }

    /// Whether there is nothing.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reports the messages that were taken by receives that would have taken this one, too; of those with
    /// the same pattern, the last.
    #[inline(never)]
    pub(super) fn report_rivals(&self, on: Location, envelope: &Envelope<M>) {
        let questions = self.0.iter().map(|it| (envelope, &*it.pattern, it.last));
        ask(questions, |taken| {
            rt::with(|rt| rt.report_rival(Rival { on, taken, other: envelope.number }));
            true
        });
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
        assert_eq!(taken.add(0, odd(), false).1, None);
        assert_eq!(taken.add(1, Box::new(If(|message: &u32| *message > 7)), false).1, None);
        let (pattern, before) = taken.add(2, odd(), false);
        assert!(pattern.matches(&3) && !pattern.matches(&4));
        assert_eq!(before, Some(0));
        assert_eq!(taken.add(3, odd(), false).1, Some(2));
        assert_eq!(taken.0.iter().map(|it| it.last).collect::<Vec<_>>(), [3, 1]);
    }

    #[test]
    fn patterns_with_state_are_told_apart() {
        let mut taken = Taken::default();
        assert!(!taken.add(0, more_than(5), true).0.matches(&5));
        assert!(taken.add(1, more_than(4), true).0.matches(&5));
        let (pattern, before) = taken.add(2, more_than(5), true);
        assert!(!pattern.matches(&5) && before.is_none());
        assert_eq!(taken.0.len(), 3);
    }
}

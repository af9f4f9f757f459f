//! What has been taken out of a mailbox.

use std::{mem, ptr};

use mazurka_core::model::{Alike, Location, Rival};

use super::asking::ask;
use super::mailbox::Envelope;
use super::pattern::Pattern;
use crate::rt;

/// The patterns that have taken messages out of a mailbox.
///
/// One that has no state answers as all others of its type do, so those receives are
/// [alike](Alike), and one of them is enough: a loop that receives in the same few places asks as many
/// questions of each message, and not as many as it has received messages.
pub(super) struct Taken<M>(Vec<Known<M>>);

/// The pattern of a receive, or of several that are alike.
struct Known<M> {
    pattern: Box<dyn Pattern<M>>,
    /// The message that it has taken last.
    last: u32,
}

impl<M> Default for Taken<M> {
    fn default() -> Self {
        Taken(Vec::new())
    }
}

impl<M> Taken<M> {
    /// Whether there is nothing.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl<M: 'static> Taken<M> {
    /// Notes that a pattern, which [has a state](Pattern::has_state) or not, has taken a message.
    /// Returns the pattern, and to which receive this one is alike.
    pub(super) fn add(
        &mut self,
        taken: u32,
        pattern: Box<dyn Pattern<M>>,
        has_state: bool,
    ) -> (&dyn Pattern<M>, Option<Alike>) {
        if !has_state && let Some(place) = self.0.iter().position(|it| it.is_same(&*pattern)) {
            let known = &mut self.0[place];
            let before = mem::replace(&mut known.last, taken);
            return (&*known.pattern, Some(Alike { taken, before }));
        }
        self.0.push(Known { pattern, last: taken });
        (&*self.0[self.0.len() - 1].pattern, None)
    }

    /// Reports the messages that were taken by receives that would have taken this one, too: of those
    /// that are alike, by the last.
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

    fn add(taken: &mut Taken<u32>, message: u32, pattern: Box<dyn Pattern<u32>>) -> Option<u32> {
        let has_state = pattern.has_state();
        let alike = taken.add(message, pattern, has_state).1;
        assert!(alike.is_none_or(|alike| alike.taken == message));
        alike.map(|alike| alike.before)
    }

    #[test]
    fn receives_by_one_pattern_without_state_are_alike() {
        let mut taken = Taken::default();
        let small = || Box::new(If(|message: &u32| *message < 7));
        assert_eq!(add(&mut taken, 0, odd()), None);
        assert_eq!(add(&mut taken, 1, small()), None);
        assert_eq!(add(&mut taken, 2, odd()), Some(0));
        assert_eq!(add(&mut taken, 3, odd()), Some(2));
        assert_eq!(add(&mut taken, 4, small()), Some(1));
        let (pattern, _) = taken.add(5, odd(), false);
        assert!(pattern.matches(&9) && !pattern.matches(&6));
    }

    #[test]
    fn patterns_with_state_are_told_apart() {
        let mut taken = Taken::default();
        assert_eq!(add(&mut taken, 0, more_than(5)), None);
        assert_eq!(add(&mut taken, 1, more_than(4)), None);
        let (pattern, alike) = taken.add(2, more_than(5), true);
        assert!(alike.is_none() && pattern.matches(&6) && !pattern.matches(&5));
    }
}

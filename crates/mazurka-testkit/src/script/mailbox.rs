//! Mailboxes with selective receives.

use mazurka_core::model::{Alike, Location, Rival};

/// A pattern that selects messages by their values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// Matches every message.
    Any,
    /// `if == 1`
    Equals(i64),
    /// `if != 1`
    Differs(i64),
    /// `if < 1`
    Below(i64),
}

impl Pattern {
    /// Returns whether it matches messages with this value.
    pub fn matches(self, value: i64) -> bool {
        match self {
            Pattern::Any => true,
            Pattern::Equals(wanted) => value == wanted,
            Pattern::Differs(unwanted) => value != unwanted,
            Pattern::Below(bound) => value < bound,
        }
    }

    /// Returns whether it is known to match the same messages as another pattern. This is unknown
    /// for `Below`, as for a pattern that is code.
    fn is_alike(self, other: Pattern) -> bool {
        self == other && !matches!(self, Pattern::Below(_))
    }
}

/// A message with its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Message {
    pub(super) number: u32,
    pub(super) value: i64,
}

/// The messages in a mailbox, oldest first, and the taken messages with the patterns of their
/// receives.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Mailbox {
    messages: Vec<Message>,
    taken: Vec<(Message, Pattern)>,
}

impl Mailbox {
    pub(super) fn deliver(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// Returns the values of the messages in it, oldest first.
    pub(super) fn values(&self) -> impl Iterator<Item = i64> + '_ {
        self.messages.iter().map(|message| message.value)
    }

    /// Returns whether there is a matching message.
    pub(super) fn has(&self, pattern: Pattern) -> bool {
        self.messages.iter().any(|message| pattern.matches(message.value))
    }

    /// Takes the oldest matching message.
    pub(super) fn take(&mut self, pattern: Pattern) -> Option<Message> {
        let oldest = self.messages.iter().position(|message| pattern.matches(message.value))?;
        let message = self.messages.remove(oldest);
        self.taken.push((message, pattern));
        Some(message)
    }

    /// Returns the messages that earlier receives took although their pattern matches `new`. Of
    /// receives with the same pattern, only the last counts.
    pub(super) fn rivals_of_new(&self, on: Location, new: Message) -> impl Iterator<Item = Rival> {
        let is_last = |(place, (_, pattern)): &(usize, &(Message, Pattern))| {
            !self.taken[place + 1..].iter().any(|(_, later)| later.is_alike(*pattern))
        };
        let last = self.taken.iter().enumerate().filter(is_last).map(|(_, taken)| taken);
        let rivals = last.filter(move |(_, pattern)| pattern.matches(new.value));
        rivals.map(move |(taken, _)| Rival { on, taken: taken.number, other: new.number })
    }

    /// Returns the previous receive with the same pattern as the last one.
    pub(super) fn last_alike(&self) -> Option<Alike> {
        let ((taken, pattern), others) = self.taken.split_last()?;
        let (before, _) = others.iter().rev().find(|(_, other)| other.is_alike(*pattern))?;
        Some(Alike { taken: taken.number, before: before.number })
    }

    /// Returns the messages in the mailbox, and the messages `to_come`, that match the pattern of
    /// the receive that took a message.
    pub(super) fn rivals_of_taken<'a>(
        &'a self,
        on: Location,
        (taken, pattern): (u32, Pattern),
        to_come: &'a [Message],
    ) -> impl Iterator<Item = Rival> + 'a {
        let others = self.messages.iter().chain(to_come);
        let matching = others.filter(move |other| pattern.matches(other.value));
        matching.map(move |other| Rival { on, taken, other: other.number })
    }

    /// Returns whether the receive that took the message `taken` matches the message `other`, too.
    pub(super) fn would_take(&self, taken: u32, other: u32) -> bool {
        let taken_values = self.taken.iter().map(|(message, _)| message);
        let other = self.messages.iter().chain(taken_values).find(|m| m.number == other);
        let receive = self.taken.iter().find(|(message, _)| message.number == taken);
        let (Some(other), Some((_, pattern))) = (other, receive) else { return false };
        pattern.matches(other.value)
    }
}

#[cfg(test)]
mod tests {
    use mazurka_core::model::ObjectId;

    use super::*;

    const ON: Location = Location::whole(ObjectId(0));

    fn mailbox(values: &[i64]) -> Mailbox {
        let mut mailbox = Mailbox::default();
        for (number, value) in values.iter().enumerate() {
            mailbox.deliver(Message { number: number as u32, value: *value });
        }
        mailbox
    }

    #[test]
    fn the_oldest_that_matches_is_taken_and_the_rest_stays() {
        let mut mailbox = mailbox(&[1, 2, 1, 2]);
        assert_eq!(mailbox.take(Pattern::Equals(2)).map(|m| m.number), Some(1));
        assert_eq!(mailbox.take(Pattern::Below(1)), None);
        assert_eq!(mailbox.take(Pattern::Differs(2)).map(|m| m.number), Some(0));
        assert_eq!(mailbox.take(Pattern::Any).map(|m| m.number), Some(2));
        assert!(mailbox.has(Pattern::Equals(2)) && !mailbox.has(Pattern::Equals(1)));
    }

    #[test]
    fn messages_that_one_receive_matches_are_rivals() {
        let mut mailbox = mailbox(&[1, 2, 1]);
        mailbox.take(Pattern::Equals(1));
        let to_come = [Message { number: 7, value: 1 }, Message { number: 8, value: 3 }];
        let rivals = mailbox.rivals_of_taken(ON, (0, Pattern::Equals(1)), &to_come);
        assert_eq!(rivals.map(|rival| rival.other).collect::<Vec<_>>(), [2, 7]);
        let new = Message { number: 9, value: 1 };
        let rivals: Vec<_> = mailbox.rivals_of_new(ON, new).collect();
        assert_eq!(rivals, [Rival { on: ON, taken: 0, other: 9 }]);
        assert!(mailbox.would_take(0, 2) && !mailbox.would_take(0, 1));
    }
}

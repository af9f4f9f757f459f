//! The messages of an execution: where each was delivered and taken, and which messages were its
//! rivals.

use super::cells::NO_EVENT;
use crate::model::{Alike, Op, Performed};

/// The receive that took the message `taken` would have taken the message `other` as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rivalry {
    pub(crate) taken: u32,
    pub(crate) other: u32,
    /// The event that delivered the taken message, or [`NO_EVENT`].
    pub(crate) delivery: u32,
    /// The previous rivalry of the same receive, or [`NO_EVENT`].
    previous: u32,
}

/// The state of a message in the current execution. A receive that [finds no message](Op::Miss)
/// counts as one that delivers and takes a message of its own.
#[derive(Clone, Copy, Debug)]
struct Message {
    /// The event that delivered it, or [`NO_EVENT`].
    delivered: u32,
    /// The event that took it, or [`NO_EVENT`].
    taken: u32,
    /// The last rivalry of the receive that took it, or [`NO_EVENT`].
    rivals: u32,
    /// The messages that the previous and the next receive with the same pattern took, or
    /// [`NO_EVENT`]. See [`Alike`]. A receive that could have been a miss is followed by its number as
    /// a miss.
    alike: (u32, u32),
}

const UNKNOWN: Message =
    Message { delivered: NO_EVENT, taken: NO_EVENT, rivals: NO_EVENT, alike: (NO_EVENT, NO_EVENT) };

/// All messages of the current execution, indexed by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    messages: Vec<Message>,
    rivalries: Vec<Rivalry>,
    /// The messages that a step delivered which the machine [tries out](Messages::begin_trial).
    tried: Vec<u32>,
}

impl Messages {
    #[inline]
    fn get(&self, message: u32) -> Message {
        self.messages.get(message as usize).copied().unwrap_or(UNKNOWN)
    }

    #[inline]
    fn entry(&mut self, message: u32) -> &mut Message {
        let index = message as usize;
        if index >= self.messages.len() {
            self.messages.resize(index + 1, UNKNOWN);
        }
        &mut self.messages[index]
    }

    /// Returns whether no execution has had a message.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Returns the event that delivered a message.
    #[inline]
    pub(crate) fn delivery(&self, message: u32) -> Option<u32> {
        let event = self.get(message).delivered;
        (event != NO_EVENT).then_some(event)
    }

    /// Returns the event that took a message.
    #[inline]
    pub(crate) fn receipt(&self, message: u32) -> Option<u32> {
        let event = self.get(message).taken;
        (event != NO_EVENT).then_some(event)
    }

    /// Records the operation of an event.
    #[inline]
    pub(crate) fn note(&mut self, op: Op, event: u32) {
        match op {
            Op::Deliver { message } | Op::Post { message } => {
                self.entry(message).delivered = event;
            }
            Op::Take { message } | Op::Dequeue { message } if message != Op::NONE => {
                self.entry(message).taken = event;
            }
            Op::Miss { look } => {
                let look = self.entry(look);
                (look.delivered, look.taken) = (event, event);
            }
            _ => {}
        }
    }

    /// Undoes the operation of an event.
    #[inline]
    pub(crate) fn forget(&mut self, op: Op) {
        match op {
            Op::Deliver { message } | Op::Post { message } => {
                self.messages[message as usize].delivered = NO_EVENT;
            }
            Op::Take { message } | Op::Dequeue { message } if message != Op::NONE => {
                self.messages[message as usize].taken = NO_EVENT;
                self.forget_alike(message);
            }
            Op::Miss { look } => {
                let message = &mut self.messages[look as usize];
                (message.delivered, message.taken) = (NO_EVENT, NO_EVENT);
                self.forget_alike(look);
            }
            _ => {}
        }
    }

    /// Removes the last receive from the receives with the same pattern.
    #[inline]
    fn forget_alike(&mut self, receive: u32) {
        let alike = &mut self.messages[receive as usize].alike;
        let (before, after) = std::mem::replace(alike, (NO_EVENT, NO_EVENT));
        if before != NO_EVENT {
            self.messages[before as usize].alike.1 = NO_EVENT;
        }
        // Its own number as a miss.
        if after != NO_EVENT {
            self.messages[after as usize].alike.0 = NO_EVENT;
        }
    }

    /// Records that two receives have the same pattern.
    #[inline]
    pub(crate) fn note_alike(&mut self, alike: Alike) {
        self.entry(alike.taken).alike.0 = alike.before;
        self.entry(alike.before).alike.1 = alike.taken;
    }

    /// Returns the last event before `event` that took a message by a receive with the same pattern
    /// as the receive that took `taken`.
    pub(crate) fn last_alike(&self, taken: u32, event: u32) -> Option<u32> {
        let before = |message: &u32| Some(self.get(*message).alike.0).filter(|it| *it != NO_EVENT);
        let mut receipts =
            std::iter::successors(Some(taken), before).filter_map(|it| self.receipt(it));
        receipts.find(|receipt| *receipt < event)
    }

    /// Returns the number of rivalries.
    #[inline]
    pub(crate) fn rivalries(&self) -> usize {
        self.rivalries.len()
    }

    /// Returns the rivalries from index `from` on.
    #[inline]
    pub(crate) fn rivalries_since(&self, from: usize) -> &[Rivalry] {
        &self.rivalries[from..]
    }

    /// Adds a rivalry.
    #[inline]
    pub(crate) fn add_rivalry(&mut self, taken: u32, other: u32) {
        let index = self.rivalries.len() as u32;
        let message = self.entry(taken);
        let (previous, delivery) =
            (std::mem::replace(&mut message.rivals, index), message.delivered);
        self.rivalries.push(Rivalry { taken, other, delivery, previous });
    }

    /// Removes all rivalries but the first `len`.
    #[inline]
    pub(crate) fn truncate_rivalries(&mut self, len: usize) {
        while self.rivalries.len() > len {
            let Rivalry { taken, previous, .. } = self.rivalries[self.rivalries.len() - 1];
            self.rivalries.pop();
            self.entry(taken).rivals = previous;
        }
    }

    /// Returns whether it is known which receives match a message: it was delivered in this execution, or
    /// in the current [trial](Self::begin_trial).
    pub(crate) fn knows_receives_of(&self, message: u32) -> bool {
        self.delivery(message).is_some() || self.tried.contains(&message)
    }

    /// Notes what a step reports about messages that the machine has performed after other events than those
    /// of this execution.
    pub(crate) fn begin_trial(&mut self, performed: &Performed) {
        for action in &performed.actions {
            if let Op::Deliver { message } = action.op {
                self.tried.push(message);
            }
        }
        for rival in &performed.rivals {
            self.add_rivalry(rival.taken, rival.other);
        }
    }

    /// Forgets that, and all rivalries but the first `len`.
    pub(crate) fn end_trial(&mut self, len: usize) {
        self.tried.clear();
        self.truncate_rivalries(len);
    }

    /// Returns whether some receive took the message `first` and would have taken `second`, which was
    /// delivered later, if that had come first.
    pub(crate) fn is_order_observed(&self, first: u32, second: u32) -> bool {
        let Some(observer) = self.receipt(first) else { return false };
        let is_gone = self.receipt(second).is_some_and(|other| other < observer);
        !is_gone && self.would_take(first, second)
    }

    /// Returns whether the receive that took one message would have taken another one as well.
    pub(crate) fn would_take(&self, taken: u32, other: u32) -> bool {
        let mut receive = taken;
        // A receive would have taken the rivals of later receives with the same pattern as well.
        while receive != NO_EVENT {
            let Message { mut rivals, alike, .. } = self.get(receive);
            while rivals != NO_EVENT {
                let rivalry = &self.rivalries[rivals as usize];
                if rivalry.other == other {
                    return true;
                }
                rivals = rivalry.previous;
            }
            receive = alike.1;
        }
        taken == other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_was_never_known() {
        let mut messages = Messages::default();
        messages.note(Op::Deliver { message: 7 }, 40);
        messages.note(Op::Take { message: 7 }, 41);
        messages.add_rivalry(7, 2);
        messages.add_rivalry(7, 9);
        assert!(
            messages.would_take(7, 2) && messages.would_take(7, 9) && messages.would_take(7, 7)
        );
        messages.note(Op::Take { message: 4 }, 42);
        messages.note_alike(Alike { taken: 4, before: 7 });
        messages.add_rivalry(4, 5);
        assert!(messages.would_take(7, 5) && !messages.would_take(4, 2));
        assert_eq!([42, 41].map(|event| messages.last_alike(4, event)), [Some(41), None]);
        messages.truncate_rivalries(2);
        messages.forget(Op::Take { message: 4 });
        assert!(!messages.would_take(7, 5));
        messages.truncate_rivalries(1);
        assert!(messages.would_take(7, 2) && !messages.would_take(7, 9));
        messages.forget(Op::Take { message: 7 });
        assert_eq!((messages.delivery(7), messages.receipt(7)), (Some(40), None));
        assert_eq!(messages.delivery(100), None);
    }

    #[test]
    fn a_miss_is_alike_to_later_receives() {
        let mut messages = Messages::default();
        messages.note(Op::Miss { look: 1 }, 10);
        // The next receive takes message 2. As a miss, it has the number 3.
        messages.note(Op::Take { message: 2 }, 11);
        messages.note_alike(Alike { taken: 2, before: 1 });
        messages.note_alike(Alike { taken: 3, before: 2 });
        messages.note(Op::Miss { look: 4 }, 12);
        messages.note_alike(Alike { taken: 4, before: 3 });
        messages.add_rivalry(4, 5);
        assert!([1, 2, 3, 4].iter().all(|receive| messages.would_take(*receive, 5)));
        assert_eq!(messages.last_alike(4, 11), Some(10));
        messages.truncate_rivalries(0);
        messages.forget(Op::Miss { look: 4 });
        messages.forget(Op::Take { message: 2 });
        messages.add_rivalry(4, 5);
        assert!(![1, 2, 3].iter().any(|receive| messages.would_take(*receive, 5)));
    }
}

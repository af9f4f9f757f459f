//! Conflicts between deliveries to a mailbox and receives from it.

use crate::execution::cells::NO_EVENT;
use crate::execution::clock::{ClockId, assign, join};
use crate::execution::order::{Conflict, Walk};
use crate::execution::{Access, Execution, Race};
use crate::model::Op;

/// A walk from a delivery, with observers. The delivery depends on the last receive that found no
/// message, and on every [miss](Op::Miss) that would have taken this message. It also depends on the
/// deliveries of messages that a receive took although it would have taken this one.
///
/// Of several receives with the [same pattern](crate::model::Alike), the machine names only the
/// last one. Each takes the oldest matching message and would have taken the message of the next
/// one, so their messages have been delivered one after the other.
pub(crate) struct DeliveryWalk {
    message: u32,
    rivals: usize,
    /// The last receive that found no message.
    look: Option<u32>,
    /// The conflicts from this event on have been visited.
    before: u32,
    /// Whether there may be an earlier conflict that is not ordered yet.
    is_open: bool,
    /// Whether to visit events that happen before a visited one, too.
    visits_all: bool,
}

impl DeliveryWalk {
    pub(crate) fn back_from(
        execution: &Execution,
        new: &Access,
        message: u32,
        rivals: usize,
    ) -> Self {
        let look = execution.last_look_in_vain(new);
        let (before, is_open, visits_all) = (new.event, true, false);
        DeliveryWalk { message, rivals, look, before, is_open, visits_all }
    }

    /// Makes the walk visit events that happen before a visited one, too.
    pub(crate) fn over_all(self) -> Self {
        DeliveryWalk { visits_all: true, ..self }
    }
}

impl Walk for DeliveryWalk {
    /// Returns the latest conflict that is not ordered yet. In most cases it is the only one.
    fn next(&mut self, execution: &Execution, clock: ClockId) -> Option<Conflict> {
        if !std::mem::take(&mut self.is_open) {
            return None;
        }
        let is_next = |event: u32| event < self.before && execution.is_unordered(event, clock);
        let mut latest = self.look.filter(|look| is_next(*look));
        let mut observed = None;
        // In most cases, messages that were taken late were delivered late.
        for rivalry in execution.messages.rivalries_since(self.rivals).iter().rev() {
            let first = rivalry.delivery;
            if rivalry.other != self.message || first == NO_EVENT || !is_next(first) {
                continue;
            }
            match latest {
                Some(latest) if first == latest => {}
                Some(latest) if first < latest => {
                    self.is_open |= self.visits_all
                        || !execution.happens_before(first as usize, latest as usize);
                }
                _ => {
                    self.is_open |= latest.is_some();
                    (latest, observed) = (Some(first), Some(rivalry.taken));
                }
            }
        }
        let latest = latest?;
        self.before = latest;
        // A miss depends on the delivery itself: it is not an observer of two deliveries.
        let observer = observed.and_then(|taken| execution.messages.receipt(taken));
        let observer = observer.filter(|observer| *observer != latest);
        let conflict = Conflict::new(latest, false, false);
        Some(Conflict { observer: observer.unwrap_or(NO_EVENT), ..conflict })
    }
}

/// A walk over one conflict.
struct OneConflict(Option<Conflict>);

impl Walk for OneConflict {
    #[inline]
    fn next(&mut self, _execution: &Execution, _clock: ClockId) -> Option<Conflict> {
        self.0.take()
    }
}

impl Execution {
    /// Orders an event whose only action takes this message.
    ///
    /// It depends on the delivery of the message and on earlier receives from the mailbox. These
    /// belong to its own process, because only one process [takes](Op::Take) from a mailbox. If it
    /// waited, it could not have moved before the delivery, so there is no race.
    #[inline]
    pub(in crate::execution) fn order_take(&mut self, new: usize, message: u32, clock: ClockId) {
        let Access { event, waits, .. } = self.accesses[new];
        debug_assert!(
            self.is_taken_from_by_one(&self.accesses[new]),
            "several processes take from a mailbox"
        );
        if let Some(delivery) = self.messages.delivery(message) {
            let walk = OneConflict(Some(Conflict::new(delivery, false, false)));
            self.order_after(event, clock, walk, |_, _| !waits);
        }
    }

    /// Returns whether the last receive from the mailbox of a new access belongs to its own process.
    fn is_taken_from_by_one(&self, new: &Access) -> bool {
        let before = |access: &Access| self.accesses.get(access.previous as usize);
        let mut earlier = std::iter::successors(before(new), |access| before(access));
        let looks = |op| matches!(op, Op::Take { .. } | Op::TakeNone | Op::Miss { .. });
        let is_mine = |access: &Access| {
            let event = self.events.get(access.event as usize);
            event.is_none_or(|event| event.step.process == self.newcomer)
        };
        earlier.find(|access| looks(access.op)).is_none_or(is_mine)
    }

    /// Returns whether an event does not happen before the event with this clock.
    #[inline]
    pub(super) fn is_unordered(&self, event: u32, clock: ClockId) -> bool {
        let event = &self.events[event as usize];
        self.clocks.component(clock, event.step.process.index()) < event.number
    }

    /// Returns the last receive that found no message in the mailbox that a new access delivers to.
    fn last_look_in_vain(&self, new: &Access) -> Option<u32> {
        if !self.was_looked_at_in_vain(new.cell) {
            return None;
        }
        let before = |access: &Access| self.accesses.get(access.previous as usize);
        let mut earlier = std::iter::successors(before(new), |access| before(access));
        let look = |access: &&Access| access.event != new.event && access.op == Op::TakeNone;
        earlier.find(look).map(|access| access.event)
    }

    /// Orders the delivery of a message that the event `index` takes before the deliveries of its
    /// rivals in the mailbox. The rivals start at index `rivals`.
    #[inline(never)]
    pub(in crate::execution) fn order_rivals(&mut self, taken: u32, rivals: usize, index: u32) {
        let Some(first) = self.messages.delivery(taken) else { return };
        for rival in rivals..self.messages.rivalries() {
            let rivalry = self.messages.rivalries_since(rival)[0];
            let Some(second) = self.messages.delivery(rivalry.other) else { continue };
            // A rival that is being delivered is ordered like any other conflict.
            let is_there = rivalry.taken == taken && second != index && first < second;
            if is_there && !self.happens_before(first as usize, second as usize) {
                self.races.push(Race::new(first, second).observed_by(index));
                assign(&mut self.scratch, self.clocks.of(self.events[second as usize].clock));
                join(&mut self.scratch, self.clocks.of(self.events[first as usize].clock));
                self.delay(second);
            }
        }
    }

    /// Returns the position after the last receive among the first `from` events that would have
    /// taken a message delivered since then, or 0.
    pub(in crate::execution) fn revealed(&self, from: usize) -> u32 {
        let Some(first) = self.events.get(from) else { return 0 };
        let rivalries = self.messages.rivalries_since(first.rivals as usize).iter();
        let earlier =
            rivalries.filter_map(|rivalry| self.messages.last_alike(rivalry.taken, from as u32));
        earlier.map(|event| event + 1).max().unwrap_or(0)
    }

    /// Returns whether the receive that took one message would have taken another one as well.
    #[inline]
    pub(crate) fn would_take(&self, taken: u32, other: u32) -> bool {
        self.messages.would_take(taken, other)
    }
}

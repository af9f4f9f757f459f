//! Messages in an execution: what happens before their deliveries and receipts.

use crate::execution::cells::NOBODY;
use crate::execution::clock::{ClockId, assign, join};
use crate::execution::order::Conflict;
use crate::execution::{Access, Execution, Race};
use crate::model::Op;

impl Execution {
    /// Orders an event that does nothing but take this message.
    ///
    /// It is dependent on the delivery of the message, and on earlier looks into the mailbox, which
    /// are those of its own process: only one ever [takes](Op::Take) from a mailbox. So there is
    /// nothing to look for. If it waited, it could not have overtaken the delivery, which is no
    /// race then.
    #[inline]
    pub(in crate::execution) fn order_take(&mut self, new: usize, message: u32, clock: ClockId) {
        let new = &self.accesses[new];
        debug_assert!(self.is_taken_from_by_one(new), "several processes take from a mailbox");
        let Some(delivery) = self.messages.delivery(message) else { return };
        let race = Race::new(delivery, new.event);
        if self.is_unordered(race.first, clock) {
            self.clocks.join(clock, self.events[race.first as usize].clock);
            if !new.waits {
                self.races.push(race);
            }
        }
    }

    /// Whether all earlier looks into the mailbox of a new access are its own process's.
    fn is_taken_from_by_one(&self, new: &Access) -> bool {
        let before = |access: &Access| self.accesses.get(access.previous as usize);
        let mut earlier = std::iter::successors(before(new), |access| before(access));
        let looks = |op| matches!(op, Op::Take { .. } | Op::TakeNone);
        let is_mine = |access: &Access| {
            let event = self.events.get(access.event as usize);
            event.is_none_or(|event| event.step.process == self.newcomer)
        };
        earlier.all(|access| !looks(access.op) || is_mine(access))
    }

    /// Orders an event that does nothing but deliver this message, with observers; its rivals are those
    /// from `rivals` on.
    ///
    /// It is dependent on the last look into the mailbox that was in vain, and on the deliveries of
    /// messages that were taken by a receive that would have taken this one. From the latest to the
    /// earliest of those that are not ordered yet: mostly the latest is the only one.
    ///
    /// Of receives that are [alike](crate::model::Alike), the last one is enough: each takes the oldest
    /// message that they match, and would have taken what the next one takes, so their messages have been
    /// delivered one after the other.
    pub(in crate::execution) fn order_delivery(
        &mut self,
        new: usize,
        message: u32,
        clock: ClockId,
        rivals: usize,
    ) {
        let new = &self.accesses[new];
        let (event, look) = (new.event, self.last_look_in_vain(new));
        let mut is_missing = true;
        while std::mem::take(&mut is_missing) {
            let mut latest = look.filter(|look| self.is_unordered(*look, clock));
            let mut observed = None;
            // Mostly those who were taken late were delivered late.
            for rivalry in self.messages.rivalries_since(rivals).iter().rev() {
                let first = rivalry.delivery;
                if rivalry.other != message || first == NOBODY || !self.is_unordered(first, clock) {
                    continue;
                }
                match latest {
                    Some(latest) if first < latest => {
                        is_missing |= !self.happens_before(first as usize, latest as usize);
                    }
                    _ => {
                        is_missing |= latest.is_some();
                        (latest, observed) = (Some(first), Some(rivalry.taken));
                    }
                }
            }
            let Some(latest) = latest else { return };
            let observer = observed.and_then(|taken| self.messages.receipt(taken));
            self.races.push(Race::new(latest, event).observed_by(observer.unwrap_or(NOBODY)));
            self.clocks.join(clock, self.events[latest as usize].clock);
        }
    }

    /// Whether an event does not happen before the one that has this clock.
    #[inline]
    fn is_unordered(&self, event: u32, clock: ClockId) -> bool {
        let event = &self.events[event as usize];
        self.clocks.component(clock, event.step.process.index()) < event.number
    }

    /// The last look in vain into the mailbox that a new access delivers to.
    fn last_look_in_vain(&self, new: &Access) -> Option<u32> {
        if !self.was_looked_at_in_vain(new.cell) {
            return None;
        }
        let before = |access: &Access| self.accesses.get(access.previous as usize);
        let mut earlier = std::iter::successors(before(new), |access| before(access));
        let look = |access: &&Access| access.event != new.event && access.op == Op::TakeNone;
        earlier.find(look).map(|access| access.event)
    }

    /// Collects what a new delivery conflicts with, as [`order_delivery`](Self::order_delivery) says.
    pub(in crate::execution) fn walk_from_delivery(
        &self,
        new: &Access,
        rivals: usize,
        conflicts: &mut Vec<Conflict>,
    ) {
        let look = self.last_look_in_vain(new);
        conflicts.extend(look.map(|look| Conflict::new(look, true, false)));
        for rivalry in self.messages.rivalries_since(rivals) {
            let is_mine = new.op == Op::Deliver { message: rivalry.other };
            if let (true, Some(first), Some(observer)) = (
                is_mine,
                self.messages.delivery(rivalry.taken),
                self.messages.receipt(rivalry.taken),
            ) {
                conflicts.push(Conflict::new(first, true, false).observed_by(observer));
            }
        }
        conflicts.sort_unstable_by_key(|conflict| std::cmp::Reverse(conflict.event()));
    }

    /// Lets the delivery of a message that the event `index` takes happen before those of its rivals,
    /// from `rivals` on, that are in the mailbox.
    #[inline(never)]
    pub(in crate::execution) fn order_rivals(&mut self, taken: u32, rivals: usize, index: u32) {
        let Some(first) = self.messages.delivery(taken) else { return };
        for rival in rivals..self.messages.rivalries() {
            let rivalry = self.messages.rivalries_since(rival)[0];
            let Some(second) = self.messages.delivery(rivalry.other) else { continue };
            // If the rival is what is being delivered, it is ordered like any other conflict.
            let is_there = rivalry.taken == taken && second != index && first < second;
            if is_there && !self.happens_before(first as usize, second as usize) {
                self.races.push(Race::new(first, second).observed_by(index));
                assign(&mut self.scratch, self.clocks.of(self.events[second as usize].clock));
                join(&mut self.scratch, self.clocks.of(self.events[first as usize].clock));
                self.delay(second);
            }
        }
    }

    /// Behind which of the first `from` events the last receive was that would have taken a message
    /// which was delivered since then.
    pub(in crate::execution) fn revealed(&self, from: usize) -> u32 {
        let Some(first) = self.events.get(from) else { return 0 };
        let rivalries = self.messages.rivalries_since(first.rivals as usize).iter();
        let earlier =
            rivalries.filter_map(|rivalry| self.messages.last_alike(rivalry.taken, from as u32));
        earlier.map(|event| event + 1).max().unwrap_or(0)
    }

    /// Whether the receive that took one message would have taken another one as well.
    #[inline]
    pub(crate) fn would_take(&self, taken: u32, other: u32) -> bool {
        self.messages.would_take(taken, other)
    }
}

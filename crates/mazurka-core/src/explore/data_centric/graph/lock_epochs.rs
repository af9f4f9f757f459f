//! Operations on reader-writer locks in the current execution.
//!
//! An *epoch* of a lock is the time between two operations of writers. The operations of readers in one
//! epoch are not ordered with each other, and the writer that ends the epoch observes all of them. How
//! the search uses this is in [`rwlocks`](crate::explore::data_centric::rwlocks).

use smallvec::SmallVec;

use super::access::{GroupAccess, Share};
use super::identity::Identity;
use super::{GraphEvent, ObservationGraph};
use crate::execution::clock::ClockId;
use crate::explore::data_centric::lessons::CellGroup;

impl Share {
    /// Returns whether two operations on one lock conflict, so that their order matters.
    pub(crate) fn conflicts(self, other: Share) -> bool {
        self == Share::Ends || other == Share::Ends
    }
}

impl ObservationGraph {
    /// Returns the access of an event to a reader-writer lock, if it makes one.
    pub(crate) fn shared_access(&self, event: u32) -> Option<&GroupAccess> {
        self.accesses(event).iter().find(|access| access.share != Share::No)
    }

    /// Returns how many of the first `len` events on a lock conflict with an operation of this role.
    pub(crate) fn conflicts_among(&self, group: CellGroup, len: usize, share: Share) -> u32 {
        let events = self.events_on(group)[..len].iter();
        events.filter(|event| share.conflicts(self.share(**event, group))).count() as u32
    }

    /// Returns whether an event is in a past.
    pub(crate) fn is_past(&self, event: u32, past: ClockId) -> bool {
        let GraphEvent { process, number, .. } = *self.event(event);
        self.component(past, process) >= number
    }

    /// Returns whether an event, the last one on its lock, releases the lock.
    pub(crate) fn is_release(&self, event: u32, access: &GroupAccess) -> bool {
        let process = self.event(event).process;
        if access.share == Share::Joins {
            return self.is_held_by(access.group, process, event);
        }
        let (_, earlier) = self.events_on(access.group).split_last().expect("it is there");
        let last = earlier.last().filter(|last| self.event(**last).process == process);
        let last = last.and_then(|last| self.shared_access(*last));
        last.is_some_and(|access| access.share == Share::Ends && access.waits)
    }

    /// Returns whether a process holds a lock for reading right before an event.
    pub(crate) fn is_held_by(&self, group: CellGroup, process: usize, before: u32) -> bool {
        let events = self.events_on(group).iter().take_while(|event| **event < before);
        let own = events.filter(|event| self.event(**event).process == process);
        let joined = own.filter_map(|event| self.shared_access(*event));
        let joined = joined.filter(|access| access.share == Share::Joins);
        joined.map(|access| if access.waits { 1 } else { -1 }).sum::<i32>() > 0
    }

    /// Lets a writer observe the readers of the epoch that it ends. The last event of each reader stands
    /// for its earlier ones. Returns the identity with these observations, and joins their clocks.
    pub(crate) fn end_epoch(
        &mut self,
        group: CellGroup,
        clock: ClockId,
        identity: Identity,
    ) -> Identity {
        let mut last_of: SmallVec<[(usize, u32); 8]> = SmallVec::new();
        for event in self.events_on(group).iter().rev() {
            if self.share(*event, group) == Share::Ends {
                break;
            }
            let process = self.event(*event).process;
            if !last_of.iter().any(|(known, _)| *known == process) {
                last_of.push((process, *event));
            }
        }
        last_of.sort_unstable();
        last_of.into_iter().fold(identity, |identity, (_, event)| {
            let GraphEvent { identity: joined, clock: other, .. } = *self.event(event);
            self.clocks.join(clock, other);
            identity.observing(joined)
        })
    }

    /// Returns all events on a lock, first to last.
    pub(crate) fn events_on(&self, group: CellGroup) -> &[u32] {
        self.shared.get(group.index()).map_or(&[], Vec::as_slice)
    }

    /// Returns the events on a lock that neither acquire nor release it.
    pub(crate) fn loose_on(&self, group: CellGroup) -> impl Iterator<Item = u32> + '_ {
        let loose = self.loose.iter().copied();
        loose.filter(move |event| self.share(*event, group) != Share::No)
    }

    /// Notes that the last event neither acquires nor releases its lock.
    pub(crate) fn note_loose(&mut self) {
        self.loose.push(self.len() as u32 - 1);
    }

    /// Returns the role of an event on a lock.
    pub(crate) fn share(&self, event: u32, group: CellGroup) -> Share {
        let access = self.accesses(event).iter().find(|access| access.group == group);
        access.map_or(Share::No, |access| access.share)
    }
}

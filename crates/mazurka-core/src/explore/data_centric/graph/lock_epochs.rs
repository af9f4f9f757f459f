//! What was done to [shared locks](super::sharing) in the current execution.

use smallvec::SmallVec;

use super::access::{GroupAccess, Share};
use super::identity::Identity;
use super::{GraphEvent, ObservationGraph};
use crate::execution::clock::ClockId;
use crate::explore::data_centric::lessons::CellGroup;

impl Share {
    /// Whether the order of two operations on a lock matters.
    pub(crate) fn conflicts(self, other: Share) -> bool {
        self == Share::Ends || other == Share::Ends
    }
}

impl ObservationGraph {
    /// The access of an event to a shared lock, if it makes one.
    pub(crate) fn shared_access(&self, event: u32) -> Option<&GroupAccess> {
        self.accesses(event).iter().find(|access| access.share != Share::No)
    }

    /// How many of the first `len` events on a lock conflict with an operation of this kind.
    pub(crate) fn conflicts_among(&self, group: CellGroup, len: usize, share: Share) -> u32 {
        let events = self.events_on(group)[..len].iter();
        events.filter(|event| share.conflicts(self.share(**event, group))).count() as u32
    }

    /// Whether an event is in a past.
    pub(crate) fn is_past(&self, event: u32, past: ClockId) -> bool {
        let GraphEvent { process, number, .. } = *self.event(event);
        self.component(past, process) >= number
    }

    /// Whether an event, the last one on its lock, releases it.
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

    /// Whether a process holds a lock for reading, right before some event.
    pub(crate) fn is_held_by(&self, group: CellGroup, process: usize, before: u32) -> bool {
        let events = self.events_on(group).iter().take_while(|event| **event < before);
        let own = events.filter(|event| self.event(**event).process == process);
        let joined = own.filter_map(|event| self.shared_access(*event));
        let joined = joined.filter(|access| access.share == Share::Joins);
        joined.map(|access| if access.waits { 1 } else { -1 }).sum::<i32>() > 0
    }

    /// Adds to what an event observes all that readers have done since the last event that was ordered
    /// with all others on a shared group: the last of each process tells the others.
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

    /// All events on a shared group, first to last.
    pub(crate) fn events_on(&self, group: CellGroup) -> &[u32] {
        self.shared.get(group.index()).map_or(&[], Vec::as_slice)
    }

    /// The events on a shared group that neither acquire nor release it.
    pub(crate) fn loose_on(&self, group: CellGroup) -> impl Iterator<Item = u32> + '_ {
        let loose = self.loose.iter().copied();
        loose.filter(move |event| self.share(*event, group) != Share::No)
    }

    /// The last event neither acquires nor releases what it is on.
    pub(crate) fn note_loose(&mut self) {
        self.loose.push(self.len() as u32 - 1);
    }

    /// What an event has to do with a shared group.
    pub(crate) fn share(&self, event: u32, group: CellGroup) -> Share {
        let access = self.accesses(event).iter().find(|access| access.group == group);
        access.map_or(Share::No, |access| access.share)
    }
}

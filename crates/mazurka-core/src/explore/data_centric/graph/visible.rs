//! Which writes an event with a given past can observe, and which accesses race with it.

use smallvec::SmallVec;

use super::access::GroupAccess;
use super::{INITIAL, MANY, ObservationGraph, bit};
use crate::execution::clock::ClockId;
use crate::execution::value::CellPart;
use crate::execution::{Access, Execution, effort};
use crate::explore::data_centric::lessons::CellGroup;

impl ObservationGraph {
    /// Collects the writes to a group that an event with this past can observe, as far as its past
    /// decides: the writes that no write in its past happens after. Leaves out the writes from the
    /// event `end` on, which must not be in its past.
    pub(crate) fn visible_writes(
        &self,
        group: CellGroup,
        past: ClockId,
        end: u32,
        into: &mut Vec<u32>,
    ) {
        into.clear();
        if !self.collect_visible(group, past, end, into) {
            into.push(INITIAL);
        }
        into.reverse();
    }

    /// Collects these writes, latest first and without the initial value. Returns whether the past
    /// contains a write.
    fn collect_visible(
        &self,
        group: CellGroup,
        past: ClockId,
        end: u32,
        into: &mut Vec<u32>,
    ) -> bool {
        let writers = self.writers.get(group.index()).copied().unwrap_or(0);
        // For each process its last write in the past.
        let mut last: SmallVec<[u32; 8]> = SmallVec::new();
        let mut exhausted = !writers;
        let writes = self.writes_to(group);
        let writes = &writes[..writes.partition_point(|write| *write < end)];
        for write in writes.iter().rev() {
            effort::look();
            let event = self.event(*write);
            if exhausted & bit(event.process) != 0 && event.process < MANY {
                continue;
            }
            let is_past = self.component(past, event.process) >= event.number;
            let hides = |later: &u32| {
                self.component(self.event(*later).clock, event.process) >= event.number
            };
            if is_past && last.iter().any(hides) {
                exhausted |= bit(event.process);
                if exhausted == u128::MAX && self.processes.len() <= MANY {
                    return true;
                }
                continue;
            }
            if is_past && !last.iter().any(|other| self.event(*other).process == event.process) {
                last.push(*write);
            }
            into.push(*write);
        }
        !last.is_empty()
    }

    /// Returns an earlier event that races with the event `index`, which a process performs now with
    /// `access` among others: they access the same cell, one of the two on plain memory, and neither
    /// happens before the other. A group may have several cells, and not all of them need be shared.
    pub(super) fn data_race(
        &self,
        execution: &Execution,
        index: u32,
        past: ClockId,
        access: &GroupAccess,
    ) -> Option<u32> {
        let new = execution.accesses_of(index as usize);
        let process = execution.event(index as usize).step.process.index();
        let shared = |earlier: u32| {
            let accesses = execution.accesses_of(earlier as usize).iter();
            accesses.flat_map(|a| new.iter().filter(|b| a.cell == b.cell).map(move |b| (a, b)))
        };
        let races = |earlier: u32| {
            let event = self.event(earlier);
            let is_ordered =
                event.process == process || self.component(past, event.process) >= event.number;
            let conflict = |(a, b): (&Access, &Access)| {
                // Two parts of a location may be apart. If they overlap, each has the other as a part.
                let is_whole = a.part == CellPart::Whole || b.part == CellPart::Whole;
                is_whole && (a.plain || b.plain) && !(a.op.is_read() && b.op.is_read())
            };
            !is_ordered && shared(earlier).any(conflict)
        };
        let is_alone = new.iter().filter(|access| access.part != CellPart::Life).count() == 1;
        // Plain accesses before the last plain write happen before that write, or race with it.
        for &earlier in self.plain[access.group.index()].iter().rev() {
            if races(earlier) {
                return Some(earlier);
            }
            if is_alone && shared(earlier).any(|(a, _)| a.plain && !a.op.is_read()) {
                break;
            }
        }
        if !access.plain {
            return None;
        }
        // Atomic accesses need not happen before a later atomic write.
        self.atomic[access.group.index()].iter().rev().copied().find(|&earlier| races(earlier))
    }
}

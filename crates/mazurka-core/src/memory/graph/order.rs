//! The orders of the events of a graph.

use super::super::clocks::Row;
use super::{Event, EventId, Graph, INITIAL, Kind, NO_STEP};
use crate::model::ProcessId;

impl Graph {
    /// Returns how many writes to its location are before a write in coherence order, the initial one
    /// included.
    #[inline]
    pub(crate) fn position(&self, location: u32, write: EventId) -> usize {
        match write {
            INITIAL => 0,
            write => {
                let position = self.event(write).position as usize;
                debug_assert_eq!(self.coherence(location)[position - 1], write);
                position
            }
        }
    }

    /// Returns the position of the write that an access to memory is or reads from.
    pub(crate) fn position_of(&self, event: EventId) -> usize {
        let Event { kind, location, reads_from, .. } = *self.event(event);
        match kind {
            Kind::Read => self.position(location, reads_from),
            _ => self.position(location, event),
        }
    }

    /// Returns whether `earlier` is before `later`, by a clock of the later one, or is the same event.
    #[inline]
    fn is_covered(&self, earlier: EventId, later: EventId, row: Row) -> bool {
        let Event { process, index, .. } = *self.event(earlier);
        self.clocks.get(later as usize, row, process.index()) >= index
    }

    /// Returns whether `earlier` happens before `later`.
    #[inline]
    pub fn happens_before(&self, earlier: EventId, later: EventId) -> bool {
        earlier != later && self.is_covered(earlier, later, Row::HappensBefore)
    }

    /// Returns whether `earlier` is before `later` in program order, or by an edge: the creation of a
    /// process, a join.
    #[inline]
    pub fn program_order(&self, earlier: EventId, later: EventId) -> bool {
        earlier != later && self.is_covered(earlier, later, Row::ProgramOrder)
    }

    /// Returns whether an event of a process with this index or a later one is before `event` in program
    /// order, or by an edge.
    pub(crate) fn is_ordered_behind(&self, event: EventId, process: ProcessId, index: u32) -> bool {
        self.clocks.get(event as usize, Row::ProgramOrder, process.index()) >= index
    }

    /// Returns whether `earlier` is before `later` in `(po ∪ rf)⁺`, or is the same event.
    #[inline]
    pub fn is_in_prefix(&self, earlier: EventId, later: EventId) -> bool {
        self.is_covered(earlier, later, Row::Prefix)
    }

    /// Returns the first event of the step that performs an event.
    #[inline]
    pub(crate) fn first_of_step(&self, event: EventId) -> EventId {
        let step = self.event(event).step;
        let mut first = event;
        while step != NO_STEP && first > 0 && self.event(first - 1).step == step {
            first -= 1;
        }
        first
    }

    /// Returns the event whose clocks the next event of a process begins with. There is none if that is
    /// its first event, or if an edge leads to it.
    fn clock_of_next(&self, process: ProcessId) -> Option<EventId> {
        let previous = *self.events_of(process).last()?;
        let mut new = self.edges.iter().rev().take_while(|edge| edge.at > previous);
        new.all(|edge| edge.to != process).then_some(previous)
    }

    /// Returns `true` only if the next event of a process must read from the last write to a location, or
    /// come behind it in coherence order: that write happens before the event, or a read from it does. If
    /// this is not known without a search, returns `false`.
    pub(crate) fn is_settled(&self, process: ProcessId, location: u32) -> bool {
        let accesses = &self.accesses[location as usize];
        let Some(last) = accesses.coherence.last().copied() else { return true };
        let Some(previous) = self.clock_of_next(process) else { return false };
        let is_before = |event: EventId| self.is_covered(event, previous, Row::HappensBefore);
        let mut recent = accesses.reads.iter().rev().take(4);
        is_before(last)
            || recent.any(|read| self.event(*read).reads_from == last && is_before(*read))
    }

    /// Returns `true` only if a write that a process adds next can revisit no read of a location: all of
    /// them are in its prefix.
    pub(crate) fn has_seen_reads(&self, process: ProcessId, location: u32) -> bool {
        let reads = &self.accesses[location as usize].reads;
        if reads.is_empty() {
            return true;
        }
        let previous = self.clock_of_next(process);
        previous.is_some_and(|last| reads.iter().all(|read| self.is_in_prefix(*read, last)))
    }

    /// Returns the lowest position in coherence order that a new event of a process may have that reads
    /// from a location, or that is read from there: that of the last write that happens before `event`,
    /// or that an event which happens before `event` reads from.
    pub(crate) fn floor(&self, event: EventId) -> usize {
        let location = self.event(event).location;
        let accesses = &self.accesses[location as usize];
        let mut floor = 0;
        for (place, write) in accesses.coherence.iter().enumerate().rev() {
            if self.happens_before(*write, event) {
                floor = place + 1;
                break;
            }
        }
        for read in &accesses.reads {
            let position = self.position_of(*read);
            if position > floor && self.happens_before(*read, event) {
                floor = position;
            }
        }
        floor
    }

    /// Returns whether an exclusive read reads from the write at a position of a location.
    pub(crate) fn is_read_exclusively(
        &self,
        location: u32,
        write: EventId,
        except: EventId,
    ) -> bool {
        self.reads(location).iter().any(|read| {
            let event = self.event(*read);
            *read != except && event.is_exclusive && event.reads_from == write
        })
    }
}

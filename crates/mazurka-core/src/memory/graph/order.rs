//! The orders of the events of a graph.

use super::super::clocks::Row;
use super::{Event, EventId, Graph, INITIAL, Kind};
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

    /// Returns how many events of a process are before an event in program order or by an edge, the event
    /// itself included.
    pub(crate) fn ordered_events(&self, event: EventId, process: ProcessId) -> u32 {
        self.clocks.get(event as usize, Row::ProgramOrder, process.index())
    }

    /// Returns whether `earlier` is before `later` in `(po ∪ rf)⁺`, or is the same event. With twins, the
    /// event of a twin is also before the events that wait for it.
    #[inline]
    pub fn is_in_prefix(&self, earlier: EventId, later: EventId) -> bool {
        self.is_covered(earlier, later, Row::Prefix)
    }

    /// Returns the first event with a later stamp. All events before it have this stamp or an earlier one.
    pub(crate) fn first_after(&self, stamp: u32) -> EventId {
        self.events.partition_point(|event| event.latest <= stamp) as EventId
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
    /// them are in its prefix. If it is a read-modify-write, `source` is the write that it reads from.
    pub(crate) fn has_seen_reads(
        &self,
        process: ProcessId,
        location: u32,
        source: Option<EventId>,
    ) -> bool {
        let previous = self.clock_of_next(process);
        let source = source.filter(|source| *source != INITIAL);
        self.accesses[location as usize].reads.iter().all(|read| {
            previous.is_some_and(|previous| self.is_in_prefix(*read, previous))
                || source.is_some_and(|source| self.is_in_prefix(*read, source))
        })
    }

    /// Returns the lowest position in coherence order that a new event of a process may have that reads
    /// from a location, or that is read from there: that of the last write that happens before `event`,
    /// or that an event which happens before `event` reads from.
    pub(crate) fn floor(&self, event: EventId) -> usize {
        let location = self.event(event).location;
        self.floor_if(location, |earlier| self.happens_before(earlier, event))
    }

    /// Returns a lower bound of the [floor](Self::floor) of the next event of a process: its other events
    /// alone decide.
    pub(crate) fn floor_of_next(&self, process: ProcessId, location: u32) -> usize {
        let Some(previous) = self.clock_of_next(process) else { return 0 };
        self.floor_if(location, |event| self.is_covered(event, previous, Row::HappensBefore))
    }

    /// Returns the floor at a location of an event that these accesses happen before.
    #[inline]
    fn floor_if(&self, location: u32, happens_before: impl Fn(EventId) -> bool) -> usize {
        let accesses = &self.accesses[location as usize];
        let last = accesses.coherence.iter().rposition(|write| happens_before(*write));
        let mut floor = last.map_or(0, |place| place + 1);
        for read in &accesses.reads {
            let position = self.position_of(*read);
            if position > floor && happens_before(*read) {
                floor = position;
            }
        }
        floor
    }

    /// Returns the read of the read-modify-write that reads from a write, if there is one. The graph is
    /// consistent, so that the read-modify-write follows the write in coherence order.
    pub(crate) fn exclusive_reader(&self, location: u32, write: EventId) -> Option<EventId> {
        let next = *self.coherence(location).get(self.position(location, write))?;
        let reader = self.event(next).is_exclusive.then(|| next - 1)?;
        (self.event(reader).reads_from == write).then_some(reader)
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

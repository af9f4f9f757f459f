//! The happens-before relation among the events of an execution.

use super::Execution;
use super::event::Event;
use crate::model::ProcessId;

impl Execution {
    /// Returns whether the event at position `first` happens before the event at the later position
    /// `second`.
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        let first = &self.events[first];
        self.clocks.component(self.events[second].clock, first.step.process.index()) >= first.number
    }

    /// Returns a predicate for whether an event happens after the event `first`. It is faster than
    /// [`happens_before`](Self::happens_before) for many events.
    #[inline]
    pub(crate) fn follows(&self, first: usize) -> impl Fn(usize) -> bool + '_ {
        let Event { step, number, .. } = &self.events[first];
        let component = self.clocks.components_of(step.process.index());
        move |later| component(self.events[later].clock) >= *number
    }

    /// Returns the events after position `first` that do not happen after the event there:
    /// `notdep(e, E)`.
    #[inline]
    pub(crate) fn notdep(&self, first: usize) -> impl Iterator<Item = u32> + '_ {
        let Event { step, number, .. } = &self.events[first];
        let component = self.clocks.components_of(step.process.index());
        let behind = (first as u32 + 1..).zip(&self.events[first + 1..]);
        behind.filter(move |(_, event)| component(event.clock) < *number).map(|(index, _)| index)
    }

    /// Returns the first event of [`notdep`](Self::notdep), if there is one.
    #[inline]
    pub(crate) fn first_notdep(&self, first: usize) -> Option<u32> {
        let Event { step, number, .. } = &self.events[first];
        let component = self.clocks.components_of(step.process.index());
        let behind = (first as u32 + 1..).zip(&self.events[first + 1..]);
        // Only the first event of each process needs a look: if it happens after `first`, so do the
        // later ones.
        let is_next = |event: &Event| event.before.1.wrapping_add(1) <= first as u32 + 1;
        let mut behind =
            behind.filter(|(_, event)| is_next(event) && component(event.clock) < *number);
        behind.next().map(|(index, _)| index)
    }

    /// Returns the number of events of a process that happen before the event, including the event
    /// itself.
    #[inline]
    pub(crate) fn past_of(&self, event: usize, process: usize) -> u32 {
        self.clocks.component(self.events[event].clock, process)
    }

    /// Returns whether an event is in the past of the process of `later` before that event. Then it
    /// happens before `later`, whatever that accesses.
    pub(crate) fn happens_before_process_of(&self, event: usize, later: usize) -> bool {
        let event = &self.events[event];
        let past = self.events[later].before.0;
        self.clocks.component(past, event.step.process.index()) >= event.number
    }

    /// Returns whether an event happens before the next event of a process, whatever that accesses.
    pub(crate) fn happens_before_next(&self, event: usize, process: ProcessId) -> bool {
        let event = &self.events[event];
        let Some(process) = self.processes.get(process.index()) else { return false };
        self.clocks.component(process.clock, event.step.process.index()) >= event.number
    }

    /// Copies the clock of the events that happen before the next event of a process, whatever that
    /// accesses.
    pub(crate) fn copy_past(&self, process: ProcessId, past: &mut [u32]) {
        if let Some(process) = self.processes.get(process.index()) {
            let clock = self.clocks.of(process.clock);
            past.iter_mut().zip(clock).for_each(|(into, component)| *into = *component);
        }
    }

    /// Returns the number of events that happen before the next event of a process, whatever that
    /// accesses.
    pub(crate) fn size_of_past(&self, process: ProcessId) -> u32 {
        let process = self.processes.get(process.index());
        process.map_or(0, |process| self.clocks.of(process.clock).iter().sum())
    }
}

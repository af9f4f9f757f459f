//! The happens-before relation among the events of an execution.

use super::Execution;
use super::event::Event;
use crate::model::ProcessId;

impl Execution {
    /// Whether the event at one position happens before the one at a later position.
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        let first = &self.events[first];
        self.clocks.component(self.events[second].clock, first.step.process.index()) >= first.number
    }

    /// Tells of each event whether it happens after the one at this position: for those who ask
    /// that of many.
    #[inline]
    pub(crate) fn follows(&self, first: usize) -> impl Fn(usize) -> bool + '_ {
        let Event { step, number, .. } = &self.events[first];
        let component = self.clocks.components_of(step.process.index());
        move |later| component(self.events[later].clock) >= *number
    }

    /// The events behind the one at this position that do not happen after it: `notdep(e, E)`.
    #[inline]
    pub(crate) fn notdep(&self, first: usize) -> impl Iterator<Item = u32> + '_ {
        let Event { step, number, .. } = &self.events[first];
        let component = self.clocks.components_of(step.process.index());
        let behind = (first as u32 + 1..).zip(&self.events[first + 1..]);
        behind.filter(move |(_, event)| component(event.clock) < *number).map(|(index, _)| index)
    }

    /// The first of these, if there is one.
    #[inline]
    pub(crate) fn first_notdep(&self, first: usize) -> Option<u32> {
        let Event { step, number, .. } = &self.events[first];
        let component = self.clocks.components_of(step.process.index());
        let behind = (first as u32 + 1..).zip(&self.events[first + 1..]);
        // If a process has moved behind the first one already, it has been looked at, and was after it.
        let is_next = |event: &Event| event.before.1.wrapping_add(1) <= first as u32 + 1;
        let mut behind =
            behind.filter(|(_, event)| is_next(event) && component(event.clock) < *number);
        behind.next().map(|(index, _)| index)
    }

    /// How many events of a process happen before the one at this position, itself included.
    #[inline]
    pub(crate) fn past_of(&self, event: usize, process: usize) -> u32 {
        self.clocks.component(self.events[event].clock, process)
    }

    /// Whether an event happens before what the process of another one did before that, and so
    /// before it whatever it touches.
    pub(crate) fn happens_before_process_of(&self, event: usize, later: usize) -> bool {
        let event = &self.events[event];
        let past = self.events[later].before.0;
        self.clocks.component(past, event.step.process.index()) >= event.number
    }

    /// Whether an event happens before whatever a process does next.
    pub(crate) fn happens_before_next(&self, event: usize, process: ProcessId) -> bool {
        let event = &self.events[event];
        let Some(process) = self.processes.get(process.index()) else { return false };
        self.clocks.component(process.clock, event.step.process.index()) >= event.number
    }

    /// Copies what happens before the next event of a process whatever it touches, as the number of
    /// events of each process.
    pub(crate) fn copy_past(&self, process: ProcessId, past: &mut [u32]) {
        if let Some(process) = self.processes.get(process.index()) {
            let clock = self.clocks.of(process.clock);
            past.iter_mut().zip(clock).for_each(|(into, component)| *into = *component);
        }
    }

    /// How many events happen before the next one of a process whatever it touches.
    pub(crate) fn size_of_past(&self, process: ProcessId) -> u32 {
        let process = self.processes.get(process.index());
        process.map_or(0, |process| self.clocks.of(process.clock).iter().sum())
    }
}

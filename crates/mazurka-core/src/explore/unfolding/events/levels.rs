//! Sets of events, one for every prefix of the current configuration.

use super::event::{EventId, dependent};
use super::prefix::Prefix;

/// Sets of events in one stack: those that are asleep, and those that are cut off.
#[derive(Debug)]
pub(crate) struct Levels {
    events: Vec<EventId>,
    /// Where the set of each prefix starts, and how many of it were there when it was set up.
    starts: Vec<(u32, u32)>,
}

impl Levels {
    /// Returns the empty set for the empty configuration.
    pub(crate) fn new() -> Self {
        Levels { events: Vec::new(), starts: vec![(0, 0)] }
    }

    /// Returns the set of the last prefix.
    pub(crate) fn last(&self) -> &[EventId] {
        let start = self.starts.last().map_or(0, |(start, _)| *start as usize);
        &self.events[start..]
    }

    /// Returns all events in any of the sets.
    pub(crate) fn all(&self) -> &[EventId] {
        &self.events
    }

    /// Returns how many events were added to the set of a prefix since it was set up.
    pub(crate) fn added(&self, depth: usize) -> usize {
        let Some((start, inherited)) = self.starts.get(depth) else { return 0 };
        let end = self.starts.get(depth + 1).map_or(self.events.len(), |(end, _)| *end as usize);
        end - (start + inherited) as usize
    }

    pub(crate) fn push(&mut self, event: EventId) {
        self.events.push(event);
    }

    /// Goes back to a prefix.
    pub(crate) fn truncate(&mut self, depth: usize) {
        if let Some((end, _)) = self.starts.get(depth + 1) {
            self.events.truncate(*end as usize);
            self.starts.truncate(depth + 1);
        }
    }

    /// Sets up the set behind one more event: those events that are still enabled.
    pub(crate) fn descend(&mut self, prefix: &Prefix, taken: EventId) {
        let (start, end) = (self.events.len() - self.last().len(), self.events.len());
        for i in start..end {
            let event = self.events[i];
            let (one, other) = (prefix.get(event), prefix.get(taken));
            if one.process() != other.process() && !dependent(&one.touches, &other.touches) {
                self.events.push(event);
            }
        }
        self.starts.push((end as u32, (self.events.len() - end) as u32));
    }
}

//! Sets of enabled events, one for every prefix of the current configuration.

use super::event::{EventId, dependent};
use super::prefix::Prefix;

/// Sets of events in one stack: the events of `D`, or the cut-offs, that are enabled at each prefix.
#[derive(Debug)]
pub(crate) struct Levels {
    events: Vec<EventId>,
    /// For each prefix the start of its set, and how many of its events it inherited.
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

    /// Returns how many events of the set of a prefix are not inherited.
    pub(crate) fn added(&self, depth: usize) -> usize {
        let Some((start, inherited)) = self.starts.get(depth) else { return 0 };
        let end = self.starts.get(depth + 1).map_or(self.events.len(), |(end, _)| *end as usize);
        end - (start + inherited) as usize
    }

    pub(crate) fn push(&mut self, event: EventId) {
        self.events.push(event);
    }

    /// Removes the sets of longer prefixes.
    pub(crate) fn truncate(&mut self, depth: usize) {
        if let Some((end, _)) = self.starts.get(depth + 1) {
            self.events.truncate(*end as usize);
            self.starts.truncate(depth + 1);
        }
    }

    /// Adds the set after one more event: the events of the last set that remain enabled.
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

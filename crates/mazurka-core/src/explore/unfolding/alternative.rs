//! `Alt`: a configuration that avoids what has been explored.
//!
//! An *alternative* to D after C (definition 8 of the paper) is a configuration J that goes together
//! with C and that has, for every event in D, an event in immediate conflict with it, unless C has
//! one. So whoever runs J after C never comes upon an event of D again.
//!
//! Only those events of D matter that are enabled at C: they are *asleep*. All others of D are in
//! conflict with an event of C. For the last event explored, and then for each sleeper in turn, a
//! candidate is chosen, an event in immediate conflict with it, such that their local configurations go
//! together. Mostly the first one that is found excludes all sleepers as well, so the candidates of
//! sleepers are looked for only when they are needed. Whether a candidate goes together with C is found
//! out once in a search and noted with the event.

use super::events::configuration::Configuration;
use super::events::event::{EventId, dependent};
use super::events::prefix::Prefix;

/// A search for an alternative, with its buffers.
#[derive(Debug, Default)]
pub(super) struct AlternativeSearch {
    /// The sleepers to avoid.
    avoided: Vec<EventId>,
    /// For each of them the candidates for being in conflict with it, if they have been looked for.
    candidates: Vec<Vec<EventId>>,
    has_candidates: Vec<bool>,
    /// Whether some sleeper has none.
    is_hopeless: bool,
    /// J without C.
    chosen: Vec<EventId>,
    stack: Vec<EventId>,
    /// What a candidate needs besides C.
    needed: Vec<EventId>,
}

impl AlternativeSearch {
    /// Finds an alternative after the first `len` events of the configuration to `explored`, and to
    /// `most - 1` of the sleepers. Its events are given in an order in which they can be run.
    pub(super) fn run(
        &mut self,
        prefix: &mut Prefix,
        configuration: &Configuration,
        len: usize,
        (explored, sleepers): (EventId, &[EventId]),
        most: usize,
    ) -> Option<&[EventId]> {
        prefix.searches += 1;
        let search = prefix.searches;
        for event in sleepers.iter().chain([&explored]) {
            let visit = &mut prefix.get_mut(*event).visit;
            (visit.search, visit.is_refused) = (search, true);
        }
        self.avoided.clear();
        self.avoided.extend(sleepers.iter().rev().take(most.saturating_sub(1)));
        self.candidates.resize_with(self.avoided.len().max(self.candidates.len()), Vec::new);
        self.has_candidates.clear();
        self.has_candidates.resize(self.avoided.len(), false);
        self.is_hopeless = false;
        self.chosen.clear();
        // The latest first: they have most in common with the current configuration.
        for i in (0..prefix.get(explored).conflicts.len()).rev() {
            let candidate = prefix.get(explored).conflicts[i];
            if !self.goes_together(prefix, configuration, len, candidate) {
                continue;
            }
            self.add(prefix, candidate);
            if self.choose(prefix, configuration, len, 0) {
                self.chosen.sort_unstable_by_key(|event| prefix.get(*event).serial);
                return Some(&self.chosen);
            }
            if self.is_hopeless {
                return None;
            }
            self.chosen.clear();
        }
        None
    }

    /// Whether `[event]` goes together with the first `len` events of the configuration, and
    /// contains nothing that is to be avoided.
    fn goes_together(
        &mut self,
        prefix: &mut Prefix,
        configuration: &Configuration,
        len: usize,
        event: EventId,
    ) -> bool {
        let search = prefix.searches;
        let this = prefix.get(event);
        if this.is_cut_off {
            return false;
        }
        if this.visit.search == search {
            return !this.visit.is_refused;
        }
        if this.foe != EventId::NONE && (prefix.get(this.foe).position as usize) < len {
            return false;
        }
        let candidate = event;
        // Causes that were visited before and not refused go together with C: so do theirs.
        self.stack.clear();
        self.stack.push(event);
        self.needed.clear();
        let mut is_refused = false;
        while let Some(event) = self.stack.pop() {
            let this = prefix.get_mut(event);
            if this.visit.search == search {
                is_refused |= this.visit.is_refused;
                continue;
            }
            if (this.position as usize) < len {
                continue;
            }
            this.visit.search = search;
            this.visit.is_refused = false;
            self.needed.push(event);
            if let Some(foe) = configuration.excluded_by(prefix, event, len) {
                prefix.get_mut(candidate).foe = foe;
                is_refused = true;
            }
            if is_refused {
                break;
            }
            self.stack.extend(&prefix.get(event).parents);
        }
        if is_refused {
            // Those that were visited on the way may be all right: they are looked at again.
            for visited in self.needed.drain(..) {
                prefix.get_mut(visited).visit.search = 0;
            }
            let visit = &mut prefix.get_mut(event).visit;
            (visit.search, visit.is_refused) = (search, true);
        }
        !is_refused
    }

    /// Chooses candidates for the sleepers from `next` on.
    fn choose(
        &mut self,
        prefix: &mut Prefix,
        configuration: &Configuration,
        len: usize,
        next: usize,
    ) -> bool {
        let Some(avoided) = self.avoided.get(next).copied() else { return true };
        let excludes = |event: &EventId| {
            let (one, other) = (prefix.get(*event), prefix.get(avoided));
            one.process() == other.process() || dependent(&one.touches, &other.touches)
        };
        if self.chosen.iter().any(excludes) {
            return self.choose(prefix, configuration, len, next + 1);
        }
        if !self.has_candidates[next] {
            self.find_candidates(prefix, configuration, len, next);
        }
        for i in 0..self.candidates[next].len() {
            let before = self.chosen.len();
            if self.add(prefix, self.candidates[next][i])
                && self.choose(prefix, configuration, len, next + 1)
            {
                return true;
            }
            self.chosen.truncate(before);
        }
        false
    }

    /// Finds the events in immediate conflict with a sleeper that go together with C. If there are
    /// none, whatever goes together with C goes together with the sleeper, too.
    fn find_candidates(
        &mut self,
        prefix: &mut Prefix,
        configuration: &Configuration,
        len: usize,
        next: usize,
    ) {
        let conflicts = std::mem::take(&mut prefix.get_mut(self.avoided[next]).conflicts);
        let mut candidates = std::mem::take(&mut self.candidates[next]);
        candidates.clear();
        let fits = |event: &EventId| self.goes_together(prefix, configuration, len, *event);
        candidates.extend(conflicts.iter().rev().copied().filter(fits));
        prefix.get_mut(self.avoided[next]).conflicts = conflicts;
        self.is_hopeless |= candidates.is_empty();
        self.candidates[next] = candidates;
        self.has_candidates[next] = true;
    }

    /// Adds a candidate with all that it needs, if that goes together with what was chosen.
    fn add(&mut self, prefix: &Prefix, candidate: EventId) -> bool {
        let before = self.chosen.len();
        let mut next = before;
        self.chosen.push(candidate);
        while let Some(event) = self.chosen.get(next).copied() {
            next += 1;
            if self.chosen[..before].iter().any(|other| prefix.in_direct_conflict(event, *other)) {
                return false;
            }
            for parent in &prefix.get(event).parents {
                // Whatever was visited and not refused is outside of C.
                let visit = prefix.get(*parent).visit;
                let is_outside = visit.search == prefix.searches && !visit.is_refused;
                if is_outside && !self.chosen.contains(parent) {
                    self.chosen.push(*parent);
                }
            }
        }
        true
    }
}

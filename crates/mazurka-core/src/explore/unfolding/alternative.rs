//! `Alt`: a configuration that avoids the explored events.
//!
//! An *alternative* to `D` after `C` (definition 8 of the paper) is a configuration `J` that is compatible
//! with `C`, such that for every event of `D` an event of `C ∪ J` is in immediate conflict with it. So a
//! search that runs `J` after `C` never takes an event of `D`.
//!
//! Only the events of `D` that are enabled at `C` matter: the *sleepers*. All other events of `D` are in
//! conflict with an event of `C`. For the last explored event, and then for each sleeper in turn, the
//! search chooses a candidate, an event in immediate conflict with it, such that the local configurations
//! of all candidates are compatible. Usually the first candidate conflicts with all sleepers, so the
//! candidates of a sleeper are computed only when they are needed. Whether a candidate is compatible with
//! `C` is computed once in a search, and noted in the event.

use super::events::configuration::Configuration;
use super::events::event::{EventId, dependent};
use super::events::prefix::Prefix;

/// A search for an alternative, with its buffers.
#[derive(Debug, Default)]
pub(super) struct AlternativeSearch {
    /// The sleepers that must be avoided.
    avoided: Vec<EventId>,
    /// For each sleeper its candidates, once they have been computed.
    candidates: Vec<Vec<EventId>>,
    has_candidates: Vec<bool>,
    /// Whether some sleeper has no candidate.
    is_hopeless: bool,
    /// `J ∖ C`.
    chosen: Vec<EventId>,
    stack: Vec<EventId>,
    /// The causes of a candidate outside of `C`.
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
        // The latest first: they share most with the current configuration.
        for i in (0..prefix.get(explored).conflicts.len()).rev() {
            let candidate = prefix.get(explored).conflicts[i];
            if !self.is_compatible(prefix, configuration, len, candidate) {
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

    /// Returns whether `[event]` is compatible with the first `len` events of the configuration, and
    /// contains no event that must be avoided.
    fn is_compatible(
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
        // Causes that were visited and not refused are compatible with `C`, and so are their causes.
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
            // The other events that were visited may be compatible, so they are looked at again.
            for visited in self.needed.drain(..) {
                prefix.get_mut(visited).visit.search = 0;
            }
            let visit = &mut prefix.get_mut(event).visit;
            (visit.search, visit.is_refused) = (search, true);
        }
        !is_refused
    }

    /// Chooses candidates for the sleepers from `next` on. Returns whether there is a choice.
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

    /// Computes the candidates of a sleeper. If there are none, there is no alternative.
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
        let fits = |event: &EventId| self.is_compatible(prefix, configuration, len, *event);
        candidates.extend(conflicts.iter().rev().copied().filter(fits));
        prefix.get_mut(self.avoided[next]).conflicts = conflicts;
        self.is_hopeless |= candidates.is_empty();
        self.candidates[next] = candidates;
        self.has_candidates[next] = true;
    }

    /// Adds a candidate with its causes, if they are compatible with the events chosen so far.
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
                // Events that were visited and not refused are outside of `C`.
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

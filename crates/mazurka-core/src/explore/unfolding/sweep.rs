//! `Remove` (lines 12 and 15–18), and the event cache `G`.

use super::Unfolding;
use super::events::event::EventId;

/// How many states may be kept whose events have been removed.
const MOST_STATES: usize = 1 << 20;

impl Unfolding {
    /// Removes events that are not needed, if there are too many.
    ///
    /// Algorithm 1 moves events from U to the cache G when it leaves a node, and events in G may be discarded
    /// at any time. Here events stay in U until there are too many. Then Q is computed, and of the other
    /// events as many are kept as the cache holds, the latest first.
    pub(super) fn sweep(&mut self) {
        if self.prefix.len() <= self.limit {
            return;
        }
        let Some(cache) = self.options.cache else { return };
        let mut kept = vec![false; self.prefix.events.len()];
        let mut count = self.keep_needed(&mut kept);
        let needed = count;
        let mut others: Vec<EventId> = self.prefix.in_use().collect();
        others.retain(|id| !kept[id.index()] && !self.prefix.get(*id).is_cut_off);
        others.sort_unstable_by_key(|id| std::cmp::Reverse(self.prefix.get(*id).serial));
        for event in others {
            let closure = self.missing_causes(&kept, event);
            if count + closure.len() > needed + cache {
                break;
            }
            count += closure.len();
            closure.into_iter().for_each(|id| kept[id.index()] = true);
        }
        self.prefix.retain(|id| kept[id.index()]);
        self.names.retain(|id| kept[id.index()]);
        self.cutter.forget_events(|id| kept[id.index()]);
        if self.states.len() > MOST_STATES {
            let states = self.prefix.in_use().filter_map(|event| self.prefix.get(event).state);
            self.states.retain(states.chain(self.cutter.initial()));
            self.cutter.rebuild(&self.prefix, self.prefix.in_use());
        }
        // The next sweep runs when it can remove as many events as the cache holds.
        self.limit = count + cache;
    }

    /// Marks Q: the events in C and D, those in immediate conflict with them, and all of their
    /// causes. Returns how many there are.
    fn keep_needed(&self, kept: &mut [bool]) -> usize {
        let members = self.configuration.members().iter().map(|member| member.id);
        let mut stack: Vec<EventId> = members.chain(self.sleepers.all().iter().copied()).collect();
        for i in 0..stack.len() {
            let conflicts = self.prefix.get(stack[i]).conflicts.iter();
            stack.extend(conflicts.filter(|event| !self.prefix.get(**event).is_cut_off));
        }
        // `next` asks for the cut-offs at every depth.
        stack.extend(self.cut_offs.all());
        let mut count = 0;
        while let Some(event) = stack.pop() {
            if !std::mem::replace(&mut kept[event.index()], true) {
                count += 1;
                stack.extend(&self.prefix.get(event).parents);
            }
        }
        count
    }

    /// Returns an event with those of its causes that are not kept yet.
    fn missing_causes(&self, kept: &[bool], event: EventId) -> Vec<EventId> {
        let mut missing = vec![event];
        let mut next = 0;
        while let Some(event) = missing.get(next).copied() {
            next += 1;
            for parent in &self.prefix.get(event).parents {
                if !kept[parent.index()] && !missing.contains(parent) {
                    missing.push(*parent);
                }
            }
        }
        missing
    }
}

//! `Remove`, and the event cache.

use super::Unfolding;
use super::events::event::EventId;

/// So many states are remembered though the events that led there are not.
const MOST_STATES: usize = 1 << 20;

impl Unfolding {
    /// Removes events that are not needed, if there are too many.
    ///
    /// Algorithm 1 moves events from U to the cache G as soon as it leaves a node; events in G may be
    /// discarded at any time. Here events stay in U until there are too many. Then what has to stay
    /// is found out anew, and of the rest so many as the cache holds, the latest first.
    pub(super) fn sweep(&mut self) {
        if self.prefix.len() <= self.limit {
            return;
        }
        let Some(cache) = self.options.cache else { return };
        let mut kept = vec![false; self.prefix.events.len()];
        let mut count = self.keep_needed(&mut kept);
        let needed = count;
        // Ids that are not in use have names no more, but serials that are old.
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
        // Look again only when there is as much to gain as the cache holds.
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
        // Those that were met on the way and cut off are still asked about.
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

    /// An event with those of its causes that are not kept yet.
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

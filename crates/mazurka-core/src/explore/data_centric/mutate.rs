//! Mutation: what else the events of an execution could have observed.
//!
//! For a node with the events `S` and the next event `e`, and an execution below it, this finds
//!
//! * *looking back*: the writes among `S` that `e` could observe, all of `S` staying as it is;
//! * *looking ahead*: the writes `u` of the execution behind `S` that `e` could observe. The child then
//!   has `S`, the causal past of `u`, `u` and `e`. If `u` observes something itself (a
//!   read-modify-write), it may be that it could come before `e` only if it observes something else
//!   than in this execution, which has `e` in its past; so all that it could observe are tried.
//!
//! If `e` waits, the children are what could come next on its location instead of `e`.

use std::slice;

use smallvec::SmallVec;

use super::super::execution::Execution;
use super::DataCentric;
use super::access::{Access, Kind};
use super::frame::{Changed, Child, Guess};
use super::identity::Identity;
use super::lessons::Group;
use super::mover::{Moved, Mover, Outsider, Sources, join, multiply};
use super::realise::{Answer, Extra, FIRST_EXTRA, Touch};
use super::record::{INITIAL, MANY, bit};
use super::waiting::Prospect;

impl DataCentric {
    /// Finds the children of all nodes that this event, or one that waits, gives rise to.
    pub(super) fn look_ahead(&mut self, mover: &Mover, execution: &Execution) {
        let has_fresh_sources = |access: &Access| {
            access.reads
                && self
                    .record
                    .writes_to(access.group)
                    .iter()
                    .any(|w| self.record.event(*w).is_fresh)
        };
        if !mover.is_fresh && !mover.accesses.iter().any(has_fresh_sources) {
            return;
        }
        for group in mover.targets().collect::<SmallVec<[Group; 2]>>() {
            let Some(observers) = self.observers.get(group.index()) else { continue };
            // Nodes that are further down have the event among theirs.
            let above = observers.partition_point(|frame| {
                !self.frames[*frame as usize].has(mover.process, mover.number)
            });
            // No earlier event of the mover's process is of interest, nor any of those that do not
            // observe the group.
            let mut exhausted = !self.observing[group.index()] | bit(mover.process);
            for i in (0..above).rev() {
                let index = self.observers[group.index()][i] as usize;
                let frame = &self.frames[index];
                let is_past = frame.process == mover.process
                    || self.record.component(mover.past.clock, frame.process) >= frame.number;
                if !is_past {
                    self.move_before(index, group, mover, execution);
                } else {
                    exhausted |= bit(frame.process);
                    if exhausted == u128::MAX && self.record.processes() <= MANY {
                        break;
                    }
                }
            }
        }
    }

    /// Finds the children of one node in which a mover writes to `group` before the next event.
    fn move_before(&mut self, frame: usize, group: Group, mover: &Mover, execution: &Execution) {
        let mut sources = std::mem::take(&mut self.source_lists);
        sources.clear();
        self.all_sources(frame, group, mover, &mut sources);
        for sources in &sources {
            let fresh = |source: &u32| *source != INITIAL && self.record.event(*source).is_fresh;
            if mover.is_fresh || sources.iter().any(fresh) || self.frames[frame].observes.len() > 1
            {
                self.move_with(frame, group, (mover, sources), execution);
            }
        }
        self.source_lists = sources;
    }

    /// All that a mover could observe without the next event of a node being in its past.
    fn all_sources(&mut self, frame: usize, group: Group, mover: &Mover, lists: &mut Vec<Sources>) {
        let mut options = std::mem::take(&mut self.options);
        lists.push(Sources::new());
        for access in mover.accesses.iter().filter(|access| access.reads) {
            let node = &self.frames[frame];
            options.clear();
            if node.waits && access.group == group {
                options.push(self.last_write_within(frame, group));
            } else {
                let next = Outsider { process: node.process, number: node.number };
                let own = Outsider { process: mover.process, number: mover.number };
                let record = &self.record;
                record.visible_writes(access.group, mover.past.clock, &mut options);
                options.retain(|source| {
                    !next.is_past_of(*source, record) && !own.is_past_of(*source, record)
                });
            }
            multiply(lists, &options);
        }
        self.options = options;
    }

    /// The last write to a group among the events of a node.
    fn last_write_within(&self, frame: usize, group: Group) -> u32 {
        let node = &self.frames[frame];
        let writes = self.record.writes_to(group).iter().rev().copied();
        let is_within = |write: &u32| {
            let event = self.record.event(*write);
            node.has(event.process, event.number)
        };
        writes.into_iter().find(is_within).unwrap_or(INITIAL)
    }

    /// A mover with these observations, if it can be so and then writes to `group`.
    fn moved(
        &self,
        frame: usize,
        group: Group,
        (mover, sources): (&Mover, &Sources),
        execution: &Execution,
    ) -> Option<Moved> {
        let mut cut: SmallVec<[u32; 8]> = self.frames[frame].cut.clone();
        cut.resize(self.record.processes(), 0);
        join(&mut cut, self.record.clock(mover.past.clock));
        let mut touches = SmallVec::new();
        let (mut writes, mut value) = (false, None);
        let (mut unchanged, mut is_guess) = (mover.performed, false);
        let mut next_source = sources.iter().copied();
        for access in &mover.accesses {
            let source = access.reads.then(|| next_source.next().expect("there is one for each"));
            let found = source.and_then(|source| self.record.value_after(source, access.group));
            let same = mover.performed && source.is_none_or(|s| s == access.source);
            let kind = match same {
                true => Kind { reads: access.reads, writes: access.writes },
                false => {
                    let observed = (source, found);
                    match self.prospect(access, &mover.conditions, observed, execution) {
                        Prospect::Waits => return None,
                        Prospect::Is(kind) => kind,
                        Prospect::MayBe(kind) => {
                            is_guess = true;
                            kind
                        }
                    }
                }
            };
            unchanged &= same;
            if let Some(source) = source.filter(|source| *source != INITIAL) {
                join(&mut cut, self.record.clock(self.record.event(source).clock));
            }
            if access.group == group {
                writes = kind.writes;
                value = (access.simple && mover.performed).then_some(access.after);
            }
            let source = source.filter(|_| kind.reads);
            touches.push(Touch { group: access.group, source, writes: kind.writes });
        }
        // What a mover leaves may depend on what it has found.
        let value = value.filter(|_| unchanged);
        let extra = Extra {
            process: mover.process,
            number: mover.number,
            choice: mover.choice,
            past: mover.past.clock,
            joined: mover.past.joined,
            touches,
        };
        let identity = mover.past.identity;
        writes.then_some(Moved { extra, identity, cut, group, value, is_guess })
    }

    /// The identity of an event with these observations, `moved` being the identity of the first
    /// extra event.
    fn identity_with(&self, past: Identity, extra: &Extra, moved: Option<Identity>) -> Identity {
        let sources = extra.touches.iter().filter_map(|touch| touch.source);
        sources.fold(past.choosing(extra.choice), |identity, source| match (source, moved) {
            (FIRST_EXTRA, Some(moved)) => identity.observing(moved),
            _ => identity.observing(self.record.identity_of(source)),
        })
    }

    fn move_with(
        &mut self,
        frame: usize,
        group: Group,
        (mover, sources): (&Mover, &Sources),
        execution: &Execution,
    ) {
        let Some(mut moved) = self.moved(frame, group, (mover, sources), execution) else { return };
        for choice in 0..self.choices_of(mover, sources) {
            moved.extra.choice = choice;
            moved.identity = self.identity_with(mover.past.identity, &moved.extra, None);
            match self.frames[frame].waits {
                true => {
                    let guess = Guess { takes_effect: moved.is_guess, is_idle: false };
                    let changed = [moved.changed()];
                    self.add_child(
                        frame,
                        &moved.cut,
                        slice::from_ref(&moved.extra),
                        &changed,
                        guess,
                    );
                }
                false => self.observe_moved(frame, group, &moved, execution),
            }
        }
    }

    /// How many alternatives a mover has with these observations.
    fn choices_of(&self, mover: &Mover, sources: &Sources) -> u32 {
        let mut sources = sources.iter();
        for access in &mover.accesses {
            if access.reads {
                let source = *sources.next().expect("there is one for each");
                if let Some(value) = self.record.value_after(source, access.group)
                    && access.ways != crate::model::Ways::One
                {
                    return access.ways.count(value, access.when.holds(value));
                }
            }
        }
        mover.alternatives
    }

    /// The children in which the next event of a node observes a moved event.
    fn observe_moved(&mut self, frame: usize, group: Group, moved: &Moved, execution: &Execution) {
        let Some(next) = self.next_event_of(frame, execution) else { return };
        let is_it = |access: &Access| access.group == group && access.reads;
        let Some(at) = next.accesses.iter().position(is_it) else { return };
        let own = Outsider { process: next.process, number: next.number };
        let other = Outsider { process: moved.extra.process, number: moved.extra.number };
        let may_observe = |source: u32| {
            !own.is_past_of(source, &self.record) && !other.is_past_of(source, &self.record)
        };
        let lists = self.sources_of_next(&next, may_observe, Some((at, &moved.extra)));
        for sources in lists {
            self.add_observation(frame, &next, &sources, Some(moved), execution);
        }
    }

    /// Finds the children of a node in which its next event, which is `next` in the current
    /// execution, observes what is among its events.
    pub(super) fn look_back(&mut self, frame: usize, next: &Mover, execution: &Execution) {
        let node = &self.frames[frame];
        if node.waits && next.accesses.iter().any(|access| access.writes) {
            return; // It can observe only the last of them.
        }
        let is_within = |source: u32| {
            source == INITIAL || {
                let event = self.record.event(source);
                node.has(event.process, event.number)
            }
        };
        let mut lists = self.sources_of_next(next, is_within, None);
        if node.waits {
            let group = next.accesses.first().map(|access| access.group);
            let order = |source: u32| match source {
                INITIAL => 0,
                source => {
                    let writes = group.map_or(&[][..], |group| self.record.writes_to(group));
                    writes.iter().take_while(|write| **write != source).count() as u32 + 1
                }
            };
            lists.retain(|sources| sources.iter().all(|source| order(*source) >= node.offered));
        }
        for sources in lists {
            self.add_observation(frame, next, &sources, None, execution);
        }
    }

    /// The event that comes next at a node, as it is in the current execution.
    pub(super) fn next_event_of(&self, frame: usize, execution: &Execution) -> Option<Mover> {
        let node = &self.frames[frame];
        let event = self.record.find(node.process, node.number)?;
        Some(Mover::of_event(&self.record, execution, event))
    }

    /// All that the next event of a node could observe, at one place or more what an extra event
    /// writes.
    fn sources_of_next(
        &self,
        next: &Mover,
        may_observe: impl Fn(u32) -> bool,
        given: Option<(usize, &Extra)>,
    ) -> Vec<Sources> {
        let mut lists = vec![Sources::new()];
        for (i, access) in next.accesses.iter().enumerate() {
            if !access.reads {
                continue;
            }
            let mut options = Vec::new();
            match given {
                Some((at, _)) if at == i => options.push(FIRST_EXTRA),
                _ => {
                    self.record.visible_writes(access.group, next.past.clock, &mut options);
                    options.retain(|source| may_observe(*source));
                    let writes = |touch: &Touch| touch.writes && touch.group == access.group;
                    if given.is_some_and(|(_, extra)| extra.touches.iter().any(writes)) {
                        options.push(FIRST_EXTRA);
                    }
                }
            }
            multiply(&mut lists, &options);
        }
        lists
    }

    /// Adds the child in which the next event of a node observes these writes.
    fn add_observation(
        &mut self,
        frame: usize,
        next: &Mover,
        sources: &Sources,
        moved: Option<&Moved>,
        execution: &Execution,
    ) {
        let mut cut = match moved {
            Some(moved) => moved.cut.clone(),
            None => self.frames[frame].cut.clone(),
        };
        cut.resize(self.record.processes(), 0);
        let mut touches = SmallVec::new();
        let mut guessed = None;
        let mut next_source = sources.iter().copied();
        for access in &next.accesses {
            let source = access.reads.then(|| next_source.next().expect("there is one for each"));
            let found = match (source, moved) {
                (Some(FIRST_EXTRA), Some(moved)) => {
                    moved.value.filter(|_| moved.group == access.group)
                }
                (Some(source), _) => self.record.value_after(source, access.group),
                (None, _) => None,
            };
            let observed = (source, found);
            let kind = match self.prospect(access, &next.conditions, observed, execution) {
                Prospect::Waits => return,
                Prospect::Is(kind) => kind,
                Prospect::MayBe(kind) => {
                    guessed = Some(touches.len());
                    kind
                }
            };
            if let Some(source) = source.filter(|source| *source < FIRST_EXTRA) {
                join(&mut cut, self.record.clock(self.record.event(source).clock));
            }
            let source = source.filter(|_| kind.reads);
            touches.push(Touch { group: access.group, source, writes: kind.writes });
        }
        let extra = Extra {
            process: next.process,
            number: next.number,
            choice: 0,
            past: next.past.clock,
            joined: next.past.joined,
            touches,
        };
        let moved_identity = moved.map(|moved| moved.identity);
        let own = Changed {
            process: next.process,
            number: next.number,
            identity: self.identity_with(next.past.identity, &extra, moved_identity),
        };
        let mut changed: SmallVec<[Changed; 2]> = moved.map(Moved::changed).into_iter().collect();
        changed.push(own);
        let mut extras: SmallVec<[Extra; 2]> =
            moved.map(|moved| moved.extra.clone()).into_iter().collect();
        extras.push(extra);
        let takes_effect = moved.is_some_and(|moved| moved.is_guess);
        let guess = Guess { takes_effect, is_idle: false };
        let is_possible = self.add_child(frame, &cut, &extras, &changed, guess);
        if let (Some(guessed), false) = (guessed, is_possible) {
            // If it takes no effect, it fits in more places.
            let last = extras.len() - 1;
            extras[last].touches[guessed].writes = false;
            self.frames[frame].known.remove(&own.identity);
            let guess = Guess { takes_effect, is_idle: true };
            self.add_child(frame, &cut, &extras, &changed, guess);
        }
    }

    /// Adds a child if it is new and can be realised; says whether it is known or possible.
    fn add_child(
        &mut self,
        frame: usize,
        cut: &[u32],
        extras: &[Extra],
        changed: &[Changed],
        guess: Guess,
    ) -> bool {
        let Some(last) = changed.last() else { return false };
        if !self.frames[frame].known.insert(last.identity) {
            return true;
        }
        // The events that are changed come behind those that stay.
        if extras.iter().any(|extra| cut[extra.process] != extra.number - 1) {
            return false;
        }
        // Nobody can replace what another event replaces.
        let is_replaced = |touch: &Touch| {
            let source = touch.source.filter(|source| touch.writes && *source != FIRST_EXTRA);
            let by = source.and_then(|source| self.record.replaced_by(source, touch.group));
            by.map(|by| self.record.event(by)).is_some_and(|by| by.number <= cut[by.process])
        };
        if extras.iter().any(|extra| extra.touches.iter().any(is_replaced)) {
            return false;
        }
        match self.realiser.realise(&self.record, cut, extras) {
            Answer::Yes => {
                let steps = self.realiser.steps().collect();
                let changed = changed.iter().copied().collect();
                self.frames[frame].open.push(Child { steps, changed, guess });
                true
            }
            Answer::No => false,
            Answer::Unknown => {
                for group in self.realiser.contested() {
                    self.lessons.give_up(group);
                }
                false
            }
        }
    }
}

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

use smallvec::SmallVec;

use super::DataCentric;
use super::frame::Child;
use super::identity::Identity;
use super::lessons::Group;
use super::realise::{Answer, Extra, FIRST_EXTRA, Touch};
use super::record::{Access, Accesses, INITIAL, Past, Record};

/// An event of the execution, or one that is about to come, which might be moved.
pub(super) struct Mover {
    process: usize,
    number: u32,
    choice: u32,
    alternatives: u32,
    past: Past,
    is_fresh: bool,
    accesses: Accesses,
    /// Whether it was performed, so that it is known what it does.
    performed: bool,
}

impl Mover {
    pub(super) fn of_event(record: &Record, index: u32) -> Self {
        let event = record.event(index);
        Mover {
            process: event.process,
            number: event.number,
            choice: event.choice,
            alternatives: event.alternatives,
            past: event.past,
            is_fresh: event.is_fresh,
            accesses: record.accesses(index).into(),
            performed: true,
        }
    }

    /// What a process waits to do.
    pub(super) fn pending(record: &Record, process: usize, accesses: Accesses) -> Self {
        Mover {
            process,
            number: record.count(process) + 1,
            choice: 0,
            alternatives: 1,
            past: record.past_of_next(process),
            is_fresh: true,
            accesses,
            performed: false,
        }
    }

    /// Whether it is a process's.
    pub(super) fn is_of(&self, process: usize) -> bool {
        self.process == process
    }

    /// What it does.
    pub(super) fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// The groups that it may write to.
    fn targets(&self) -> impl Iterator<Item = Group> + '_ {
        let may_write =
            |access: &&Access| access.writes || access.declared != crate::model::Op::Read;
        self.accesses.iter().filter(may_write).map(|access| access.group)
    }
}

/// The writes that an event observes, one for each access that reads.
type Sources = SmallVec<[u32; 2]>;

/// An event that must not be in the past of what is observed.
#[derive(Clone, Copy)]
struct Outsider {
    process: usize,
    number: u32,
}

impl Outsider {
    fn is_past_of(self, source: u32, record: &Record) -> bool {
        source != INITIAL
            && record.component(record.event(source).clock, self.process) >= self.number
    }
}

/// An event with what it would observe, and all that comes before it.
struct Moved {
    extra: Extra,
    identity: Identity,
    cut: SmallVec<[u32; 8]>,
    /// The group that matters, and what is left there, if that is known.
    value: Option<u64>,
}

impl DataCentric {
    /// Finds the children of all nodes that this event, or one that waits, gives rise to.
    pub(super) fn look_ahead(&mut self, mover: &Mover) {
        if !mover.is_fresh && !mover.accesses.iter().any(|access| access.reads) {
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
                    self.move_before(index, group, mover);
                } else {
                    exhausted |= bit(frame.process);
                    if exhausted == u128::MAX {
                        break;
                    }
                }
            }
        }
    }

    /// Finds the children of one node in which a mover writes to `group` before the next event.
    fn move_before(&mut self, frame: usize, group: Group, mover: &Mover) {
        let mut sources = std::mem::take(&mut self.source_lists);
        sources.clear();
        self.all_sources(frame, group, mover, &mut sources);
        for sources in &sources {
            let fresh = |source: &u32| *source != INITIAL && self.record.event(*source).is_fresh;
            if mover.is_fresh || sources.iter().any(fresh) || self.frames[frame].observes.len() > 1
            {
                self.move_with(frame, group, mover, sources);
            }
        }
        self.source_lists = sources;
    }

    /// All that a mover could observe without the next event of a node being in its past.
    fn all_sources(&self, frame: usize, group: Group, mover: &Mover, lists: &mut Vec<Sources>) {
        let node = &self.frames[frame];
        let next = Outsider { process: node.process, number: node.number };
        let own = Outsider { process: mover.process, number: mover.number };
        lists.push(Sources::new());
        for access in &mover.accesses {
            if !access.reads {
                continue;
            }
            let only =
                (node.waits && access.group == group).then(|| self.last_write_within(frame, group));
            let known = self.record.writes_to(access.group).iter().copied();
            let options: SmallVec<[u32; 16]> = match only {
                Some(only) => SmallVec::from_slice(&[only]),
                None => std::iter::once(INITIAL)
                    .chain(known)
                    .filter(|source| {
                        !next.is_past_of(*source, &self.record)
                            && !own.is_past_of(*source, &self.record)
                    })
                    .collect(),
            };
            let so_far = std::mem::take(lists);
            for list in so_far {
                for option in &options {
                    let mut list = list.clone();
                    list.push(*option);
                    lists.push(list);
                }
            }
        }
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
    fn moved(&self, frame: usize, group: Group, mover: &Mover, sources: &Sources) -> Option<Moved> {
        let mut cut: SmallVec<[u32; 8]> = self.frames[frame].cut.clone();
        cut.resize(self.record.processes(), 0);
        join(&mut cut, self.record.clock(mover.past.clock));
        let mut touches = SmallVec::new();
        let (mut writes, mut value) = (false, None);
        let mut unchanged = mover.performed;
        let mut next_source = sources.iter().copied();
        for access in &mover.accesses {
            let source = access.reads.then(|| next_source.next().expect("there is one for each"));
            let found = source.and_then(|source| self.record.value_after(source, access.group));
            let same = mover.performed && source.is_none_or(|s| s == access.source);
            let kind = match same {
                true => super::record::Kind { reads: access.reads, writes: access.writes },
                false => access.kind_at(found, &self.lessons)?,
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
        let identity = self.identity_with(mover.past.identity, mover.choice, &extra);
        writes.then_some(Moved { extra, identity, cut, value })
    }

    /// The identity of an event with these observations.
    fn identity_with(&self, past: Identity, choice: u32, extra: &Extra) -> Identity {
        let sources = extra.touches.iter().filter_map(|touch| touch.source);
        sources.fold(past.choosing(choice), |identity, source| {
            identity.observing(self.record.identity_of(source))
        })
    }

    fn move_with(&mut self, frame: usize, group: Group, mover: &Mover, sources: &Sources) {
        let Some(mut moved) = self.moved(frame, group, mover, sources) else { return };
        for choice in 0..self.choices_of(mover, sources) {
            moved.extra.choice = choice;
            moved.identity = self.identity_with(mover.past.identity, choice, &moved.extra);
            match self.frames[frame].waits {
                true => {
                    let changed = (mover.process, mover.number);
                    let extras = [moved.extra.clone()];
                    let identity = moved.identity;
                    let is_guess = mover.accesses.iter().any(|a| a.waits && !a.simple);
                    self.add_child(frame, identity, &moved.cut, &extras, &[changed], is_guess);
                }
                false => self.observe_moved(frame, group, &moved),
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
    fn observe_moved(&mut self, frame: usize, group: Group, moved: &Moved) {
        let Some(next) = self.next_event_of(frame) else { return };
        let is_it = |access: &Access| access.group == group && access.reads;
        let Some(at) = next.accesses.iter().position(is_it) else { return };
        let own = Outsider { process: next.process, number: next.number };
        let other = Outsider { process: moved.extra.process, number: moved.extra.number };
        let may_observe = |source: u32| {
            !own.is_past_of(source, &self.record) && !other.is_past_of(source, &self.record)
        };
        let lists = self.sources_of_next(&next, may_observe, Some((at, FIRST_EXTRA)));
        for sources in lists {
            self.add_observation(frame, &next, &sources, Some(moved));
        }
    }

    /// Finds the children of a node in which its next event, which is `next` in the current
    /// execution, observes what is among its events.
    pub(super) fn look_back(&mut self, frame: usize, next: &Mover) {
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
            self.add_observation(frame, next, &sources, None);
        }
    }

    /// The event that comes next at a node, as it is in the current execution.
    pub(super) fn next_event_of(&self, frame: usize) -> Option<Mover> {
        let node = &self.frames[frame];
        let event = self.record.find(node.process, node.number)?;
        Some(Mover::of_event(&self.record, event))
    }

    /// All that the next event of a node could observe, one source being given.
    fn sources_of_next(
        &self,
        next: &Mover,
        may_observe: impl Fn(u32) -> bool,
        given: Option<(usize, u32)>,
    ) -> Vec<Sources> {
        let mut lists = vec![Sources::new()];
        for (i, access) in next.accesses.iter().enumerate() {
            if !access.reads {
                continue;
            }
            let writes = self.record.writes_to(access.group).iter().copied();
            let all = std::iter::once(INITIAL).chain(writes).filter(|source| {
                may_observe(*source) && !self.is_overwritten(*source, access.group, next.past)
            });
            let options: SmallVec<[u32; 16]> = match given {
                Some((at, source)) if at == i => SmallVec::from_slice(&[source]),
                _ => all.collect(),
            };
            let so_far = std::mem::take(&mut lists);
            for list in so_far {
                for option in &options {
                    let mut list = list.clone();
                    list.push(*option);
                    lists.push(list);
                }
            }
        }
        lists
    }

    /// Whether there is another write to a group behind this one in the past of an event, so that
    /// the event cannot observe it.
    fn is_overwritten(&self, source: u32, group: Group, past: Past) -> bool {
        self.record.writes_to(group).iter().any(|write| {
            let event = self.record.event(*write);
            *write != source
                && self.record.component(past.clock, event.process) >= event.number
                && (source == INITIAL || {
                    let source = self.record.event(source);
                    self.record.component(event.clock, source.process) >= source.number
                })
        })
    }

    /// Adds the child in which the next event of a node observes these writes.
    fn add_observation(
        &mut self,
        frame: usize,
        next: &Mover,
        sources: &Sources,
        moved: Option<&Moved>,
    ) {
        let mut cut = match moved {
            Some(moved) => moved.cut.clone(),
            None => self.frames[frame].cut.clone(),
        };
        cut.resize(self.record.processes(), 0);
        let mut touches = SmallVec::new();
        let mut identity = Identity::INITIAL.choosing(0);
        let mut guessed = None;
        let mut next_source = sources.iter().copied();
        for access in &next.accesses {
            let source = access.reads.then(|| next_source.next().expect("there is one for each"));
            let found = match (source, moved) {
                (Some(FIRST_EXTRA), Some(moved)) => moved.value,
                (Some(source), _) => self.record.value_after(source, access.group),
                (None, _) => None,
            };
            if source == Some(FIRST_EXTRA) && access.is_conditional() && found.is_none() {
                guessed = Some(touches.len());
            }
            let Some(kind) = access.kind_at(found, &self.lessons) else { return };
            match (source, moved) {
                (Some(FIRST_EXTRA), Some(moved)) => identity = identity.observing(moved.identity),
                (Some(source), _) => {
                    identity = identity.observing(self.record.identity_of(source));
                    if source != INITIAL {
                        join(&mut cut, self.record.clock(self.record.event(source).clock));
                    }
                }
                _ => {}
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
        let own = (next.process, next.number);
        if self.frames[frame].waits {
            identity = self.identity_with(next.past.identity, 0, &extra);
        }
        let Some(moved) = moved else {
            self.add_child(frame, identity, &cut, &[extra], &[own], false);
            return;
        };
        let changed = [(moved.extra.process, moved.extra.number), own];
        let mut extras = [moved.extra.clone(), extra];
        let is_added = self.add_child(frame, identity, &cut, &extras, &changed, guessed.is_some());
        if let (Some(guessed), false) = (guessed, is_added) {
            // If it takes no effect, it fits in more places.
            extras[1].touches[guessed].writes = false;
            self.frames[frame].known.remove(&identity);
            self.add_child(frame, identity, &cut, &extras, &changed, true);
        }
    }

    /// Adds a child if it is new and can be realised; says whether it is known and possible.
    fn add_child(
        &mut self,
        frame: usize,
        identity: Identity,
        cut: &[u32],
        extras: &[Extra],
        changed: &[(usize, u32)],
        is_guess: bool,
    ) -> bool {
        if !self.frames[frame].known.insert(identity) {
            return true;
        }
        // The events that are changed come behind those that stay.
        if extras.iter().any(|extra| cut[extra.process] != extra.number - 1) {
            return false;
        }
        match self.realiser.realise(&self.record, cut, extras) {
            Answer::Yes => {
                let steps = self.realiser.steps().collect();
                let changed = changed.iter().copied().collect();
                self.frames[frame].open.push(Child { identity, steps, changed, is_guess });
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

/// A bit for a process; those beyond the last one share it.
pub(super) fn bit(process: usize) -> u128 {
    1 << process.min(127)
}

fn join(cut: &mut [u32], clock: &[u32]) {
    for (count, component) in cut.iter_mut().zip(clock) {
        *count = (*count).max(*component);
    }
}

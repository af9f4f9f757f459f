//! Looking back, and realising children.
//!
//! Looking back finds the children of a node in which its next event observes writes of the node itself.
//! (Slide "Data-centric DPOR", line 2.2 for writes in `S`, and line 2.3.)

use smallvec::SmallVec;

use super::DataCentric;
use super::frame::{Changed, Child, Guess};
use super::movable::{Movable, Moved, Sources, join, multiply};
use crate::execution::Execution;
use crate::explore::data_centric::graph::INITIAL;
use crate::explore::data_centric::graph::access::GroupAccess;
use crate::explore::data_centric::graph::identity::Identity;
use crate::explore::data_centric::realise::{AddedAccess, AddedEvent, Answer, FIRST_ADDED};
use crate::explore::data_centric::waiting::{Prospect, Setting};
use crate::model::Ways;

/// The next event of a node with other observations.
pub(crate) struct Observing {
    pub(crate) added: AddedEvent,
    /// The events of the node and the pasts of the observed writes.
    pub(crate) cut: SmallVec<[u32; 8]>,
    /// The access that may take no effect, if there is one.
    pub(crate) guessed: Option<usize>,
}

impl Observing {
    /// Replaces the event by its alternative that fails and only reads. Returns `false` if it has none, or
    /// is that alternative.
    ///
    /// Two events cannot observe and overwrite the same write, but one of them may fail. So that
    /// alternative may be possible where the first is not. If the first is possible, it is added when the
    /// search [enters](DataCentric::add_alternatives) the first.
    pub(crate) fn fail(&mut self, next: &Movable) -> bool {
        let may_fail = |access: &GroupAccess| access.ways == Ways::MayFail;
        if self.added.choice != 0 || !next.accesses.iter().any(may_fail) {
            return false;
        }
        self.added.accesses.iter_mut().for_each(|access| access.writes = false);
        self.added.choice = 1;
        true
    }
}

impl DataCentric {
    /// Looks back at a node while the execution has its next event.
    pub(crate) fn look_back_at(&mut self, frame: usize, execution: &Execution) {
        if !self.has_one_source(frame)
            && let Some(next) = self.next_event_of(frame, execution)
        {
            self.look_back(frame, &next, execution);
        }
    }

    /// Returns whether the next event of a node can observe only one write of the node, which it does in the
    /// first child. This holds for most nodes, and is quickly decided.
    fn has_one_source(&self, frame: usize) -> bool {
        let node = &self.frames[frame];
        let Some(next) = self.graph.find(node.process, node.number) else { return false };
        let mut reads = self.graph.accesses(next).iter().filter(|access| access.reads);
        let (Some(read), None, Some(_)) = (reads.next(), reads.next(), node.first) else {
            return false;
        };
        let writes = self.graph.writes_to(read.group).iter().rev().copied();
        let mut writes = writes.filter(|write| self.graph.is_within(*write, &node.cut));
        let Some(last) = writes.next() else { return true };
        self.graph.is_past(last, self.graph.event(next).past.clock)
            && (self.lessons.is_ordered(read.group)
                || writes.all(|write| self.graph.follows(last, write)))
    }

    /// Finds the children of a node in which its next event observes writes of the node. `next` is that
    /// event as it is in the current execution.
    pub(crate) fn look_back(&mut self, frame: usize, next: &Movable, execution: &Execution) {
        let node = &self.frames[frame];
        if node.waits && !next.may_only_read() {
            return; // It can observe only the last write.
        }
        let is_within = |source: u32| self.graph.is_within(source, &node.cut);
        let past = self.graph.clock(next.past.clock);
        let end = self.graph.end_of(&node.cut).max(self.graph.end_of(past));
        let mut lists = self.sources_of_next(next, (is_within, end), None);
        let reads = next.accesses.iter().filter(|access| access.reads);
        if node.waits
            && let Some((awaited, access)) =
                reads.enumerate().find(|(_, access)| access.takes_turns())
        {
            let order = |source: u32| match source {
                INITIAL => 0,
                source => {
                    let writes = self.graph.writes_to(access.group).iter();
                    writes.take_while(|write| **write != source).count() as u32 + 1
                }
            };
            lists.retain(|sources| order(sources[awaited]) >= node.offered);
        }
        let first = node.first;
        for sources in lists {
            let cut = SmallVec::from_slice(&self.frames[frame].cut);
            let Some(mut observing) = self.observing(cut, next, &sources, None, execution) else {
                continue;
            };
            loop {
                let identity = self.identity_with(next.past.identity, &observing.added, None);
                if first == Some(identity) {
                    break;
                }
                if let Some(child) = self.realised(&observing, identity, None) {
                    self.frames[frame].open.push(child);
                    break;
                }
                if !observing.fail(next) {
                    break;
                }
            }
        }
    }

    /// Returns the next event of a node as it is in the current execution.
    pub(crate) fn next_event_of(&self, frame: usize, execution: &Execution) -> Option<Movable> {
        let node = &self.frames[frame];
        let event = self.graph.find(node.process, node.number)?;
        Some(Movable::of_event(&self.graph, execution, event))
    }

    /// Returns the setting in which conditions are evaluated.
    pub(crate) fn setting<'a>(&'a self, execution: &'a Execution) -> Setting<'a> {
        Setting { graph: &self.graph, lessons: &self.lessons, execution }
    }

    /// Returns all observations of the next event of a node. It may observe only some events, and none
    /// from the event `end` on. If `given` is a moved event and the index of an access, that access
    /// observes the moved event.
    pub(crate) fn sources_of_next(
        &self,
        next: &Movable,
        (may_observe, end): (impl Fn(u32) -> bool, u32),
        given: Option<(usize, &AddedEvent)>,
    ) -> Vec<Sources> {
        let mut lists = vec![Sources::new()];
        for (i, access) in next.accesses.iter().enumerate() {
            if !access.reads {
                continue;
            }
            let mut options = Vec::new();
            match given {
                Some((at, _)) if at == i => options.push(FIRST_ADDED),
                _ => {
                    self.graph.visible_writes(access.group, next.past.clock, end, &mut options);
                    options.retain(|source| may_observe(*source));
                    let writes = |other: &AddedAccess| other.writes && other.group == access.group;
                    if given.is_some_and(|(_, added)| added.accesses.iter().any(writes)) {
                        options.push(FIRST_ADDED);
                    }
                }
            }
            multiply(&mut lists, &options);
        }
        lists
    }

    /// Returns the next event of a node with these observations, after the events within `cut`; `None` if
    /// its process would wait.
    pub(crate) fn observing(
        &self,
        mut cut: SmallVec<[u32; 8]>,
        next: &Movable,
        sources: &Sources,
        moved: Option<&Moved>,
        execution: &Execution,
    ) -> Option<Observing> {
        cut.resize(self.graph.processes(), 0);
        let mut accesses = SmallVec::new();
        let mut guessed = None;
        let mut next_source = sources.iter().copied();
        for access in &next.accesses {
            let source = access.reads.then(|| next_source.next().expect("there is one for each"));
            let found = match (source, moved) {
                (Some(FIRST_ADDED), Some(moved)) => {
                    moved.value.filter(|_| moved.group == access.group)
                }
                (Some(source), _) => self.graph.value_after(source, access.group),
                (None, _) => None,
            };
            let observed = (source, found);
            let kind = match self.setting(execution).prospect(access, &next.conditions, observed) {
                Prospect::Waits => return None,
                Prospect::Is(kind) => kind,
                Prospect::MayBe(kind) => {
                    guessed = Some(accesses.len());
                    kind
                }
            };
            if let Some(source) = source.filter(|source| *source < FIRST_ADDED) {
                join(&mut cut, self.graph.clock(self.graph.event(source).clock));
            }
            let source = source.filter(|_| kind.reads);
            accesses.push(AddedAccess { group: access.group, source, writes: kind.writes });
        }
        let added = AddedEvent {
            process: next.process,
            number: next.number,
            choice: 0,
            past: next.past.clock,
            joined: next.past.joined,
            accesses,
        };
        Some(Observing { added, cut, guessed })
    }

    /// Returns the identity of an event with these observations. `moved` is the identity of the moved
    /// event.
    pub(crate) fn identity_with(
        &self,
        past: Identity,
        added: &AddedEvent,
        moved: Option<Identity>,
    ) -> Identity {
        let sources = added.accesses.iter().filter_map(|access| access.source);
        sources.fold(past.choosing(added.choice), |identity, source| match (source, moved) {
            (FIRST_ADDED, Some(moved)) => identity.observing(moved),
            _ => identity.observing(self.graph.identity_of(source)),
        })
    }

    /// Returns the child in which the next event of a node has these observations, after a moved event if
    /// there is one; `None` if that cannot be realised.
    pub(crate) fn realised(
        &mut self,
        observing: &Observing,
        identity: Identity,
        moved: Option<&Moved>,
    ) -> Option<Child> {
        let is_idle = self.is_possible(observing, moved)?;
        let added = &observing.added;
        let own = Changed { process: added.process, number: added.number, identity };
        let mut changed: SmallVec<[Changed; 2]> = moved.map(Moved::changed).into_iter().collect();
        changed.push(own);
        let guess = Guess { takes_effect: moved.is_some_and(|moved| moved.is_guess), is_idle };
        Some(Child { steps: self.realiser.steps().into(), changed, guess, leaves_out: false })
    }

    /// Returns whether the next event of a node takes no effect with these observations, after a moved event
    /// if there is one; `None` if that cannot be realised. Otherwise the realiser has a sequence.
    pub(crate) fn is_possible(
        &mut self,
        observing: &Observing,
        moved: Option<&Moved>,
    ) -> Option<bool> {
        let Observing { added, cut, guessed } = observing;
        if self.is_realised_after(moved, cut, added) {
            return Some(false);
        }
        // Without its write, the event may fit.
        let mut idle = added.clone();
        idle.accesses[(*guessed)?].writes = false;
        self.is_realised_after(moved, cut, &idle).then_some(true)
    }

    fn is_realised_after(
        &mut self,
        moved: Option<&Moved>,
        cut: &[u32],
        added: &AddedEvent,
    ) -> bool {
        match moved {
            Some(moved) => self.is_realised(cut, &[&moved.added, added]),
            None => self.is_realised(cut, &[added]),
        }
    }

    /// Returns whether the events within `cut` and the added events can be realised. If so, the realiser
    /// has a sequence of them.
    pub(crate) fn is_realised(&mut self, cut: &[u32], all_added: &[&AddedEvent]) -> bool {
        // An added event is the next of its process after `cut`.
        if all_added.iter().any(|added| cut[added.process] != added.number - 1) {
            return false;
        }
        // Two events cannot observe and overwrite the same write.
        let is_replaced = |access: &AddedAccess| {
            let source = access.source.filter(|source| access.writes && *source != FIRST_ADDED);
            let by = source.and_then(|source| self.graph.replaced_by(source, access.group));
            by.is_some_and(|by| self.graph.is_within(by, cut))
        };
        if all_added.iter().any(|added| added.accesses.iter().any(is_replaced)) {
            return false;
        }
        let answer = self.realiser.realise(&self.graph, cut, all_added);
        if answer == Answer::Unknown {
            for group in self.realiser.contested() {
                self.lessons.give_up(group);
            }
        }
        answer == Answer::Yes
    }
}

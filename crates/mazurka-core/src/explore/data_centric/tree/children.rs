//! What the next event of a node could observe, and the children that follow from it.

use smallvec::SmallVec;

use super::DataCentric;
use super::movable::{Moved, Mover, Sources, join, multiply};
use super::stack_node::{Changed, Child, Guess};
use crate::execution::Execution;
use crate::explore::data_centric::graph::INITIAL;
use crate::explore::data_centric::graph::identity::Identity;
use crate::explore::data_centric::realise::{Answer, Extra, FIRST_EXTRA, Touch};
use crate::explore::data_centric::waiting::{Prospect, Setting};

/// An event with what it would observe.
pub(crate) struct Observing {
    pub(crate) extra: Extra,
    /// All that comes before it, together with the events of its node.
    pub(crate) cut: SmallVec<[u32; 8]>,
    /// Which of its accesses may take no effect.
    pub(crate) guessed: Option<usize>,
}

impl DataCentric {
    /// Finds the children of a node in which its next event, which is `next` in the current
    /// execution, observes what is among its events.
    pub(crate) fn look_back(&mut self, frame: usize, next: &Mover, execution: &Execution) {
        let node = &self.frames[frame];
        if node.waits && !next.may_only_read() {
            return; // It can observe only the last of them.
        }
        let is_within = |source: u32| self.record.is_within(source, &node.cut);
        let mut lists = self.sources_of_next(next, is_within, None);
        let reads = next.accesses.iter().filter(|access| access.reads);
        if node.waits
            && let Some((awaited, access)) = reads.enumerate().find(|(_, access)| access.waits)
        {
            let order = |source: u32| match source {
                INITIAL => 0,
                source => {
                    let writes = self.record.writes_to(access.group).iter();
                    writes.take_while(|write| **write != source).count() as u32 + 1
                }
            };
            lists.retain(|sources| order(sources[awaited]) >= node.offered);
        }
        let first = node.first;
        for sources in lists {
            let cut = self.frames[frame].cut.clone();
            let Some(observing) = self.observing(cut, next, &sources, None, execution) else {
                continue;
            };
            let identity = self.identity_with(next.past.identity, &observing.extra, None);
            if first != Some(identity) {
                let child = self.realised(observing, identity, None);
                self.frames[frame].open.extend(child);
            }
        }
    }

    /// The event that comes next at a node, as it is in the current execution.
    pub(crate) fn next_event_of(&self, frame: usize, execution: &Execution) -> Option<Mover> {
        let node = &self.frames[frame];
        let event = self.record.find(node.process, node.number)?;
        Some(Mover::of_event(&self.record, execution, event))
    }

    /// The current execution, for what is decided by values.
    pub(crate) fn setting<'a>(&'a self, execution: &'a Execution) -> Setting<'a> {
        Setting { record: &self.record, lessons: &self.lessons, execution }
    }

    /// All that the next event of a node could observe, at one place or more what an extra event
    /// writes.
    pub(crate) fn sources_of_next(
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

    /// The next event of a node with these observations, behind the events within `cut`; nothing if
    /// its process would have to wait.
    pub(crate) fn observing(
        &self,
        mut cut: SmallVec<[u32; 8]>,
        next: &Mover,
        sources: &Sources,
        moved: Option<&Moved>,
        execution: &Execution,
    ) -> Option<Observing> {
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
            let kind = match self.setting(execution).prospect(access, &next.conditions, observed) {
                Prospect::Waits => return None,
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
        Some(Observing { extra, cut, guessed })
    }

    /// The identity of an event with these observations, `moved` being the identity of the first
    /// extra event.
    pub(crate) fn identity_with(
        &self,
        past: Identity,
        extra: &Extra,
        moved: Option<Identity>,
    ) -> Identity {
        let sources = extra.touches.iter().filter_map(|touch| touch.source);
        sources.fold(past.choosing(extra.choice), |identity, source| match (source, moved) {
            (FIRST_EXTRA, Some(moved)) => identity.observing(moved),
            _ => identity.observing(self.record.identity_of(source)),
        })
    }

    /// The child in which the next event of a node observes so, behind a moved one if there is any;
    /// nothing if that is impossible.
    pub(crate) fn realised(
        &mut self,
        observing: Observing,
        identity: Identity,
        moved: Option<&Moved>,
    ) -> Option<Child> {
        let Observing { extra, cut, guessed } = observing;
        let own = Changed { process: extra.process, number: extra.number, identity };
        let mut changed: SmallVec<[Changed; 2]> = moved.map(Moved::changed).into_iter().collect();
        changed.push(own);
        let mut extras: SmallVec<[Extra; 2]> =
            moved.map(|moved| moved.extra.clone()).into_iter().collect();
        extras.push(extra);
        let takes_effect = moved.is_some_and(|moved| moved.is_guess);
        let mut guess = Guess { takes_effect, is_idle: false };
        if !self.is_realised(&cut, &extras) {
            // If it takes no effect, it fits in more places.
            extras.last_mut()?.touches[guessed?].writes = false;
            guess.is_idle = true;
            if !self.is_realised(&cut, &extras) {
                return None;
            }
        }
        Some(Child { steps: self.realiser.steps().collect(), changed, guess, leaves_out: false })
    }

    /// Whether the events within `cut` and these behind them can be realised; the realiser then has
    /// a sequence of them.
    pub(crate) fn is_realised(&mut self, cut: &[u32], extras: &[Extra]) -> bool {
        // The events that are changed come behind those that stay.
        if extras.iter().any(|extra| cut[extra.process] != extra.number - 1) {
            return false;
        }
        // Nobody can replace what another event replaces.
        let is_replaced = |touch: &Touch| {
            let source = touch.source.filter(|source| touch.writes && *source != FIRST_EXTRA);
            let by = source.and_then(|source| self.record.replaced_by(source, touch.group));
            by.is_some_and(|by| self.record.is_within(by, cut))
        };
        if extras.iter().any(|extra| extra.touches.iter().any(is_replaced)) {
            return false;
        }
        let answer = self.realiser.realise(&self.record, cut, extras);
        if answer == Answer::Unknown {
            for group in self.realiser.contested() {
                self.lessons.give_up(group);
            }
        }
        answer == Answer::Yes
    }
}

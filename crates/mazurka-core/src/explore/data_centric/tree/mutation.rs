//! Mutation: looking ahead for children of the nodes above an execution.
//!
//! Let a node have the events `S` and the next event `e`. For each event `u` of an execution below the
//! node that is not in `S` and that `e` could observe, there is a child with `S`, the causal past of `u`,
//! `u` and `e`. If `u` is a read-modify-write, it may be able to come before `e` only if it observes
//! another write than in this execution, where `e` is in its past. So all observations of `u` without
//! `e` in their past are tried.
//!
//! If `e` waits, the children are instead the events that could write next to its location before `e`.
//!
//! Slide "Data-centric DPOR", line 2.2, for writes outside of `S`; `children.rs` has those in `S`.

use smallvec::{SmallVec, smallvec};

use super::DataCentric;
use super::frame::{Child, Frame, Guess};
use super::movable::{Movable, Moved, Outsider, Sources, is_subset, join, multiply};
use crate::execution::{Execution, effort};
use crate::explore::data_centric::graph::access::{GroupAccess, Kind};
use crate::explore::data_centric::graph::identity::Identity;
use crate::explore::data_centric::graph::{INITIAL, MANY, bit};
use crate::explore::data_centric::lessons::CellGroup;
use crate::explore::data_centric::realise::{AddedAccess, AddedEvent, FIRST_ADDED};
use crate::explore::data_centric::waiting::Prospect;
use crate::model::Ways;

/// The writes that one access can observe.
type VisibleSources = Vec<u32>;

/// The sources of an access that observes the last write of a node.
const NO_SOURCES: VisibleSources = Vec::new();

/// How a movable event takes its turn on a group.
#[derive(Clone, Copy)]
struct Turn {
    /// The index of its access to the group.
    at: usize,
    /// The last write to the group in the past of the event. A node whose next event waits must contain it,
    /// or it would come next instead.
    last: u32,
}

/// Which visible sources of a movable event are outside of the deepest early node.
enum Behind {
    /// None of them, so that no child can be entered from this execution.
    None,
    /// These, of its only access that reads.
    Only([VisibleSources; 1]),
    /// Some of several accesses.
    All,
}

impl DataCentric {
    /// Returns whether an event may write to a group that the next event of some node observes.
    pub(crate) fn may_be_observed(&self, event: u32) -> bool {
        let is_read = |access: &GroupAccess| {
            let observers = self.observers.get(access.group.index());
            access.may_write() && observers.is_some_and(|frames| !frames.is_empty())
        };
        self.graph.accesses(event).iter().any(is_read)
    }

    /// Returns whether an event and all writes that it can observe are within the deepest early node. All
    /// children that arise by moving it are entered from other executions.
    ///
    /// That is so if the event only writes; or if it does nothing but write to a group whose writes are ordered,
    /// since all later writes to the group have it in their past. So are most operations on locks.
    pub(crate) fn was_moved(&self, event: u32) -> bool {
        let is_within = |early: usize| self.graph.is_within(event, &self.frames[early].cut);
        let is_in_turn = |accesses: &[GroupAccess]| match accesses {
            [only] => only.writes && self.lessons.is_ordered(only.group),
            _ => false,
        };
        let accesses = self.graph.accesses(event);
        !self.observes_several
            && self.last_early.is_some_and(is_within)
            && (is_in_turn(accesses) || !accesses.iter().any(|access| access.reads))
    }

    /// Returns the deepest early node, if it contains the past of a movable event.
    fn early_with(&self, movable: &Movable) -> Option<usize> {
        let early = self.last_early.filter(|_| !self.observes_several)?;
        let past = self.graph.clock(movable.past.clock);
        is_subset(past, &self.frames[early].cut).then_some(early)
    }

    /// Returns the visible sources of a movable event with which not all of a child is within the deepest early
    /// node. The early node contains the past of the event.
    fn sources_behind(&self, early: usize, visible: &[VisibleSources]) -> Behind {
        let is_behind = |source: &u32| !self.graph.is_within(*source, &self.frames[early].cut);
        match visible {
            [] => Behind::None,
            [only] => {
                let behind: VisibleSources = only.iter().copied().filter(is_behind).collect();
                if behind.is_empty() { Behind::None } else { Behind::Only([behind]) }
            }
            all if all.iter().flatten().any(is_behind) => Behind::All,
            _ => Behind::None,
        }
    }

    /// Finds the children of all nodes that arise by moving an event before the next event of the node.
    pub(crate) fn look_ahead(&mut self, movable: &Movable, execution: &Execution) {
        for group in movable.targets().collect::<SmallVec<[CellGroup; 2]>>() {
            let Some(observers) = self.observers.get(group.index()) else { continue };
            // Deeper nodes contain the event.
            let above = observers.partition_point(|frame| {
                !self.frames[*frame as usize].has(movable.process, movable.number)
            });
            let Some(observing) =
                above.checked_sub(1).map(|last| self.observing[group.index()][last])
            else {
                continue;
            };
            // A process is exhausted once an event of it is in the past of the movable event: so are
            // its earlier events. Processes that do not observe the group before it do not matter.
            let mut exhausted = !observing | bit(movable.process);
            let turn = self.turn_of(movable, group);
            let early = self.early_with(movable);
            let (mut visible, mut behind) = (None, None);
            for i in (0..above).rev() {
                effort::look();
                let index = self.observers[group.index()][i] as usize;
                let frame = &self.frames[index];
                let is_past = frame.process == movable.process
                    || self.graph.component(movable.past.clock, frame.process) >= frame.number;
                if is_past {
                    exhausted |= bit(frame.process);
                    if exhausted == u128::MAX && self.graph.processes() <= MANY {
                        break;
                    }
                    continue;
                }
                let early = early.filter(|early| index <= *early);
                if let Some(turn) = turn.filter(|_| frame.waits) {
                    if early.is_none() && self.graph.is_within(turn.last, &frame.cut) {
                        self.move_before(index, group, (movable, &[NO_SOURCES]), execution);
                    }
                    continue;
                }
                if let Some(turn) = turn
                    && self.leaves_no_turn(frame, group, (movable, turn))
                {
                    continue;
                }
                let visible = visible.get_or_insert_with(|| self.visible_sources(group, movable));
                let Some(early) = early else {
                    self.move_before(index, group, (movable, visible), execution);
                    continue;
                };
                match behind.get_or_insert_with(|| self.sources_behind(early, visible)) {
                    Behind::None => break,
                    Behind::Only(only) => {
                        self.move_before(index, group, (movable, only), execution);
                    }
                    Behind::All => {
                        self.move_before(index, group, (movable, visible), execution);
                    }
                }
            }
        }
    }

    /// Returns how a movable event takes its turn on a group, if that is all that it observes and each write
    /// to the group observes the one before it.
    fn turn_of(&self, movable: &Movable, group: CellGroup) -> Option<Turn> {
        let accesses = movable.accesses.iter().enumerate();
        let mut reads = accesses.filter(|(_, access)| access.reads);
        let (at, _) = reads.next().filter(|(_, access)| access.group == group)?;
        if reads.next().is_some() || !self.lessons.is_ordered(group) {
            return None;
        }
        let past = self.graph.clock(movable.past.clock);
        Some(Turn { at, last: self.graph.last_write_within(group, past) })
    }

    /// Returns whether a movable event could come before the next event of a node only right after a write
    /// in the past of the next event, and would not write there. So are locks before an unlock.
    fn leaves_no_turn(
        &self,
        frame: &Frame,
        group: CellGroup,
        (movable, turn): (&Movable, Turn),
    ) -> bool {
        let Some(next) = self.graph.find(frame.process, frame.number) else { return false };
        let past = self.graph.clock(self.graph.event(next).past.clock);
        let is_update =
            |access: &&GroupAccess| access.group == group && access.reads && access.writes;
        self.graph.accesses(next).iter().filter(is_update).any(|access| {
            self.graph.is_within(access.source, past)
                && !self.may_write_after(access.source, movable, &movable.accesses[turn.at])
        })
    }

    /// Finds the children of one node in which a movable event writes to `group` before the next event.
    /// `visible` has the [visible sources](DataCentric::visible_sources) of the movable event.
    fn move_before(
        &mut self,
        frame: usize,
        group: CellGroup,
        (movable, visible): (&Movable, &[VisibleSources]),
        execution: &Execution,
    ) {
        let mut lists = std::mem::take(&mut self.source_lists);
        lists.clear();
        self.all_sources(frame, group, (movable, visible), &mut lists);
        for sources in &lists {
            self.move_with(frame, group, (movable, sources), execution);
        }
        self.source_lists = lists;
    }

    /// Returns, for each reading access of a movable event, the writes that it can observe such that it
    /// writes to `group`, as far as that does not depend on the node.
    ///
    /// A failing compare-exchange does not write, so most of its sources are left out here, once for all
    /// nodes, and before anything is built. On casrot(7) this takes a search from 54.0 to 31.1 million
    /// instructions.
    fn visible_sources(
        &self,
        group: CellGroup,
        movable: &Movable,
    ) -> SmallVec<[VisibleSources; 2]> {
        let own = Outsider { process: movable.process, number: movable.number };
        let reads = movable.accesses.iter().filter(|access| access.reads);
        let of_access = |access: &GroupAccess| {
            let mut sources = Vec::with_capacity(self.graph.writes_to(access.group).len() + 1);
            let end = self.graph.len() as u32;
            self.graph.visible_writes(access.group, movable.past.clock, end, &mut sources);
            sources.retain(|source| {
                !own.is_past_of(*source, &self.graph)
                    && (access.group != group || self.may_write_after(*source, movable, access))
            });
            sources
        };
        reads.map(of_access).collect()
    }

    /// Returns `false` if an access of a movable event would not write after it observes `source`.
    fn may_write_after(&self, source: u32, movable: &Movable, access: &GroupAccess) -> bool {
        if movable.performed && source == access.source {
            return access.writes;
        }
        let value = self.graph.value_after(source, access.group);
        !access.is_told_by_value() || value.is_none_or(|value| access.when.holds(value))
    }

    /// Collects all observations of a movable event that do not have the next event of a node in their
    /// past.
    fn all_sources(
        &mut self,
        frame: usize,
        group: CellGroup,
        (movable, visible): (&Movable, &[VisibleSources]),
        lists: &mut Vec<Sources>,
    ) {
        let mut options = std::mem::take(&mut self.options);
        lists.push(Sources::new());
        let reads = movable.accesses.iter().filter(|access| access.reads);
        for (access, visible) in reads.zip(visible) {
            let node = &self.frames[frame];
            options.clear();
            if node.waits && access.group == group {
                options.push(self.graph.last_write_within(group, &node.cut));
            } else {
                let next = Outsider { process: node.process, number: node.number };
                let last = match access.group == group && self.lessons.is_ordered(group) {
                    true => self.last_write_before(next, group),
                    false => INITIAL,
                };
                let is_possible = |source: &&u32| {
                    !next.is_past_of(**source, &self.graph) && self.graph.follows(**source, last)
                };
                options.extend(visible.iter().filter(is_possible));
            }
            multiply(lists, &options);
        }
        self.options = options;
    }

    /// Returns the last write to a group in the past of an event, whatever the event observes. If the writes to
    /// the group are ordered, and the event observes a movable one, that observes this write or a later one.
    fn last_write_before(&self, next: Outsider, group: CellGroup) -> u32 {
        let Some(event) = self.graph.find(next.process, next.number) else { return INITIAL };
        self.graph.last_write_within(group, self.graph.clock(self.graph.event(event).past.clock))
    }

    /// Returns a movable event with these observations, if its process does not wait then, and it writes
    /// to `group`.
    fn moved(
        &self,
        frame: usize,
        group: CellGroup,
        (movable, sources): (&Movable, &Sources),
        execution: &Execution,
    ) -> Option<Moved> {
        let mut cut: SmallVec<[u32; 8]> = SmallVec::from_slice(&self.frames[frame].cut);
        cut.resize(self.graph.processes(), 0);
        join(&mut cut, self.graph.clock(movable.past.clock));
        let mut accesses = SmallVec::new();
        let (mut writes, mut value, mut sum) = (false, None, None);
        let (mut unchanged, mut is_guess) = (movable.performed, false);
        let mut next_source = sources.iter().copied();
        for access in &movable.accesses {
            let source = access.reads.then(|| next_source.next().expect("there is one for each"));
            let found = source.and_then(|source| self.graph.value_after(source, access.group));
            let same = movable.performed && source.is_none_or(|s| s == access.source);
            let kind = match same {
                true => Kind { reads: access.reads, writes: access.writes },
                false => {
                    let observed = (source, found);
                    match self.setting(execution).prospect(access, &movable.conditions, observed) {
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
                join(&mut cut, self.graph.clock(self.graph.event(source).clock));
            }
            if access.group == group {
                writes = kind.writes;
                value = (access.simple && movable.performed).then_some(access.after);
                sum = found.and_then(|found| access.sum_with(found)).filter(|_| movable.performed);
            }
            let source = source.filter(|_| kind.reads);
            accesses.push(AddedAccess { group: access.group, source, writes: kind.writes });
        }
        // The value that an event writes may depend on the value that it reads.
        let value = value.filter(|_| unchanged).or(sum);
        let added = AddedEvent {
            process: movable.process,
            number: movable.number,
            choice: movable.choice,
            past: movable.past.clock,
            joined: movable.past.joined,
            accesses,
        };
        let identity = movable.past.identity;
        writes.then_some(Moved { added, identity, cut, group, value, is_guess })
    }

    /// Finds the children of one node in which a movable event with these observations writes to `group`
    /// before the next event.
    fn move_with(
        &mut self,
        frame: usize,
        group: CellGroup,
        (movable, sources): (&Movable, &Sources),
        execution: &Execution,
    ) {
        let Some(mut moved) = self.moved(frame, group, (movable, sources), execution) else {
            return;
        };
        // If the next event reads only this group, the cut of the child is complete: reject early.
        if self.frames[frame].observes.len() == 1 && !self.comes_late(frame, &moved.cut, None) {
            return;
        }
        if !self.frames[frame].waits {
            for choice in 0..self.choices_of(movable, sources) {
                moved.added.choice = choice;
                moved.identity = self.identity_with(movable.past.identity, &moved.added, None);
                self.observe_moved(frame, group, &moved, execution);
            }
            return;
        }
        if !self.is_canonical(frame, &moved.cut, execution) {
            return;
        }
        for choice in 0..self.choices_of(movable, sources) {
            moved.added.choice = choice;
            moved.identity = self.identity_with(movable.past.identity, &moved.added, None);
            if !self.was_found(frame, moved.identity)
                && self.is_realised(&moved.cut, &[&moved.added])
            {
                let guess = Guess { takes_effect: moved.is_guess, is_idle: false };
                let steps = self.realiser.steps().into();
                let changed = smallvec![moved.changed()];
                self.found.push((frame, Child { steps, changed, guess, leaves_out: false }));
            }
        }
    }

    /// Returns how many alternatives of a movable event write with these observations. If it may fail, its
    /// other alternative only reads.
    fn choices_of(&self, movable: &Movable, sources: &Sources) -> u32 {
        let mut sources = sources.iter();
        for access in &movable.accesses {
            if access.reads {
                let source = *sources.next().expect("there is one for each");
                match (access.ways, self.graph.value_after(source, access.group)) {
                    (Ways::MayFail, _) => return 1,
                    (Ways::PerBit, Some(value)) => {
                        return access.ways.count(value, access.when.holds(value));
                    }
                    _ => {}
                }
            }
        }
        movable.alternatives
    }

    /// Finds the children in which the next event of a node observes a moved event.
    fn observe_moved(
        &mut self,
        frame: usize,
        group: CellGroup,
        moved: &Moved,
        execution: &Execution,
    ) {
        let Some(next) = self.next_event_of(frame, execution) else { return };
        let is_it = |access: &GroupAccess| access.group == group && access.reads;
        let Some(at) = next.accesses.iter().position(is_it) else { return };
        let own = Outsider { process: next.process, number: next.number };
        let other = Outsider { process: moved.added.process, number: moved.added.number };
        let may_observe = |source: u32| {
            !own.is_past_of(source, &self.graph) && !other.is_past_of(source, &self.graph)
        };
        let end = self.graph.len() as u32;
        let lists = self.sources_of_next(&next, (may_observe, end), Some((at, &moved.added)));
        for sources in lists {
            if !self.is_last(frame, moved, &sources) {
                continue;
            }
            let cut = SmallVec::from_slice(&moved.cut);
            let observing = self.observing(cut, &next, &sources, Some(moved), execution);
            let Some(mut observing) = observing else { continue };
            if !self.is_canonical(frame, &observing.cut, execution) {
                continue;
            }
            loop {
                let identity =
                    self.identity_with(next.past.identity, &observing.added, Some(moved.identity));
                if self.was_found(frame, identity) {
                    break;
                }
                if let Some(child) = self.realised(&observing, identity, Some(moved)) {
                    self.found.push((frame, child));
                    break;
                }
                if !observing.fail(&next) {
                    break;
                }
            }
        }
    }

    /// Returns whether the moved event is the last of the observed ones, so that a child that observes
    /// several is found once. Of events that are not in the past of each other, the last is that of the
    /// process with the highest number.
    fn is_last(&self, frame: usize, moved: &Moved, sources: &Sources) -> bool {
        let is_known = |source: u32| {
            self.graph.is_within(source, &moved.cut)
                || self.graph.is_within(source, &self.frames[frame].cut)
        };
        let others = sources.iter().filter(|source| **source != FIRST_ADDED);
        let mut unknown = others.filter(|source| !is_known(**source));
        unknown.all(|source| self.graph.event(*source).process < moved.added.process)
    }

    /// Returns whether a child of a node was found in this execution before.
    fn was_found(&self, frame: usize, identity: Identity) -> bool {
        let is_it = |child: &Child| child.changed.last().is_some_and(|c| c.identity == identity);
        self.found.iter().any(|(node, child)| *node == frame && is_it(child))
    }
}

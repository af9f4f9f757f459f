//! The part of the unfolding that is known: the paper's U, and its cache G.

use super::event::{
    EventAccess, EventAccesses, EventId, Mark, Parents, UnfoldingEvent, Visit, racing,
};
use crate::execution::cells::CellId;
use crate::explore::unfolding::cutoffs::states::StateId;
use crate::model::{ProcessId, Step};
use rustc_hash::FxHashMap;

/// The name of an event, ⟨t, H⟩, with `H` given by its maximal events.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct EventName {
    step: Step,
    parents: Parents,
}

/// The result of a step after a history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// It is this event.
    Event(EventId),
    /// It is no event: the step is not enabled there, or is not dependent on all maximal events of the
    /// history.
    Nothing,
}

impl Known {
    /// Returns the event, if it is one.
    pub(crate) fn event(self) -> Option<EventId> {
        match self {
            Known::Event(event) => Some(event),
            Known::Nothing => None,
        }
    }
}

/// An event that is to be added.
#[derive(Debug)]
pub(crate) struct NewEvent {
    pub(crate) step: Step,
    pub(crate) parents: Parents,
    pub(crate) number: u32,
    pub(crate) touches: EventAccesses,
    pub(crate) is_choice: bool,
    pub(crate) has_edges: bool,
    pub(crate) state: Option<StateId>,
}

/// Events of one process with the same previous event of that process.
#[derive(Debug)]
struct Siblings {
    process: ProcessId,
    previous: EventId,
    events: Vec<EventId>,
}

/// The events that access a cell with the same base: those that may be in immediate conflict.
type Rivals = Vec<Siblings>;

/// A prefix of the unfolding: every event in it has all of its causes in it.
#[derive(Debug)]
pub(crate) struct Prefix {
    pub(crate) events: Vec<UnfoldingEvent>,
    /// For each event and process the last event of that process in the event's local configuration;
    /// `width` marks for each event.
    marks: Vec<Mark>,
    width: usize,
    /// Ids that are not in use.
    free: Vec<EventId>,
    names: FxHashMap<EventName, Known>,
    /// The events that access a cell, by cell and base. Two events of different processes that are in
    /// immediate conflict are in one of these lists.
    places: FxHashMap<(CellId, EventId), Rivals>,
    /// The events of a process after one of its events, if their step has alternatives.
    choices: FxHashMap<(ProcessId, EventId), Vec<EventId>>,
    serial: u64,
    /// How often events have been removed, from 1.
    pub(crate) generation: u32,
    /// How many searches for alternatives there have been.
    pub(crate) searches: u64,
    /// The first data race that was found: two events and a cell.
    pub(crate) race: Option<(EventId, EventId, CellId)>,
    scratch: (Vec<EventId>, Vec<EventId>),
}

impl Prefix {
    pub(crate) fn new() -> Self {
        Prefix {
            events: Vec::new(),
            marks: Vec::new(),
            width: 4,
            free: Vec::new(),
            names: FxHashMap::default(),
            places: FxHashMap::default(),
            choices: FxHashMap::default(),
            serial: 0,
            generation: 1,
            searches: 0,
            race: None,
            scratch: Default::default(),
        }
    }

    /// Returns how many events it has.
    pub(crate) fn len(&self) -> usize {
        self.events.len() - self.free.len()
    }

    #[inline]
    pub(crate) fn get(&self, event: EventId) -> &UnfoldingEvent {
        &self.events[event.index()]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, event: EventId) -> &mut UnfoldingEvent {
        &mut self.events[event.index()]
    }

    /// Returns the last event of each process in the local configuration of an event.
    #[inline]
    pub(crate) fn marks(&self, event: EventId) -> &[Mark] {
        let start = event.index() * self.width;
        &self.marks[start..start + self.width]
    }

    /// Returns all of its events.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = EventId> + '_ {
        self.names.values().filter_map(|known| match known {
            Known::Event(id) => Some(*id),
            Known::Nothing => None,
        })
    }

    /// Makes room for this many processes.
    pub(crate) fn widen(&mut self, processes: usize) {
        if processes <= self.width {
            return;
        }
        let width = processes.next_power_of_two();
        let mut marks = Vec::with_capacity(self.events.len() * width);
        for of_event in self.marks.chunks_exact(self.width) {
            marks.extend_from_slice(of_event);
            marks.resize(marks.len() + width - self.width, Mark::NONE);
        }
        (self.marks, self.width) = (marks, width);
    }

    /// Returns the known result of a step after the history with these maximal events.
    #[inline]
    pub(crate) fn find(&self, step: Step, parents: &Parents) -> Option<Known> {
        // The clone does not allocate: up to four parents are stored inline.
        self.names.get(&EventName { step, parents: parents.clone() }).copied()
    }

    /// Notes that a step is no event after the history with these maximal events.
    pub(crate) fn add_nothing(&mut self, step: Step, parents: Parents) {
        self.names.insert(EventName { step, parents }, Known::Nothing);
    }

    /// Adds an event. Its conflicts are computed when it is [entered](Prefix::enter).
    pub(crate) fn add(&mut self, new: NewEvent) -> EventId {
        let event = UnfoldingEvent {
            step: new.step,
            parents: new.parents.clone(),
            number: new.number,
            previous: EventId::NONE,
            jump: EventId::NONE,
            touches: new.touches,
            size: 0,
            level: 0,
            has_edges: new.has_edges,
            is_choice: new.is_choice,
            serial: self.serial,
            conflicts: Vec::new(),
            foe: EventId::NONE,
            position: UnfoldingEvent::OUTSIDE,
            state: new.state,
            is_cut_off: false,
            extended_in: 0,
            visit: Visit::default(),
        };
        self.serial += 1;
        let id = match self.free.pop() {
            Some(id) => {
                *self.get_mut(id) = event;
                id
            }
            None => {
                self.events.push(event);
                self.marks.resize(self.marks.len() + self.width, Mark::NONE);
                EventId(self.events.len() as u32 - 1)
            }
        };
        self.set_marks(id);
        self.names.insert(EventName { step: new.step, parents: new.parents }, Known::Event(id));
        id
    }

    /// Computes the marks of an event, and what follows from them.
    fn set_marks(&mut self, id: EventId) {
        let start = id.index() * self.width;
        let event = &self.events[id.index()];
        let (process, number) = (event.process().index(), event.number);
        let (mut level, mut has_edges) = (0, event.has_edges);
        self.marks[start..start + self.width].fill(Mark::NONE);
        for parent in &self.events[id.index()].parents {
            let cause = &self.events[parent.index()];
            level = level.max(cause.level);
            has_edges |= cause.has_edges;
            for process in 0..self.width {
                let theirs = self.marks[parent.index() * self.width + process];
                let mine = &mut self.marks[start + process];
                if theirs.number > mine.number {
                    *mine = theirs;
                }
            }
        }
        let previous = self.marks[start + process].event;
        self.marks[start + process] = Mark { event: id, number };
        let size = self.marks(id).iter().map(|mark| mark.number).sum();
        let jump = self.jump_behind(previous);
        let event = &mut self.events[id.index()];
        (event.previous, event.jump, event.size) = (previous, jump, size);
        (event.level, event.has_edges) = (level + 1, has_edges);
    }

    /// Computes the immediate conflicts of an event, and lists it for later events.
    pub(crate) fn enter(&mut self, id: EventId) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let UnfoldingEvent { previous, ref touches, .. } = *self.get(id);
        let (process, touches) = (self.get(id).process(), touches.clone());
        let mut conflicts = std::mem::take(&mut self.get_mut(id).conflicts);
        for key in touches.iter().flat_map(EventAccess::places) {
            let mut place = std::mem::take(self.places.entry(key).or_default());
            let (mut is_listed, found_before) = (false, conflicts.len());
            for group in &mut place {
                if group.process == process {
                    if group.previous == previous {
                        is_listed = true;
                        if group.events.last() != Some(&id) {
                            group.events.push(id);
                        }
                    }
                    continue;
                }
                if !self.may_follow(id, group.process, group.previous) {
                    continue;
                }
                for other in &group.events {
                    let known = touches.len() > 1 && conflicts.contains(other);
                    if !known
                        && self.may_follow(*other, process, previous)
                        && self.in_immediate_conflict(id, *other, &mut scratch)
                    {
                        conflicts.push(*other);
                    }
                }
            }
            // Alternatives are tried in this order, which should not depend on the grouping.
            conflicts[found_before..].sort_by_key(|other| {
                let other = self.get(*other);
                let is_of_process = |group: &Siblings| group.process == other.process();
                (place.iter().position(is_of_process), other.serial)
            });
            if !is_listed {
                place.push(Siblings { process, previous, events: vec![id] });
            }
            self.places.insert(key, place);
        }
        let event = self.get(id);
        if event.is_choice {
            let key = (event.process(), event.previous);
            let others = std::mem::take(self.choices.entry(key).or_default());
            for other in &others {
                if self.in_immediate_conflict(id, *other, &mut scratch) {
                    conflicts.push(*other);
                }
            }
            let list = self.choices.entry(key).or_default();
            *list = others;
            list.push(id);
        }
        for other in &conflicts {
            if self.race.is_none()
                && let Some(cell) = racing(&touches, &self.get(*other).touches)
            {
                self.race = Some((id, *other, cell));
            }
            self.get_mut(*other).conflicts.push(id);
        }
        self.get_mut(id).conflicts = conflicts;
        self.scratch = scratch;
    }

    /// Replaces a cell by another one in all events: they are the same object.
    pub(crate) fn rename(&mut self, from: CellId, to: CellId) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let bases = self.places.keys().filter(|(cell, _)| *cell == from);
        let mut bases: Vec<EventId> = bases.map(|(_, base)| *base).collect();
        bases.sort_unstable();
        for base in bases {
            let moved = self.places.remove(&(from, base)).unwrap_or_default();
            for event in moved.iter().flat_map(|group| &group.events) {
                let touches = &mut self.events[event.index()].touches;
                touches.iter_mut().filter(|t| t.cell == from).for_each(|t| t.cell = to);
            }
            let mut place = std::mem::take(self.places.entry((to, base)).or_default());
            for group in &moved {
                let others = place.iter().filter(|other| other.process != group.process);
                for other in others.flat_map(|other| &other.events) {
                    for event in &group.events {
                        if self.in_immediate_conflict(*event, *other, &mut scratch)
                            && !self.get(*event).conflicts.contains(other)
                        {
                            self.get_mut(*event).conflicts.push(*other);
                            self.get_mut(*other).conflicts.push(*event);
                        }
                    }
                }
            }
            for mut group in moved {
                let key = |group: &Siblings| (group.process, group.previous);
                match place.iter_mut().find(|known| key(known) == key(&group)) {
                    Some(known) => known.events.append(&mut group.events),
                    None => place.push(group),
                }
            }
            self.places.insert((to, base), place);
        }
        self.scratch = scratch;
    }

    /// Removes all events that are not `kept`. The causes of a kept event must be kept.
    pub(crate) fn retain(&mut self, kept: impl Fn(EventId) -> bool) {
        self.generation += 1;
        self.names.retain(|_, known| matches!(known, Known::Event(id) if kept(*id)));
        let filter = |list: &mut Vec<EventId>| {
            list.retain(|id| kept(*id));
            !list.is_empty()
        };
        self.places.retain(|_, place| {
            place.retain_mut(|group| filter(&mut group.events));
            !place.is_empty()
        });
        self.choices.retain(|_, list| filter(list));
        for event in &mut self.events {
            event.conflicts.retain(|id| kept(*id));
            if event.foe != EventId::NONE && !kept(event.foe) {
                event.foe = EventId::NONE;
            }
        }
        self.free.clear();
        let unused = (0..self.events.len() as u32).map(EventId).filter(|id| !kept(*id));
        self.free.extend(unused);
    }
}

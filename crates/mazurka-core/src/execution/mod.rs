//! The current execution: its events, how they happen before each other, and their races.

mod accesses;
pub(crate) mod cells;
pub(crate) mod clock;
mod event;
pub(crate) mod footprint;
mod growth;
mod happens_before;
mod messages;
pub(crate) mod order;
mod races;
pub(crate) mod shared_cells;
pub(crate) mod value;
pub(crate) mod without;

pub(crate) use self::accesses::Access;
pub(crate) use self::event::{Declared, Event};
pub(crate) use self::races::Race;

use std::sync::Arc;

use self::cells::{Cells, NOBODY};
use self::clock::{ClockId, Clocks};
use self::event::{Owner, ProcessState};
use self::messages::Messages;
use self::order::Conflict;
use self::shared_cells::CommonCells;
use crate::model::{Edge, Lesson, ProcessId, Schedule, Step};

/// A step as it is for a machine that has run nothing but one execution: there are so many processes
/// before the first step, and then these have been `created`.
pub(crate) fn renumber(step: Step, initial: usize, created: &[ProcessId]) -> Step {
    let place = created.iter().position(|process| *process == step.process);
    match place {
        Some(place) => Step { process: ProcessId::new(initial + place), ..step },
        None => step,
    }
}

/// What an explorer wants of the execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Whether events are ordered by process. Explorers that order them by task themselves need
    /// only the accesses, unless there is plain memory, on which races are to be found.
    pub(crate) is_ordered: bool,
    /// Whether two parts of a location are independent if they have nothing in common. Otherwise
    /// an access to a part counts as an access to the whole.
    pub(crate) parts_are_apart: bool,
    /// Whether two posts to one queue are independent.
    pub(crate) posts_commute: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { is_ordered: true, parts_are_apart: true, posts_commute: false }
    }
}

/// A sequence of events from the initial state, with the happens-before relation among them.
///
/// Everything lives in arenas that grow and shrink like a stack, so that going back to a prefix
/// and on into another execution allocates nothing.
#[derive(Debug)]
pub struct Execution {
    events: Vec<Event>,
    pub(crate) accesses: Vec<Access>,
    races: Vec<Race>,
    pub(crate) clocks: Clocks,
    cells: Cells,
    processes: Vec<ProcessState>,
    pub(crate) messages: Messages,
    /// How many events [unsettle](Event::unsettles) others.
    unsettling: u32,
    /// Who was given a new clock, and the one they had.
    changes: Vec<(Owner, ClockId)>,
    /// What was learnt that must be known from the first execution on.
    lesson: Option<Lesson>,
    /// What the event that is being added unsettles.
    unsettled: u32,
    /// The process whose event is being added.
    newcomer: ProcessId,
    pub(crate) data_race: Option<Race>,
    /// The edges of the last event.
    last_edges: Vec<Edge>,
    /// How many processes there are before the first step.
    initial: usize,
    /// Whether some objects get their names only when processes come upon them.
    names_late: bool,
    /// The others of this execution in the order of their creation, each with the event that created it.
    created: Vec<(u32, ProcessId)>,
    conflicts: Vec<Conflict>,
    /// A clock, or part of one, while it is put together.
    scratch: Vec<u32>,
    /// Whether the explorer wants to know how events happen before each other by process.
    is_ordered: bool,
    /// Whether two parts of a location are independent if they have nothing in common; otherwise an
    /// access to a part counts as one to the whole.
    parts_are_apart: bool,
    /// Whether two posts to one queue are independent.
    posts_commute: bool,
}

impl Default for Execution {
    fn default() -> Self {
        Execution::new()
    }
}

impl Execution {
    /// Changes what an explorer wants of the execution, while that is empty.
    pub(crate) fn configure(&mut self, settings: Settings) {
        debug_assert!(self.is_empty(), "the events were added under other settings");
        Settings {
            is_ordered: self.is_ordered,
            parts_are_apart: self.parts_are_apart,
            posts_commute: self.posts_commute,
        } = settings;
    }

    /// Numbers locations as all workers of the exploration do, while it is empty.
    pub(crate) fn share_cells(&mut self, common: Arc<CommonCells>) {
        self.cells.share(common);
    }

    /// The empty execution.
    pub fn new() -> Self {
        Execution {
            events: Vec::new(),
            accesses: Vec::new(),
            races: Vec::new(),
            clocks: Clocks::new(),
            cells: Cells::default(),
            processes: Vec::new(),
            messages: Messages::default(),
            unsettling: 0,
            changes: Vec::new(),
            lesson: None,
            unsettled: NOBODY,
            newcomer: ProcessId::MAIN,
            data_race: None,
            last_edges: Vec::new(),
            initial: 0,
            names_late: false,
            created: Vec::new(),
            conflicts: Vec::new(),
            scratch: Vec::new(),
            is_ordered: true,
            parts_are_apart: true,
            posts_commute: false,
        }
    }

    /// The edges that the last event brought about.
    pub(crate) fn last_edges(&self) -> &[Edge] {
        &self.last_edges
    }

    /// How many events it has.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether it has no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Whether some execution has sent a message.
    #[inline]
    pub(crate) fn has_messages(&self) -> bool {
        !self.messages.is_empty()
    }

    /// Who moved last.
    #[inline]
    pub(crate) fn last_process(&self) -> Option<ProcessId> {
        self.events.last().map(|event| event.step.process)
    }

    /// The steps that were taken.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = Step> + '_ {
        self.events.iter().map(|event| event.step)
    }

    /// The steps that were taken, for a machine that has run nothing else.
    ///
    /// A process has one id in all executions of a machine. But when the machine comes upon it for the
    /// first time, it gets the next one that is free: which one that is depends on what the machine has
    /// run before.
    pub fn schedule(&self) -> Schedule {
        let created: Vec<ProcessId> = self.created.iter().map(|(_, process)| *process).collect();
        self.steps().map(|step| renumber(step, self.initial, &created)).collect()
    }

    /// How many processes there are before the first step.
    pub(crate) fn initial(&self) -> usize {
        self.initial
    }

    /// Whether some objects get their names only when processes come upon them.
    #[inline]
    pub(crate) fn names_late(&self) -> bool {
        self.names_late
    }

    /// Says whether they do.
    pub(crate) fn set_names_late(&mut self, names_late: bool) {
        self.names_late = names_late;
    }

    /// Says how many processes there are before the first step.
    pub(crate) fn set_initial(&mut self, processes: usize) {
        self.initial = processes;
    }

    #[inline]
    pub(crate) fn event(&self, index: usize) -> &Event {
        &self.events[index]
    }

    /// Notes something that must be known from the first execution on: the search starts over once
    /// the current execution has ended.
    pub(crate) fn learn(&mut self, lesson: Lesson) {
        self.lesson.get_or_insert(lesson);
    }

    /// Returns whether something was learnt since that was last taken.
    pub(crate) fn has_lesson(&self) -> bool {
        self.lesson.is_some()
    }

    /// Returns what was learnt since this was last asked.
    #[inline]
    pub(crate) fn take_lesson(&mut self) -> Option<Lesson> {
        self.lesson.take()
    }
}

//! The current execution: its events, how they happen before each other, and their races.

pub(crate) mod cells;
pub(crate) mod clock;
pub(crate) mod footprint;
mod growth;
mod links;
mod messages;
pub(crate) mod order;
mod races;
pub(crate) mod shared_cells;
mod without;

use std::sync::Arc;

use self::cells::{CellId, Cells, NOBODY};
use self::clock::{ClockId, Clocks};
use self::footprint::{Footprint, Touch};
use self::messages::Messages;
use self::order::Conflict;
use self::shared_cells::CommonCells;
use crate::model::{Action, Birth, Edge, Lesson, Op, ProcessId, Schedule, Step, Ways, When};

/// One occurrence of a step in an execution.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) step: Step,
    /// Its rank among the events of its process, from 1.
    pub(crate) number: u32,
    /// How many alternatives the step had.
    pub(crate) alternatives: u32,
    pub(crate) clock: ClockId,
    accesses: (u32, u32),
    races: u32,
    pub(super) rivals: u32,
    /// The first clock that was allocated for it.
    first_clock: ClockId,
    /// Where the changes of clocks start that it brought about: first those of earlier events,
    /// then those by its edges.
    changes: (u32, u32),
    /// What the process's clock and last event were before.
    pub(super) before: (ClockId, u32),
    /// The first of the earlier events that came to happen after others by what this one observes,
    /// or [`NOBODY`].
    pub(crate) unsettles: u32,
}

/// What an action is said to do before it is performed: all of it that may turn out otherwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared {
    op: Op,
    when: When,
    ways: Ways,
}

impl Declared {
    #[inline]
    pub(crate) fn of(action: &Action) -> Self {
        Declared { op: action.op, when: action.when, ways: action.ways }
    }
}

/// One action of an event, linked to the other accesses to its cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) cell: CellId,
    /// What it did.
    pub(crate) op: Op,
    /// What it would have done under its condition.
    pub(crate) declared: Op,
    pub(crate) when: When,
    pub(crate) ways: Ways,
    pub(crate) waits: bool,
    pub(crate) guard: bool,
    pub(crate) plain: bool,
    pub(crate) merely_locks: bool,
    pub(crate) before: u64,
    pub(crate) after: u64,
    pub(crate) event: u32,
    /// The access to the same cell before this one, or [`NOBODY`].
    pub(crate) previous: u32,
    /// The last one before this one that was not a read, or [`NOBODY`].
    pub(crate) previous_write: u32,
}

impl Access {
    /// Whether it waits to have a lock alone.
    pub(crate) fn takes_lock(&self) -> bool {
        self.waits && self.op == Op::Update && self.when == When::Equals(0)
    }

    /// What it would have done under its condition, as far as dependence is concerned.
    pub(crate) fn declared_op(&self) -> Op {
        match (self.declared, self.op) {
            // A write that counts as an update.
            (Op::Write, op) => op,
            (declared, _) => declared,
        }
    }
}

/// Two events of different processes in a race that can be reversed: they are dependent, nothing
/// that happens between them orders them, and the process of the second could have taken its
/// step before the first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Race {
    pub(crate) first: u32,
    pub(crate) second: u32,
    /// The event that makes them dependent by observing their order, or [`NOBODY`] if they are
    /// dependent anyway.
    pub(crate) observer: u32,
    /// Whether its reversal is [done](Execution::note_done).
    is_done: bool,
}

impl Race {
    pub(crate) fn new(first: u32, second: u32) -> Self {
        Race { first, second, observer: NOBODY, is_done: false }
    }

    pub(crate) fn observed_by(self, observer: u32) -> Self {
        Race { observer, ..self }
    }
}

/// A step as it is for a machine that has run nothing but one execution: there are so many processes
/// before the first step, and then these have been `created`.
pub(crate) fn renumber(step: Step, initial: usize, created: &[ProcessId]) -> Step {
    let place = created.iter().position(|process| *process == step.process);
    match place {
        Some(place) => Step { process: ProcessId::new(initial + place), ..step },
        None => step,
    }
}

/// Whose clock it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Owner {
    /// A process's.
    Process(ProcessId),
    /// An event's.
    Event(u32),
    /// That of an event's process, before the event.
    Before(u32),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Process {
    /// All that happens before its next event, as far as edges tell.
    pub(super) clock: ClockId,
    /// Its last event, or [`NOBODY`].
    last: u32,
    /// How many events it has.
    events: u32,
}

const FRESH: Process = Process { clock: Clocks::ZERO, last: NOBODY, events: 0 };

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
    pub(super) events: Vec<Event>,
    pub(super) accesses: Vec<Access>,
    pub(super) races: Vec<Race>,
    pub(super) clocks: Clocks,
    cells: Cells,
    pub(super) processes: Vec<Process>,
    pub(super) messages: Messages,
    /// How many events [unsettle](Event::unsettles) others.
    unsettling: u32,
    /// Who was given a new clock, and the one they had.
    changes: Vec<(Owner, ClockId)>,
    /// What was learnt that must be known from the first execution on.
    lesson: Option<Lesson>,
    /// What the event that is being added unsettles.
    pub(super) unsettled: u32,
    /// The process whose event is being added.
    pub(super) newcomer: ProcessId,
    pub(super) data_race: Option<Race>,
    /// The edges of the last event.
    last_edges: Vec<Edge>,
    /// How many processes there are before the first step.
    initial: usize,
    /// Whether some objects get their names only when processes come upon them.
    names_late: bool,
    /// The others of this execution in the order of their creation, each with the event that created it.
    created: Vec<(u32, ProcessId)>,
    pub(super) conflicts: Vec<Conflict>,
    /// A clock, or part of one, while it is put together.
    pub(super) scratch: Vec<u32>,
    /// Whether the explorer wants to know how events happen before each other by process.
    is_ordered: bool,
    /// Whether two parts of a location are independent if they have nothing in common; otherwise an
    /// access to a part counts as one to the whole.
    pub(super) parts_are_apart: bool,
    /// Whether two posts to one queue are independent.
    pub(super) posts_commute: bool,
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

    /// Whether the event at one position happens before the one at a later position.
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        let first = &self.events[first];
        self.clocks.component(self.events[second].clock, first.step.process.index()) >= first.number
    }

    /// Tells of each event whether it happens after the one at this position: for those who ask
    /// that of many.
    #[inline]
    pub(crate) fn follows(&self, first: usize) -> impl Fn(usize) -> bool + '_ {
        let Event { step, number, .. } = &self.events[first];
        let component = self.clocks.components_of(step.process.index());
        move |later| component(self.events[later].clock) >= *number
    }

    /// The events behind the one at this position that do not happen after it: `notdep(e, E)`.
    #[inline]
    pub(crate) fn notdep(&self, first: usize) -> impl Iterator<Item = u32> + '_ {
        let Event { step, number, .. } = &self.events[first];
        let component = self.clocks.components_of(step.process.index());
        let behind = (first as u32 + 1..).zip(&self.events[first + 1..]);
        behind.filter(move |(_, event)| component(event.clock) < *number).map(|(index, _)| index)
    }

    /// The first of these, if there is one.
    #[inline]
    pub(crate) fn first_notdep(&self, first: usize) -> Option<u32> {
        let Event { step, number, .. } = &self.events[first];
        let component = self.clocks.components_of(step.process.index());
        let behind = (first as u32 + 1..).zip(&self.events[first + 1..]);
        // If a process has moved behind the first one already, it has been looked at, and was after it.
        let is_next = |event: &Event| event.before.1.wrapping_add(1) <= first as u32 + 1;
        let mut behind =
            behind.filter(|(_, event)| is_next(event) && component(event.clock) < *number);
        behind.next().map(|(index, _)| index)
    }

    /// How many events of a process happen before the one at this position, itself included.
    #[inline]
    pub(crate) fn past_of(&self, event: usize, process: usize) -> u32 {
        self.clocks.component(self.events[event].clock, process)
    }

    /// Whether an event happens before what the process of another one did before that, and so
    /// before it whatever it touches.
    pub(crate) fn happens_before_process_of(&self, event: usize, later: usize) -> bool {
        let event = &self.events[event];
        let past = self.events[later].before.0;
        self.clocks.component(past, event.step.process.index()) >= event.number
    }

    /// Whether an event happens before whatever a process does next.
    pub(crate) fn happens_before_next(&self, event: usize, process: ProcessId) -> bool {
        let event = &self.events[event];
        let Some(process) = self.processes.get(process.index()) else { return false };
        self.clocks.component(process.clock, event.step.process.index()) >= event.number
    }

    #[inline]
    pub(crate) fn event(&self, index: usize) -> &Event {
        &self.events[index]
    }

    #[inline]
    pub(crate) fn accesses_of(&self, event: usize) -> &[Access] {
        let (start, end) = self.events[event].accesses;
        &self.accesses[start as usize..end as usize]
    }

    #[inline]
    pub(crate) fn touches(&self, event: usize) -> impl Iterator<Item = Touch> + '_ {
        self.accesses_of(event).iter().map(|a| Touch { cell: a.cell, op: a.op })
    }

    #[inline]
    pub(crate) fn footprint(&self, event: usize) -> Footprint {
        self.touches(event).collect()
    }

    /// Whether an event looks at a cell while it holds what the event `write` has put there.
    pub(crate) fn reads_from(&self, event: usize, write: usize, cell: CellId) -> bool {
        self.accesses_of(event).iter().filter(|a| a.cell == cell && a.op != Op::Write).any(|a| {
            a.previous_write != NOBODY
                && self.accesses[a.previous_write as usize].event as usize == write
        })
    }

    /// Whether an object's name meant the same to all executions that share the first `len`
    /// events of this one.
    pub(crate) fn was_known(&self, cell: CellId, len: usize) -> bool {
        let birth = self.cells.birth(cell);
        if birth == Birth::START {
            return true;
        }
        // The process's events are linked from the last to the first.
        let Some(process) = self.processes.get(birth.process.index()) else { return false };
        let (mut last, mut events) = (process.last, process.events);
        while last != NOBODY && last as usize >= len {
            last = self.events[last as usize].before.1;
            events -= 1;
        }
        events >= birth.steps && birth.steps > 0
    }

    /// What a process touched in its first event after the first `len`, if it has one.
    pub(crate) fn touched_next(&self, process: ProcessId, len: usize) -> Option<Footprint> {
        let mut found = None;
        let mut last = self.processes.get(process.index())?.last;
        while last != NOBODY && last as usize >= len {
            found = Some(last);
            last = self.events[last as usize].before.1;
        }
        found.map(|event| self.footprint(event as usize))
    }

    /// Notes something that must be known from the first execution on: the search starts over once
    /// the current execution has ended.
    pub(crate) fn learn(&mut self, lesson: Lesson) {
        self.lesson.get_or_insert(lesson);
    }

    /// Returns what was learnt since this was last asked.
    #[inline]
    pub(crate) fn take_lesson(&mut self) -> Option<Lesson> {
        self.lesson.take()
    }

    /// Copies what happens before the next event of a process whatever it touches, as the number of
    /// events of each process.
    pub(crate) fn copy_past(&self, process: ProcessId, past: &mut [u32]) {
        if let Some(process) = self.processes.get(process.index()) {
            let clock = self.clocks.of(process.clock);
            past.iter_mut().zip(clock).for_each(|(into, component)| *into = *component);
        }
    }

    /// How many events happen before the next one of a process whatever it touches.
    pub(crate) fn size_of_past(&self, process: ProcessId) -> u32 {
        let process = self.processes.get(process.index());
        process.map_or(0, |process| self.clocks.of(process.clock).iter().sum())
    }
}

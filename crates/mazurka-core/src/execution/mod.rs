//! The current execution: its events, their happens-before relation, and their races.

mod accesses;
mod canonical;
pub(crate) mod cells;
pub(crate) mod clock;
pub mod effort;
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
pub(crate) use self::canonical::DigestHasher;
pub(crate) use self::event::{Declared, Event};
pub(crate) use self::races::Race;

use std::sync::Arc;

use self::cells::{Cells, NO_EVENT};
use self::clock::{ClockId, Clocks};
use self::event::{Owner, ProcessState};
use self::messages::Messages;
use self::order::Conflict;
use self::shared_cells::CommonCells;
use crate::model::{
    Edge, Lesson, MemoryModel, MissingSynchronisation, ProcessId, Schedule, Step, View,
};

/// Renumbers the process of a step for a machine that has run only one execution. The machine has
/// `initial` processes at the start, and the execution `created` these others in order.
pub(crate) fn renumber(step: Step, initial: usize, created: &[ProcessId]) -> Step {
    let place = created.iter().position(|process| *process == step.process);
    match place {
        Some(place) => Step { process: ProcessId::new(initial + place), ..step },
        None => step,
    }
}

/// The settings of an execution that depend on the explorer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Whether events are ordered by process. Explorers that order events by task need only the
    /// accesses, unless there is plain memory on which data races must be found.
    pub(crate) is_ordered: bool,
    /// Whether two disjoint parts of a location are independent. Otherwise an access to a part
    /// counts as an access to the whole.
    pub(crate) parts_are_apart: bool,
    /// Whether two posts to one queue are independent.
    pub(crate) posts_commute: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { is_ordered: true, parts_are_apart: true, posts_commute: false }
    }
}

/// A sequence of events from the initial state, with its happens-before relation.
///
/// All data lives in arenas that grow and shrink like a stack. Backtracking to a prefix and
/// extending it to another execution allocates nothing.
#[derive(Debug)]
pub struct Execution {
    events: Vec<Event>,
    /// The memory model, if there is one.
    pub(crate) memory_model: Option<MemoryModel>,
    /// The events whose steps do not see memory as it is.
    views: Vec<(u32, View)>,
    pub(crate) accesses: Vec<Access>,
    races: Vec<Race>,
    pub(crate) clocks: Clocks,
    cells: Cells,
    processes: Vec<ProcessState>,
    pub(crate) messages: Messages,
    /// The number of events that [unsettle](Event::unsettles) others.
    unsettling: u32,
    /// The changed clocks: their owners, and the old clocks.
    changes: Vec<(Owner, ClockId)>,
    /// A lesson that must be known from the first execution on.
    lesson: Option<Lesson>,
    /// The first event that the event being added unsettles, or [`NO_EVENT`].
    unsettled: u32,
    /// The process whose event is being added.
    newcomer: ProcessId,
    pub(crate) data_race: Option<Race>,
    /// The synchronisation that is missing in that data race, if the explorer knows it.
    pub(crate) missing: Option<MissingSynchronisation>,
    /// The edges of the last event.
    last_edges: Vec<Edge>,
    /// The number of processes in the initial state.
    initial: usize,
    /// Whether some objects get their names only when processes first use them.
    names_late: bool,
    /// The created processes in the order of their creation, each with the event that created it.
    created: Vec<(u32, ProcessId)>,
    conflicts: Vec<Conflict>,
    /// A buffer for a clock.
    scratch: Vec<u32>,
    /// Whether the explorer needs the happens-before relation by process.
    is_ordered: bool,
    /// Whether two disjoint parts of a location are independent. Otherwise an access to a part
    /// counts as an access to the whole.
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
    /// Sets the settings of an empty execution.
    pub(crate) fn configure(&mut self, settings: Settings) {
        debug_assert!(self.is_empty(), "the events were added under other settings");
        Settings {
            is_ordered: self.is_ordered,
            parts_are_apart: self.parts_are_apart,
            posts_commute: self.posts_commute,
        } = settings;
    }

    /// Adopts the cell numbers that all workers share, while the execution is empty.
    pub(crate) fn share_cells(&mut self, common: Arc<CommonCells>) {
        self.cells.share(common);
    }

    /// Creates an empty execution.
    pub fn new() -> Self {
        Execution {
            events: Vec::new(),
            memory_model: None,
            views: Vec::new(),
            accesses: Vec::new(),
            races: Vec::new(),
            clocks: Clocks::new(),
            cells: Cells::default(),
            processes: Vec::new(),
            messages: Messages::default(),
            unsettling: 0,
            changes: Vec::new(),
            lesson: None,
            unsettled: NO_EVENT,
            newcomer: ProcessId::MAIN,
            data_race: None,
            missing: None,
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

    /// Returns the edges of the last event.
    pub(crate) fn last_edges(&self) -> &[Edge] {
        &self.last_edges
    }

    /// Returns the number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns whether the execution has no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Returns whether some execution has sent a message.
    #[inline]
    pub(crate) fn has_messages(&self) -> bool {
        !self.messages.is_empty()
    }

    /// Returns the process that moved last.
    #[inline]
    pub(crate) fn last_process(&self) -> Option<ProcessId> {
        self.events.last().map(|event| event.step.process)
    }

    /// Returns the steps of the execution.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = Step> + '_ {
        self.events.iter().map(|event| event.step)
    }

    /// Returns the steps of the execution, renumbered for a machine that has run nothing else.
    ///
    /// A process has the same id in all executions of a machine. A machine assigns the next free id
    /// to a process that it has not seen before. Which id that is depends on the executions that
    /// the machine has run before.
    pub fn schedule(&self) -> Schedule {
        let created: Vec<ProcessId> = self.created.iter().map(|(_, process)| *process).collect();
        let mut schedule = Schedule::default();
        schedule.set_memory_model(self.memory_model);
        let mut views = self.views.iter().peekable();
        for (index, step) in self.steps().enumerate() {
            let view = views.next_if(|(event, _)| *event as usize == index);
            let view = view.map_or(View::PRESENT, |(_, view)| *view);
            schedule.push(renumber(step, self.initial, &created), view);
        }
        schedule
    }

    /// Returns the event that has created a process, if it did not exist initially.
    pub(crate) fn creator(&self, process: ProcessId) -> Option<usize> {
        let created = self.created.iter().find(|(_, known)| *known == process);
        created.map(|(event, _)| *event as usize)
    }

    /// Returns what the step of an event sees of memory.
    pub(crate) fn view(&self, event: usize) -> View {
        let place = self.views.binary_search_by_key(&(event as u32), |(event, _)| *event);
        place.map_or(View::PRESENT, |place| self.views[place].1)
    }

    /// Notes what the step of the next event sees of memory.
    pub(crate) fn set_view(&mut self, view: View) {
        if view != View::PRESENT {
            self.views.push((self.events.len() as u32, view));
        }
    }

    /// Sets what the steps of all events see of memory, in the order of the events.
    pub(crate) fn replace_views(&mut self, views: impl Iterator<Item = View>) {
        self.views.clear();
        let seen = (0..).zip(views).filter(|(_, view)| *view != View::PRESENT);
        self.views.extend(seen);
    }

    /// Sets what the step of the last event sees of memory.
    pub(crate) fn replace_last_view(&mut self, view: View) {
        let last = self.len() as u32 - 1;
        self.views.pop_if(|(event, _)| *event == last);
        if view != View::PRESENT {
            self.views.push((last, view));
        }
    }

    /// Returns the number of steps of a process.
    pub(crate) fn steps_of(&self, process: ProcessId) -> u32 {
        self.processes.get(process.index()).map_or(0, |process| process.events)
    }

    /// Returns the number of processes in the initial state.
    pub(crate) fn initial(&self) -> usize {
        self.initial
    }

    /// Returns the processes of the execution: those of the initial state, and then the others in the order
    /// of their creation. Unlike the order of ids, this order depends on nothing but the execution.
    pub(crate) fn processes_in_order(&self) -> impl Iterator<Item = ProcessId> + '_ {
        let initial = (0..self.initial).map(ProcessId::new);
        initial.chain(self.created.iter().map(|(_, process)| *process))
    }

    /// Returns whether some objects get their names only when processes first use them.
    #[inline]
    pub(crate) fn names_late(&self) -> bool {
        self.names_late
    }

    /// Sets whether some objects get their names only when processes first use them.
    pub(crate) fn set_names_late(&mut self, names_late: bool) {
        self.names_late = names_late;
    }

    /// Sets the number of processes in the initial state.
    pub(crate) fn set_initial(&mut self, processes: usize) {
        self.initial = processes;
    }

    #[inline]
    pub(crate) fn event(&self, index: usize) -> &Event {
        &self.events[index]
    }

    /// Records a lesson that must be known from the first execution on. The search starts over once
    /// the current execution has ended.
    pub(crate) fn learn(&mut self, lesson: Lesson) {
        self.lesson.get_or_insert(lesson);
    }

    /// Returns whether there is a lesson that has not been taken.
    pub(crate) fn has_lesson(&self) -> bool {
        self.lesson.is_some()
    }

    /// Takes the lesson, if there is one.
    #[inline]
    pub(crate) fn take_lesson(&mut self) -> Option<Lesson> {
        self.lesson.take()
    }
}

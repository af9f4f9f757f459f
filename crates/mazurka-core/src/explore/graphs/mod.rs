//! `graphs`: every execution graph that is consistent under a memory model, exactly once.
//!
//! This is TruSt: Kokologiannakis, Marmanis, Gladstein, Vafeiadis, *Truly Stateless, Optimal Dynamic
//! Partial Order Reduction* (POPL 2022). It knows the memory model only as a predicate on
//! [graphs](crate::memory::Graph).
//!
//! # The algorithm
//!
//! A graph grows by one event at a time, always by the next event of one process that can go on (`next_P`).
//! Which one is a function of the graph. `VISIT` tries all ways to add the event:
//!
//! * A read reads from each write to its location that leaves the graph consistent.
//! * A write takes each place in coherence order that does (`VISITCOS`).
//! * When a write `w` is added, it may *revisit* each read `r` of its location that is not in the
//!   `po ∪ rf` prefix of `w`. What was added after `r`, and is not in that prefix, is deleted, and `r`
//!   reads from `w`. So that each graph is visited once, this is done only if every deleted event, and
//!   `r`, had been *added maximally* (`ISMAXIMALLYADDED`): as it would be added if nothing else were to
//!   come.
//!
//! Events are compared by the order in which they were added, which is their *stamp*. A revisited read
//! keeps its stamp, and the write that it then reads from has a later one. Therefore a read in the
//! prefix of that write is not revisited again: that would delete a write that an earlier event reads.
//!
//! # On a machine
//!
//! A read-modify-write is one step of the machine, and two events. The events of a step are added before
//! the step is taken, so that a step is taken only if its graph is consistent; the values are filled in
//! after it. Memory holds the value of the last write in coherence order. A step whose read reads from
//! another write is told so by a [`View`].
//!
//! Without revisits, the search is depth first: a `Frame` for each step has the moves (`Move`) that
//! remain to be tried there. A revisit changes the order of the steps. It therefore begins a new
//! `Lineage`, with a graph and frames of its own. The machine is rewound to the first step that
//! differs, takes the steps again that remain, then that of `w`, and then that of `r`. When everything
//! behind the revisit has been explored, the parent's graph is still there, and the machine takes the
//! parent's steps again as far as necessary. So the memory that is needed is one graph for each nested
//! revisit.
//!
//! # Coherence
//!
//! [`Coherence`] decides which graphs are different. All of the above is about total coherence. The file
//! `observed` describes what differs if reads-from alone tells graphs apart.
//!
//! # Waiting
//!
//! A process may wait until its location has another value: to lock a mutex, or in a loop. As long as
//! there is no write that it can read from and that lets it go on, it has no event, and is not picked. If
//! there is one, but the last write does not let it go on, the process may also miss that chance. It then
//! performs a read of the last write that is [blocked](crate::memory::Event::is_blocked). That is an
//! event, but no step of the machine; the process goes on if a later write revisits the read. A graph in
//! which a blocked read reads from a write that is not the last one is a variant of another graph, in
//! which the process has read from a later one. It counts as blocked. If all of them read from the last
//! write, then the processes wait for ever.
//!
//! A machine finds out which iterations of a loop change nothing, and drops an execution with such an
//! iteration. So a loop that reads one location is a wait, and a loop that reads several is not run again. An
//! execution is dropped at the end of such an iteration if one of its reads has missed a write for ever.
//!
//! A machine that cannot do this has [guards](crate::model::Machine::guards) for a process that spins. If
//! there is one guard, and the next action of the process reads its location, that action is a wait.
//! Otherwise the process takes no step until it can read another value at the location of one of them. It
//! may still read the same values as before. Then it has spun in vain, and takes no further step. If it has
//! read the last writes, it spins for ever. Otherwise the graph is a variant of others, and counts as
//! blocked.
//!
//! # Barriers
//!
//! Arrivals at a barrier commute. The file `arrivals` says which events and edges represent them, and when their
//! order matters.

mod added;
mod arrangements;
mod arrivals;
mod events;
mod following;
mod forced;
mod moves;
mod observed;
mod orbits;
mod pieces;
mod races;
mod revisit;
mod symmetry;
mod waiting;
mod walk;

pub use walk::{Walk, Way};

use std::collections::VecDeque;
use std::ops::Range;

use crate::execution::order::AllConflicts;
use crate::execution::{Execution, Race, Settings};
use crate::explore::parallel::pieces::Route;
use crate::memory::{self, EventId, Graph, Model};
use crate::model::{
    Action, Lesson, Location, Machine, MissingSynchronisation, Observer, Performed, ProcessId,
    Schedule, Step, View, Violation, ViolationKind,
};
use crate::search::strategy::{Explorer, Next, Position, Strategy};
use crate::search::{Coherence, Options};

/// What a user may do about a program that is refused.
pub(crate) const ADVICE: &str = "; or check this program under the memory model `sc`, with an explorer \
                                 of schedules such as `observers`";

/// A step of the machine, and the events that it performs.
#[derive(Clone, Copy, Debug)]
struct Taken {
    step: Step,
    view: View,
    /// The first of its events, and how many there are.
    first: EventId,
    events: u32,
    /// How many edges there were before it.
    edges: usize,
    /// A digest of what the process spins on after the step, or 0.
    spins_on: u64,
    /// Whether the process has spun in vain.
    in_vain: bool,
}

impl Taken {
    /// Returns its events.
    fn range(&self) -> Range<EventId> {
        self.first..self.first + self.events
    }
}

/// How a process may take its next step.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    process: ProcessId,
    choice: u32,
    /// The write that it reads from, if it reads.
    reads_from: Option<EventId>,
    /// The stamp of that read, if it has been revisited.
    stamp: Option<u32>,
}

/// One way to go on from a node of the search tree.
#[derive(Clone, Copy, Debug)]
enum Move {
    /// Take the step. If it writes, the write has this position in coherence order.
    Forward(Attempt, usize),
    /// Add a read that is blocked.
    Block(Attempt),
    /// Try all revisits by the write of this step.
    Revisits(Attempt),
    /// Let the write of this step, at this position, be read by that read.
    Revisit(Attempt, EventId, usize),
    /// Try all revisits by a write that the last step performed besides its first action.
    RevisitsBy(EventId),
    /// Let that write, at this position, be read by that read.
    RevisitBy(EventId, EventId, usize),
}

/// A node of the search tree, and what remains to be explored there.
#[derive(Debug)]
struct Frame {
    steps: usize,
    events: usize,
    edges: usize,
    /// The action of the step.
    action: Option<Action>,
    /// The last one comes next.
    moves: Vec<Move>,
    /// How many moves have been taken from them.
    begun: u32,
}

/// A graph, the steps that lead to it, and what remains to be explored from its prefixes.
#[derive(Default, Debug)]
struct Lineage {
    graph: Graph,
    steps: Vec<Taken>,
    frames: Vec<Frame>,
    /// How many steps it has in common with its parent.
    shared: usize,
    /// By which names the events of the parent are known.
    names: Vec<EventId>,
    /// The locations of the parent that have other names here. An object may get its name from the
    /// process that uses it first.
    renamed: Vec<(Location, Location)>,
    /// While the steps of the parent are repeated: the write that revisits, if it has been in the
    /// parent's graph, and its position.
    moved: Option<(EventId, usize)>,
}

/// A step that is to be taken before the search goes on.
#[derive(Clone, Copy, Debug)]
enum Scripted {
    /// A step whose events are in the graph.
    Repeat(usize),
    /// A step of the parent, with its events.
    Again(usize),
    /// A blocked read of the parent.
    BlockAgain(EventId),
    /// The step of the write that revisits.
    Write(Attempt, usize),
    /// The read that is revisited: it reads from the write of the event, which has this number among the
    /// events of its process.
    Read { process: ProcessId, stamp: u32, writer: ProcessId, index: u32 },
}

/// The explorer.
pub(crate) struct Graphs {
    model: &'static dyn Model,
    coherence: Coherence,
    /// Whether arrivals at barriers are ordered, as other updates.
    orders_arrivals: bool,
    /// Whether a step shows that they have to be.
    arrivals_matter: bool,
    /// Whether graphs that differ by a permutation of twins count as one.
    reduces_symmetry: bool,
    /// How many processes the machine has in its initial state, if twins matter.
    initial: usize,
    /// The last one is explored.
    lineages: Vec<Lineage>,
    spare: Vec<Lineage>,
    /// Empty lists, for frames.
    spare_moves: Vec<Vec<Move>>,
    script: VecDeque<Scripted>,
    chosen: Option<Move>,
    /// The step that is being taken, unless its events are in the graph already.
    taking: Option<Taken>,
    race: Option<(Race, Option<MissingSynchronisation>)>,
    /// Whether a data race has been found in any execution.
    has_raced: bool,
    /// The way to the piece that is to be explored.
    route: Route,
    /// Whether the current execution is abandoned for a revisit on that way.
    is_detour: bool,
    /// The only execution to run, if there is one.
    follows: Option<Schedule>,
    refusal: Option<Box<Violation>>,
    /// What depends on the order of writes that observed coherence does not order.
    observer: Option<Observer>,
    /// Whether a step of the current execution has failed.
    has_failed: bool,
    /// By process: what it waits for, if that is known. Holds for as long as events are only added.
    waiting: Vec<Option<waiting::Waiting>>,
    scratch: Graph,
    kept: Vec<bool>,
    names: Vec<EventId>,
    /// Another graph like `scratch`.
    rest: Graph,
    added: added::Added,
}

impl Explorer for Graphs {
    fn new(options: &Options<'_>) -> Self {
        Graphs {
            model: memory::model(options.memory_model),
            // Schedules are recorded for total coherence.
            coherence: match options.follow {
                Some(_) => Coherence::Total,
                None => options.coherence.unwrap_or_default(),
            },
            // A schedule may come from a search in which arrivals were ordered, and saw values. In others, they
            // see what memory holds.
            orders_arrivals: options.ordered_arrivals || options.follow.is_some(),
            arrivals_matter: false,
            reduces_symmetry: options.reduces_symmetry(),
            initial: 0,
            lineages: vec![Lineage::default()],
            spare: Vec::new(),
            spare_moves: Vec::new(),
            script: VecDeque::new(),
            chosen: None,
            taking: None,
            race: None,
            has_raced: false,
            route: Route::default(),
            is_detour: false,
            follows: options.follow.cloned(),
            refusal: None,
            observer: None,
            has_failed: false,
            waiting: Vec::new(),
            scratch: Graph::default(),
            kept: Vec::new(),
            names: Vec::new(),
            rest: Graph::default(),
            added: added::Added::default(),
        }
    }
}

impl Graphs {
    fn lineage(&self) -> &Lineage {
        self.lineages.last().expect("there is a lineage")
    }

    fn lineage_mut(&mut self) -> &mut Lineage {
        self.lineages.last_mut().expect("there is a lineage")
    }

    /// Gives up on the program for a reason that the user is told.
    fn refuse(&mut self, message: String) {
        let violation = Violation::new(ViolationKind::Unsupported, message + ADVICE);
        self.refusal.get_or_insert(Box::new(violation));
    }

    /// Notes that a step depends on the coherence order, so that the search has to start over.
    fn observes_order(&mut self, observer: Observer) {
        self.observer.get_or_insert(observer);
    }

    fn teach(&self, execution: &mut Execution) {
        if let Some(observer) = self.observer {
            execution.learn(Lesson::CoherenceOrder(observer));
        }
        if self.arrivals_matter {
            execution.learn(Lesson::Arrivals);
        }
    }
}

impl Strategy for Graphs {
    type Relation = AllConflicts;

    /// The graph has all that is to be known of the order of events.
    fn settings(_has_plain_memory: bool) -> Settings {
        Settings { is_ordered: false, ..Settings::default() }
    }

    fn next(&mut self, at: &Position<'_>) -> Next {
        if self.reduces_symmetry && self.lineage().steps.is_empty() {
            self.initial = at.machine.processes();
            self.meet_twins(at.machine);
        }
        loop {
            if self.is_detour || self.observer.is_some() || self.arrivals_matter {
                return Next::Inconsistent;
            }
            if self.has_failed
                && !self.script.is_empty()
                && at.machine.first_enabled(ProcessId::MAIN).is_none()
            {
                self.script.clear();
                return Next::End;
            }
            let chosen = match self.script.pop_front() {
                Some(scripted) => match self.follow(at.machine, scripted) {
                    Some(next) => return next,
                    None => self.chosen.take(),
                },
                None => match self.chosen.take() {
                    Some(chosen) => Some(chosen),
                    None if self.has_retried_in_vain(at.machine) => return Next::Asleep,
                    None => {
                        if let Some(next) = self.go_on_forced(at.machine) {
                            return next;
                        }
                        let Some(process) = self.pick(at.machine) else {
                            return self.end(at.machine);
                        };
                        if let Some(next) = self.take_forced(at.machine, process) {
                            return next;
                        }
                        self.open(at.machine, process, None)
                    }
                },
            };
            match chosen {
                Some(Move::Forward(attempt, position)) => {
                    return self.take(at.machine, attempt, position);
                }
                Some(Move::Block(attempt)) => self.block(at.machine, attempt),
                Some(_) => unreachable!("revisits are prepared when the search goes back"),
                None if !self.script.is_empty() => {}
                None => return Next::Inconsistent,
            }
        }
    }

    fn performed(&mut self, machine: &dyn Machine, performed: &Performed) {
        self.fill_in(performed);
        if self.reduces_symmetry && !performed.edges.is_empty() {
            self.meet_twins(machine);
        }
    }

    fn took(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.note_spinning(machine);
        self.teach(execution);
        if self.coherence == Coherence::Observed {
            self.shorten_view(execution);
        }
        if let Some((race, missing)) = self.race.take() {
            (execution.data_race, execution.missing) = (Some(race), missing);
        }
    }

    fn review(&mut self, execution: &mut Execution) {
        if self.coherence == Coherence::Observed {
            self.revise(execution);
        }
    }

    fn look(
        &mut self,
        _: &mut dyn Machine,
        _: &mut Execution,
        failed: bool,
    ) -> Result<bool, Box<Violation>> {
        self.has_failed |= failed;
        match self.refusal.take() {
            Some(refusal) if !failed => Err(refusal),
            _ => Ok(true),
        }
    }

    fn extend(
        &mut self,
        _: &mut dyn Machine,
        execution: &mut Execution,
    ) -> Result<usize, Box<Violation>> {
        match self.refusal.take() {
            Some(refusal) => Err(refusal),
            None => Ok(execution.len()),
        }
    }

    fn graph(&self) -> Option<&Graph> {
        Some(&self.lineage().graph)
    }

    fn is_repeated(&self, execution: &Execution) -> bool {
        self.repeats_orbit(execution)
    }

    fn ended(&mut self, _machine: &dyn Machine, execution: &mut Execution) {
        self.teach(execution);
        if self.coherence == Coherence::Observed {
            self.revise(execution);
        }
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        self.script.clear();
        self.waiting.clear();
        self.chosen = None;
        (self.is_detour, self.has_failed) = (false, false);
        let mut at = execution.len();
        loop {
            let lineage = self.lineage_mut();
            let Some(frame) = lineage.frames.last_mut() else {
                if self.lineages.len() == 1 {
                    return None;
                }
                let over = self.lineages.pop().expect("there is a lineage");
                at = at.min(over.shared);
                self.spare.push(over);
                self.lineage_mut().graph.is_reordered = true;
                continue;
            };
            let Some(next) = frame.moves.pop() else {
                let over = lineage.frames.pop().expect("the frame is there");
                self.spare_moves.push(over.moves);
                continue;
            };
            frame.begun += 1;
            let (steps, events, edges) = (frame.steps, frame.events, frame.edges);
            lineage.steps.truncate(steps);
            lineage.graph.truncate(events, edges);
            at = at.min(steps);
            match next {
                Move::Forward(..) | Move::Block(_) => {
                    self.chosen = Some(next);
                    self.script.extend((at..steps).map(Scripted::Repeat));
                    return Some(at);
                }
                Move::Revisits(_) | Move::RevisitsBy(_) => self.plan_all(next),
                Move::Revisit(attempt, read, position) => {
                    return Some(self.revisit(attempt, read, position, at));
                }
                Move::RevisitBy(write, read, position) => {
                    return Some(self.revisit_by(write, read, position, at));
                }
            }
        }
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        let frames = self.lineage().frames.iter().filter(|frame| frame.steps == depth);
        (0, frames.map(|frame| frame.moves.len()).sum())
    }
}

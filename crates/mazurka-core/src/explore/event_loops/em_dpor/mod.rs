//! `em-dpor`: dependence-covering sets, for programs with event queues.
//!
//! This is EM-DPOR (Maiya, Gupta, Kanade and Majumdar, *A partial order reduction technique for
//! event-driven multi-threaded programs*), Algorithms 2 to 5 with the refinements of Appendix C.
//!
//! Two posts to one queue are not dependent. Dependent are conflicting accesses to memory of different
//! processes or of different handlers of one process, and operations on a lock by different processes.
//! After every step, and for every process `t`, the algorithm looks for the last event `r` of the
//! execution that is dependent on `t`'s next transition `r'`, may be reordered with it, and does not
//! happen before it. `FindTarget` then chooses a process that is to be run before `r`, one that leads to
//! `r'`. If `r` and `r'` are in handlers of one process, the posts of these handlers are reordered
//! instead. If all processes that lead to `r'` have been explored already, because `r'` depends on an
//! event that is blocked in a queue behind another one, the posts of these two events are reordered
//! (`ReschedulePending`). If there is no candidate at all, the algorithm falls back to DPOR with
//! dependent posts (`BacktrackEager`).
//!
//! | where | what |
//! |---|---|
//! | this file | `Explore`, Algorithm 5; lines 18 to 25 are `execute` |
//! | `race` | lines 2 to 14 of Algorithm 5: which pairs to reorder |
//! | `target` | `FindTarget`, Algorithm 2, and `ReschedulePending`, Algorithm 3 |
//! | `eager` | `BacktrackEager`, Algorithm 4 |
//! | `history` | happens-before, Definition 3.1, by the clocks of section 4 (`rows`) |
//! | `queues` | `executable` and `blockedEv` |
//! | `locks` | which cells are locks |
//! | `fallback` | programs that do what the algorithm does not cover |
//!
//! # Choices that the paper leaves open
//!
//! The published counts depend on these choices, and are reproduced with them:
//!
//! * The first execution is the recorded one, if the program is a recording. After that, the search takes
//!   the deepest state with an unexplored process in its backtrack set, the lowest such process, and then
//!   always the lowest enabled process.
//! * "Any" process is one that is in the backtrack set already, otherwise the lowest.
//! * Candidates are not limited to tasks that are alive before `r`.
//! * Step 4 of `FindTarget` records a pair of posts in `RP`, too.
//! * There are no sleep sets.
//!
//! # Departures from the paper
//!
//! * Programs may do more than the paper's, such as wait for a condition or send messages. Any two
//!   [dependent](crate::model::dependence) actions are reordered. A waiting action is not reordered with
//!   the action that enabled it.
//! * Some programs are beyond the algorithm. From the moment that a program shows it, every interleaving
//!   is explored. This happens if a process releases a lock and does something else in one step (as in
//!   waiting on a condition variable), spins, waits for several things
//!   at once (a transition of a Petri net), stops handling events, or waits in a handler for something
//!   else than a lock.
//! * A process that continues with its own code after its loop does so after all of its handlers.
//! * A lock that protects a value (Rust's `Mutex<T>`) is treated like memory: handlers of one process that
//!   take it are dependent.

mod eager;
mod fallback;
mod history;
mod locks;
mod queues;
mod race;
mod rows;
mod sets;
mod target;

use crate::execution::order::AllConflicts;
use crate::execution::{Execution, Settings};
use crate::explore::event_loops::tasks::NONE;
use crate::model::{Machine, Op, ProcessId, Step, has_no_step};
use crate::search::Options;
use crate::search::strategy::{Explorer, Next, Position, Strategy};
use history::History;
use sets::ProcessSet;

/// The state of the search.
#[derive(Debug, Default)]
pub(crate) struct EmDpor {
    /// One for every prefix of the current execution. Those beyond its end are kept for reuse.
    points: Vec<BacktrackPoint>,
    history: History,
    /// Whether the first execution has ended.
    has_ended: bool,
    /// Whether the program is beyond the algorithm, so that every interleaving is explored.
    is_naive: bool,
    scratch: Scratch,
}

/// The state after a prefix, as far as the search needs it.
#[derive(Debug, Default)]
struct BacktrackPoint {
    enabled: ProcessSet,
    backtrack: ProcessSet,
    done: ProcessSet,
    /// The alternatives of steps, other than the first, that are still to be taken.
    choices: Vec<Step>,
    /// `RP`: pairs of posts that are to be reordered, by the tasks that they post.
    reordered: Vec<(u32, u32)>,
}

/// Buffers that are kept for reuse.
#[derive(Debug, Default)]
struct Scratch {
    conflicts: Vec<u32>,
    clock: Vec<u32>,
    eager: eager::ExtendedOrder,
}

impl EmDpor {
    /// Sets up the point for the end of the execution.
    fn arrive(&mut self, machine: &dyn Machine, depth: usize) {
        if self.points.len() == depth {
            self.points.push(BacktrackPoint::default());
        }
        let point = &mut self.points[depth];
        point.enabled.clear();
        for process in (0..machine.processes()).map(ProcessId::new) {
            if machine.is_enabled(process) {
                point.enabled.insert(process);
            }
        }
        point.backtrack.clear();
        point.done.clear();
        point.choices.clear();
        if self.is_naive {
            let BacktrackPoint { backtrack, enabled, .. } = point;
            backtrack.extend(enabled);
        }
    }

    /// Explores every interleaving from now on.
    fn explore_everything(&mut self) {
        if !std::mem::replace(&mut self.is_naive, true) {
            let depth = self.history.events.len();
            for BacktrackPoint { backtrack, enabled, .. } in &mut self.points[..=depth] {
                backtrack.extend(enabled);
            }
        }
    }

    /// Lines 18 to 25 of Algorithm 5 for the step that was just taken.
    fn execute(&mut self, machine: &dyn Machine, execution: &Execution) {
        let depth = execution.len() - 1;
        let event = execution.event(depth);
        let posted = execution.accesses_of(depth).iter().find_map(|access| match access.op {
            Op::Post { message } => Some((message, access.cell)),
            _ => None,
        });
        self.history.tasks.admit(machine.processes());
        let posted = posted.map(|(message, queue)| self.history.tasks.handler(message, queue));
        let mut after = None;
        if let Some(posted) = posted {
            // Rule 3 of Definition 3.1: the last post that this one has been reordered with.
            let pairs = self.points[depth].reordered.iter().filter(|(first, _)| *first == posted);
            let posts = pairs.map(|(_, second)| self.history.task(*second).post);
            after = posts.filter(|post| *post != NONE).max();
            if let Some(after) = after {
                self.points[after as usize].backtrack.insert(event.step.process);
            }
        }
        self.history.push(machine, execution, after);
        self.arrive(machine, depth + 1);
        let (before, behind) = self.points.split_at_mut(depth + 1);
        behind[0].reordered.clear();
        let pairs = before[depth].reordered.iter();
        behind[0].reordered.extend(pairs.filter(|(first, _)| Some(*first) != posted));
        let event = execution.event(depth);
        let others = (0..event.alternatives).filter(|choice| *choice != event.step.choice);
        if event.step.choice == 0 {
            let step = event.step;
            self.points[depth].choices.extend(others.map(|choice| Step { choice, ..step }));
        }
    }
}

impl Explorer for EmDpor {
    fn new(_options: &Options<'_>) -> Self {
        EmDpor::default()
    }
}

impl Strategy for EmDpor {
    type Relation = AllConflicts;

    fn settings(has_plain_memory: bool) -> Settings {
        Settings { is_ordered: has_plain_memory, posts_commute: true, ..Settings::default() }
    }

    fn next(&mut self, at: &Position<'_>) -> Next {
        let depth = at.depth();
        if depth == 0 && self.points.is_empty() {
            self.arrive(at.machine, 0);
            self.history.tasks.admit(at.machine.processes());
        }
        let point = &mut self.points[depth];
        if point.done.is_empty() && point.backtrack.is_empty() {
            // Line 15: any enabled process.
            let recorded = at.machine.recorded(depth).filter(|_| !self.has_ended);
            let recorded = recorded.filter(|process| point.enabled.contains(*process));
            match recorded.or_else(|| point.enabled.first()) {
                Some(process) => point.backtrack.insert(process),
                None => return Next::End,
            }
        }
        if let Some(process) = point.backtrack.first_without(&point.done) {
            point.done.insert(process);
            return Next::Step(Step::of(process));
        }
        match point.choices.pop() {
            Some(step) => Next::Step(step),
            None => Next::Cut,
        }
    }

    fn took(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.execute(machine, execution);
        let process = execution.event(execution.len() - 1).step.process;
        if has_no_step(machine, process) && self.history.tasks.is_in_handler(process) {
            // The process handles no more events, so the order of its events matters.
            self.explore_everything();
        }
        self.look_at_released(execution);
        self.look_at_what_was_awaited(execution);
        self.find_more_targets(execution);
        self.find_targets(machine, execution);
    }

    fn ended(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.has_ended = true;
        self.look_at_waits(machine, execution);
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        let depth = (0..execution.len()).rev().find(|depth| {
            let point = &self.points[*depth];
            point.backtrack.first_without(&point.done).is_some() || !point.choices.is_empty()
        })?;
        self.history.truncate(depth);
        Some(depth)
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        let Some(point) = self.points.get(depth) else { return (0, 0) };
        let open = point.backtrack.len().saturating_sub(point.done.len());
        (point.done.len().saturating_sub(1), open + point.choices.len())
    }
}

//! `em-dpor`: dependence-covering sets, for programs with event queues.
//!
//! This is EM-DPOR (Maiya, Gupta, Kanade and Majumdar, *A partial order reduction technique for
//! event-driven multi-threaded programs*), Algorithms 2 to 5 with the refinements of Appendix C.
//!
//! Two posts to one queue are not dependent. What is, are conflicting accesses to memory, of
//! different processes or of different handlers of one process, and operations on a lock by different
//! processes. After every step, for every process `t`, the last event `r` of the execution is looked
//! for that is dependent on `t`'s next transition `r'`, may be reordered with it, and does not happen
//! before it. `FindTarget` then looks for a process to be tried before `r`: one that leads up to
//! `r'`. If the two are of handlers of one process, it is their posts that must be reordered; and if
//! the processes that lead up to `r'` have all been tried, because `r'` hangs on an event that was
//! stuck in a queue behind another one, then the posts of these two (`ReschedulePending`). If there
//! is nothing to go by, it does as DPOR does, with posts dependent (`BacktrackEager`).
//!
//! | where | what |
//! |---|---|
//! | this file | `Explore`, Algorithm 5 |
//! | `race` | lines 3 to 12 of it: which pairs to reorder |
//! | `target` | `FindTarget`, Algorithm 2, and `ReschedulePending`, Algorithm 3 |
//! | `eager` | `BacktrackEager`, Algorithm 4 |
//! | `waiting` | what is beyond the algorithm |
//! | `history` | happens-before, Definition 3.1, by the clocks of section 4 |
//!
//! # Where the paper leaves a choice
//!
//! The published counts depend on these choices, and are reproduced with them:
//!
//! * The first execution is the recorded one, if the program is a recording. After that, the deepest
//!   open point is taken, the lowest process of its open choices, and from there the lowest enabled
//!   process.
//! * "Any" process is one that is in the backtrack set already, else the lowest.
//! * Candidates are not limited to tasks that are alive before `r`.
//! * Step 4 of `FindTarget` records a pair of posts in `RP`, too.
//! * There are no sleep sets.
//!
//! # Beyond the paper
//!
//! Programs may do more than the paper's: wait for a condition, send messages. Any two actions that
//! are [dependent](crate::model::dependence) are reordered, whatever they are; one that waits is not
//! reordered with what it waited for. From the moment that a process gives a lock back and does
//! something else in one step, as it does to wait on a condition variable, or spins, or stops handling
//! events, or waits in a handler for something else than a lock, every interleaving is explored. A process
//! that goes on with code of its own behind its loop does so after all of its handlers. A lock that keeps
//! something is like memory: handlers of one process are dependent if they take it.

mod eager;
mod fallback;
mod history;
mod locks;
mod queues;
mod race;
mod rows;
mod sets;
mod target;

use crate::execution::Execution;
use crate::explore::event_loops::tasks::NONE;
use crate::model::{Machine, Op, ProcessId, Step};
use crate::search::strategy::{Next, Position, Strategy};
use history::History;
use sets::ProcessSet;

/// The state of the search.
#[derive(Debug, Default)]
pub(crate) struct EmDpor {
    /// One for every prefix of the current execution; those beyond are kept for their memory.
    points: Vec<BacktrackPoint>,
    history: History,
    /// Whether the first execution has ended.
    has_ended: bool,
    /// Whether the program does something that the algorithm does not reduce: then everything is
    /// explored.
    is_naive: bool,
    scratch: Scratch,
}

/// What is remembered of the state after a prefix.
#[derive(Debug, Default)]
struct BacktrackPoint {
    enabled: ProcessSet,
    backtrack: ProcessSet,
    done: ProcessSet,
    /// Alternatives of steps other than the first, still to be taken.
    choices: Vec<Step>,
    /// `RP`: pairs of posts, by the tasks that they post, that are to be reordered.
    reordered: Vec<(u32, u32)>,
}

/// Buffers that are used again.
#[derive(Debug, Default)]
struct Scratch {
    conflicts: Vec<u32>,
    clock: Vec<u32>,
    eager: eager::ExtendedOrder,
}

impl EmDpor {
    /// Sets up the point for the current end of the execution.
    fn arrive<M: Machine>(&mut self, machine: &M, depth: usize) {
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

    /// Gives up on reduction.
    fn explore_everything(&mut self) {
        if !std::mem::replace(&mut self.is_naive, true) {
            let depth = self.history.events.len();
            for BacktrackPoint { backtrack, enabled, .. } in &mut self.points[..=depth] {
                backtrack.extend(enabled);
            }
        }
    }

    /// Lines 18 to 25 of Algorithm 5 for the step that was just taken.
    fn execute<M: Machine>(&mut self, machine: &M, execution: &Execution) {
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
            // The last post that has been reordered with this one: rule 3 of Definition 3.1.
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

impl<M: Machine> Strategy<M> for EmDpor {
    fn next(&mut self, at: &Position<'_, M>) -> Next {
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
            let favourite = at.favourite.filter(|process| point.enabled.contains(*process));
            match recorded.or(favourite).or_else(|| point.enabled.first()) {
                Some(process) => point.backtrack.insert(process),
                None => return Next::End,
            }
        }
        while let Some(process) = point.backtrack.first_without(&point.done) {
            point.done.insert(process);
            if at.allows(process) {
                return Next::Step(Step::of(process));
            }
            if let Some(earlier) = at.where_to_try_instead(process) {
                self.points[earlier].backtrack.insert(process);
                return Next::Cut;
            }
        }
        match point.choices.pop() {
            Some(step) => Next::Step(step),
            None => Next::Cut,
        }
    }

    fn took(&mut self, machine: &M, execution: &mut Execution) {
        self.execute(machine, execution);
        let process = execution.event(execution.len() - 1).step.process;
        let is_over = machine.next(process).is_none()
            && machine.guards(process).is_empty()
            && !machine.is_enabled(process);
        if is_over && self.history.tasks.is_in_handler(process) {
            // It handles no more events: then their order does matter.
            self.explore_everything();
        }
        self.look_at_released(execution);
        self.look_at_what_was_awaited(execution);
        self.find_more_targets(execution);
        self.find_targets(machine, execution);
    }

    fn ended(&mut self, machine: &M, execution: &mut Execution) {
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

//! `event-driven`: exactly one execution per class, where the order of posts is no matter.
//!
//! It is for programs with event queues, and for the same properties as EM-DPOR (Maiya, Gupta, Kanade
//! and Majumdar, *A partial order reduction technique for event-driven multi-threaded programs*):
//! deadlocks, and whatever threads and handlers can find out. It uses that paper's dependence
//! (Definition 2.2, with the refinements of Appendix C), but not its algorithm.
//!
//! # Classes
//!
//! A *task* is the own code of a process, or the handler of an event. Two events are *in conflict* if
//! they are of different tasks and their actions are [dependent](crate::model::dependence), save
//! that two posts to one queue are not, nor two operations by one process on something that
//! [merely locks](crate::model::Action::merely_locks). Two executions are in
//! one class if they have the same events, and of every two that are in conflict the same one comes first.
//!
//! An event *happens before* another one for one of these reasons: it is earlier in the same task; it
//! posts the event that the other one handles, or creates or releases its process; the two are in
//! conflict, and it comes first; it is the end of a handler whose post happens before the post of the
//! other one's handler (queues are FIFO). All of an event's past is in its *cone*, a hash. So a class
//! is a set of cones, and a class *extends* a part of an execution, that is, a set of events with all
//! that happens before them, exactly if it has the cones of that part.
//!
//! A process may also *rest*: wait for ever in a handler, or have ended in one. Whatever is left in its
//! queue is never handled. To a class belongs, for each process that rests, which events it has
//! handled (`rest`).
//!
//! # The search
//!
//! All classes that have been explored are remembered. Every new execution `σ` gives *targets*: a part
//! of it, and then a step `e` that would be new there. There are four kinds.
//!
//! 1. For every conflict between an event `z` and a later one `e` such that nothing else orders the two:
//!    whatever happens neither after `z` nor after `e`, and then `e`. The same for a step that a process
//!    waits with for ever.
//! 2. For every event with several alternatives: whatever does not happen after it, and then another
//!    alternative.
//! 3. For every event that is left in the queue of a process that rests: whatever does not happen
//!    after the beginning of the handler that it rests in, and then the beginning of that event's.
//! 4. For every event that a process has handled before it came to rest: all that does not happen
//!    after that, where the event stays in the queue; there is no last step.
//!
//! Not every such part can be run by itself. A process finishes one handler before it begins the next,
//! and it begins them in the order of their posts. A target may have two handlers of one process neither
//! of which is finished, or handlers that would each have to come before the other. Then something
//! must be left out, and that is done in *every* way (`plan`): a smallest set of events is found that
//! cannot be there together, and the search goes on without each of them. Whether a part can be run is
//! decided exactly: which of two handlers comes first often follows from what is known, and the rest is
//! searched (`order`). In general that is hard (NP-complete), but programs that need a search are rare.
//!
//! If a class that has been explored extends a target, nothing needs to be done about it. Otherwise an
//! execution is run that begins with it, and that one is in a new class, whatever follows. So no class is
//! ever run twice, and nothing is run in vain.
//!
//! # Nothing is missed
//!
//! Let `τ` be an execution that has ended, and `P` its longest beginning that some explored class extends.
//! Suppose that `e` comes next in `τ`. Of the classes that extend `P`, take first those where the processes
//! that rest at the end of `P` have handled as few events beyond those in `P` as possible, and then one
//! where as little as possible happens before the step that the task of `e` takes instead; let `σ` be the
//! execution of that class.
//!
//! - If in `σ` a process that rests at the end of `P` has handled an event that it has not handled in `P`,
//!   then there is a target of kind 4 without that. All of `P` is in it before anything is left out, and
//!   `P` can be run, so one of the ways to leave something out keeps all of `P`. So a class has been
//!   explored that extends `P` and in which fewer such events have been handled: a contradiction.
//! - If in `σ` the task of `e` gets to that step, but chooses otherwise, the target of kind 2 with all of `P`
//!   gives a class that extends `P` and `e`, or one where less happens before it.
//! - If in `σ` something comes before that step which is in conflict with it and not in `P`, then a last one
//!   of these gives a target of kind 1, which again contains `P`, and in which less happens before
//!   the step: a contradiction.
//! - If in `σ` the task of `e` never begins, then its process rests there, and kind 3 applies.
//!
//! So `P` is all of `τ`. Suppose that `σ` extends it, but is not in the same class, and let `f` be the first
//! event of `σ` that is not in `τ`. All that happens before `f` is in `τ`, and yet `f` cannot come there. So it
//! begins a handler of a process that rests at the end of `τ`, and that is the first case again.
//!
//! That last step has a condition: a process that rests at the end of `τ` also rests in every `σ` that
//! extends `τ`. It does if it waits for a lock, as the one who has that lock waits for a lock too, or has
//! ended. It need not if it waits for something else, which a handler brings about that stays in
//! its queue in `τ`. If an execution shows that a handler may wait for something like that, the program is
//! left to `optimal` (`waiting`).
//!
//! | where | what |
//! |---|---|
//! | this file | the search |
//! | `tasks` | the tasks of the current execution |
//! | `graph` | what happens before what in an execution that has ended, and cones |
//! | `classes` | the classes that have been explored |
//! | `plan` | targets |
//! | `candidate` | the step at the end of a target: what it does there, and whether it can be taken |
//! | `order` | how to run a part of an execution, or why it cannot be run |
//! | `rest` | processes that have come to rest |
//! | `waiting` | programs that are not for this explorer |
//!
//! # What it costs
//!
//! Memory in proportion to the number of classes: for every event of every class four bytes, and for
//! every cone some thirty. The other explorers need none.

mod bits;
mod candidate;
mod classes;
mod happens_before;
mod links;
mod order;
mod plan;
mod refusal;
mod rest;

use crate::execution::Execution;
use crate::explore::event_loops::tasks::Tasks;
use crate::model::{Machine, Step};
use crate::search::strategy::{Next, Position, Standing, Strategy};
use bits::Bits;
use classes::Classes;
use happens_before::HappensBefore;
use links::Links;
use order::Orders;
use plan::{Planner, Target};
use rest::Rest;

/// The state of the search.
#[derive(Debug, Default)]
pub(crate) struct EventDriven {
    tasks: Tasks,
    links: Links,
    graph: HappensBefore,
    classes: Classes,
    orders: Orders,
    /// What is still to be explored.
    targets: Vec<Target>,
    /// How the current execution is to begin.
    beginning: Vec<Step>,
    /// Whether it could not begin like that, or leads to what has been seen.
    is_redundant: bool,
    /// Whether the program is not for this explorer.
    gives_up: bool,
    executions: usize,
}

impl<M: Machine> Strategy<M> for EventDriven {
    fn next(&mut self, at: &Position<'_, M>) -> Next {
        let depth = at.depth();
        let machine = at.machine;
        if let Some(step) = self.beginning.get(depth).copied() {
            let is_possible = machine.is_enabled(step.process)
                && step.choice < machine.alternatives(step.process);
            if !is_possible {
                self.is_redundant = true;
                return Next::Asleep;
            }
            return if at.allows(step.process) { Next::Step(step) } else { Next::Cut };
        }
        let recorded = machine.recorded(depth).filter(|_| self.executions == 0);
        let recorded = recorded.filter(|process| machine.is_enabled(*process));
        let mut others = at.enabled().peekable();
        if others.peek().is_none() {
            return Next::End;
        }
        match recorded.into_iter().chain(others).find(|process| at.allows(*process)) {
            Some(process) => Next::Step(Step::of(process)),
            None => Next::Cut,
        }
    }

    fn took(&mut self, machine: &M, execution: &mut Execution) {
        self.tasks.push(machine, execution);
        self.links.push(machine, execution, &self.tasks);
    }

    fn ended(&mut self, machine: &M, execution: &mut Execution) {
        self.executions += 1;
        if std::mem::take(&mut self.is_redundant) {
            return;
        }
        self.tasks.admit(machine.processes());
        self.graph.build(&self.tasks, &self.links.links, execution);
        if refusal::is_beyond_locks(&self.graph, &self.tasks, &self.links, execution) {
            self.gives_up = true;
            return;
        }
        let rests = Rest::all(machine, execution, &self.tasks, &self.graph);
        let all = Bits::all(self.graph.len);
        let resting = rests.iter().map(|rest| rest.cone(&self.graph, &self.tasks, &all));
        if self.classes.insert(self.graph.cones.iter().copied().chain(resting)) {
            let mut planner = Planner {
                graph: &self.graph,
                tasks: &self.tasks,
                execution,
                rests: &rests,
                classes: &mut self.classes,
                orders: &mut self.orders,
                targets: &mut self.targets,
            };
            planner.plan(machine);
        }
    }

    fn standing(&self, _execution: &Execution) -> Standing {
        match self.gives_up {
            true => Standing::GivesUp,
            false => Standing::Reliable,
        }
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        let target = loop {
            let target = self.targets.pop()?;
            if !self.classes.cover(&target.cones) {
                break target;
            }
        };
        let same = execution.steps().zip(&target.steps).take_while(|(a, b)| a == *b).count();
        self.tasks.truncate(same);
        self.links.truncate(same);
        self.beginning = target.steps;
        Some(same)
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        match depth {
            0 => (self.executions, self.targets.len()),
            _ => (0, 0),
        }
    }
}

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
//! that two posts to one queue are not, nor two operations on a lock by one process. Two executions
//! are in one class if they have the same events, and of every two that are in conflict the same one
//! comes first.
//!
//! An event *happens before* another one for one of these reasons: it is earlier in the same task; it
//! posts the event that the other one handles, or creates or releases its process; the two are in
//! conflict, and it comes first; it is the end of a handler whose post happens before the post of the
//! other one's handler (queues are FIFO). All of an event's past is in its *cone*, a hash. So a class
//! is a set of cones, and a class *extends* a part of an execution, that is, a set of events with all
//! that happens before them, exactly if it has the cones of that part.
//!
//! # The search
//!
//! All classes that have been explored are remembered. Of every new execution, and for every conflict
//! in it between an event `z` and a later one `e` such that nothing else orders the two, a *target* is
//! made: all events that do not happen after `z`, and then `e`. If no class that has been explored
//! extends the target, it is to be explored: an execution is run that begins with it. That
//! execution is in a new class, whatever follows. So no class is ever run twice, and nothing is run in
//! vain.
//!
//! Nothing is missed either. Let `τ` be an execution whose class has not been explored, `σ` one that
//! has been, and let them have as large a part `D` in common as there is. Let `e` be the first event of
//! `τ` that is not in `D`. In `σ`, it comes after something that it is in conflict with and that is not
//! in `D`; let `z` be a last one of these. The target of `z` and `e` contains `D`, so there is an
//! execution with all of `D` in which less is in the way of `e`; and in the end one that has `D` and
//! `e` in common with `τ`.
//!
//! Two more kinds of targets are needed, since an execution may be over before all of its events have
//! been handled. If a process waits for ever in a handler (or has quit), then each event that is left
//! in its queue could have come first; and each event that it has handled could have come later, and be
//! left in the queue. And a step that has several alternatives is a target with each of them.
//!
//! # Running a target
//!
//! What happens before what does not say all. A process finishes one handler before it begins the
//! next, and it begins them in the order of their posts. A target may have two handlers of one process
//! neither of which is finished, or handlers that would each have to come before the other. Then
//! something must be left out, as little as possible, and in every way that there is (`plan`). Whether
//! what is left can be run is decided exactly: which of two handlers comes first often follows from
//! what is known, and the rest is searched (`order`). In general that is hard (NP-complete), but
//! the programs that need a search are rare.
//!
//! | where | what |
//! |---|---|
//! | this file | the search |
//! | `tasks` | the tasks of the current execution |
//! | `graph` | what happens before what in an execution that has ended, and cones |
//! | `classes` | the classes that have been explored |
//! | `plan` | targets |
//! | `candidate` | the step at the end of a target: what it does there, and whether it can be taken |
//! | `order` | how to run a part of an execution |
//!
//! # What it costs
//!
//! Memory in proportion to the number of classes: for every event of every class four bytes, and for
//! every cone some thirty. The other explorers need none.

mod bits;
mod candidate;
mod classes;
mod graph;
mod order;
mod plan;
mod tasks;

use super::execution::Execution;
use super::strategy::{Next, Position, Strategy};
use crate::model::{Machine, Step};
use classes::Classes;
use graph::Graph;
use order::Orders;
use plan::{Planner, Target};
use tasks::Tasks;

/// The state of the search.
#[derive(Debug, Default)]
pub(crate) struct EventDriven {
    tasks: Tasks,
    graph: Graph,
    classes: Classes,
    orders: Orders,
    /// What is still to be explored.
    targets: Vec<Target>,
    /// How the current execution is to begin.
    beginning: Vec<Step>,
    /// Whether it could not begin like that, or leads to what has been seen.
    is_redundant: bool,
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
    }

    fn ended(&mut self, machine: &M, execution: &mut Execution) {
        self.executions += 1;
        if std::mem::take(&mut self.is_redundant) {
            return;
        }
        self.tasks.admit(machine.processes());
        self.graph.build(&self.tasks, execution);
        if self.classes.insert(&self.graph.cones) {
            let mut planner = Planner {
                graph: &self.graph,
                tasks: &self.tasks,
                execution,
                classes: &mut self.classes,
                orders: &mut self.orders,
                targets: &mut self.targets,
            };
            planner.plan(machine);
        }
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        let target = loop {
            let target = self.targets.pop()?;
            if !self.classes.cover(&target.cones, target.without) {
                break target;
            }
        };
        let same = execution.steps().zip(&target.steps).take_while(|(a, b)| a == *b).count();
        self.tasks.truncate(same);
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

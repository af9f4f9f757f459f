//! `event-driven`: exactly one execution per class, where the order of posts does not matter.
//!
//! This explorer is for programs with event queues. It finds the same as EM-DPOR (Maiya, Gupta, Kanade
//! and Majumdar, *A partial order reduction technique for event-driven multi-threaded programs*):
//! deadlocks, and every local state of a thread or a handler. It uses that paper's dependence (Definition
//! 2.2, with the refinements of Appendix C), but another algorithm.
//!
//! # Classes
//!
//! A *task* is the own code of a process, or the handler of an event. Two events are *in conflict* if
//! they are of different tasks and their actions are [dependent](crate::model::dependence). Exceptions
//! are two posts to one queue, and two operations by one process on a lock that
//! [merely locks](crate::model::Action::merely_locks). Two executions are in one *class* if they have the
//! same events, and order every two events in conflict in the same way.
//!
//! An event *happens before* another one for one of these reasons: it is earlier in the same task; it
//! posts the event that the other one handles, or creates or releases its process; the two are in
//! conflict, and it comes first; it is the end of a handler whose post happens before the post of the
//! other one's handler (queues are FIFO). The *cone* of an event is a fingerprint of all that happens
//! before it. So a class is a set of cones. A class *extends* a part of an execution (a set of events
//! that contains all that happens before them) exactly if it has the cones of that part.
//!
//! A process *rests* if it waits forever in a handler, or has ended in one. Events that are left in its
//! queue are never handled. A class includes, for each process that rests, which events it has handled
//! (`rest`).
//!
//! # The search
//!
//! The search remembers all classes that it has explored. Every new execution `σ` gives *targets*: a part
//! of `σ`, and then a step `e` that would be new there. There are four kinds.
//!
//! 1. For every conflict between an event `z` and a later event `e` that nothing else orders: all events
//!    that happen neither after `z` nor after `e`, and then `e`. Likewise for a step `e` that a process
//!    waits forever to take.
//! 2. For every event with several alternatives: all events that do not happen after it, and then another
//!    alternative.
//! 3. For every event that is left in the queue of a process that rests: all events that do not happen
//!    after the beginning of the handler in which it rests, and then the beginning of that event's
//!    handler.
//! 4. For every event that a process has handled before it came to rest: all events that do not happen
//!    after the beginning of its handler, so that the event stays in the queue. There is no last step.
//!
//! Not every such part can be run by itself. A process finishes one handler before it begins the next,
//! and begins them in the order of their posts. A target may have two unfinished handlers of one process,
//! or handlers that would each have to come before the other. Then some events must be left out, and the
//! search does so in *every* way (`plan`): it finds a smallest set of events that cannot be together, and
//! continues without each of them. Whether a part can be run is decided exactly: often the order of two
//! handlers follows from what is known, and the rest is searched (`order`). The problem is NP-complete in
//! general, but programs that need a search are rare.
//!
//! If an explored class extends a target, the target is dropped. Otherwise an execution is run that
//! begins with it, and that execution is in a new class, however it continues. So no class is run twice,
//! and no execution is blocked.
//!
//! # Why no class is missed
//!
//! Let `τ` be a maximal execution, and `P` its longest prefix that some explored class extends. Suppose
//! that `e` comes next in `τ`. Of the classes that extend `P`, take those in which the processes that rest
//! at the end of `P` have handled the fewest events beyond those in `P`. Among these, take one in which
//! the fewest events happen before the step that the task of `e` takes instead. Let `σ` be the execution
//! of that class.
//!
//! - Suppose that in `σ` a process that rests at the end of `P` has handled an event that it has not
//!   handled in `P`. Then there is a target of kind 4 without that event. It contains `P` before anything
//!   is left out, and `P` can be run, so one of the ways to leave something out keeps `P`. So some
//!   explored class extends `P` in which fewer such events have been handled: a contradiction.
//! - Suppose that in `σ` the task of `e` takes that step with another alternative. The target of kind 2
//!   that contains `P` gives a class that extends `P` and `e`, or one where less happens before the step.
//! - Suppose that in `σ` an event that is not in `P` comes before the step and is in conflict with it. A
//!   last such event gives a target of kind 1, which again contains `P`, and in which less happens before
//!   the step: a contradiction.
//! - Suppose that in `σ` the task of `e` never begins. Then its process rests there, and kind 3 applies.
//!
//! So `P` is all of `τ`. Suppose that `σ` extends it but is not in the same class, and let `f` be the
//! first event of `σ` that is not in `τ`. All events that happen before `f` are in `τ`, but `f` is not enabled at
//! the end of `τ`. So it begins a handler of a process that rests there, and the first case applies.
//!
//! The last step has a condition: a process that rests at the end of `τ` also rests in every `σ` that
//! extends `τ`. This holds if it waits for a lock, since the holder of that lock waits for a lock too, or
//! has ended. It may fail if the process waits for something that a handler brings about whose event
//! stays in its queue in `τ`. If an execution shows that a handler may wait for something else than a
//! lock, or a step waits for several things at once, the program is left to `optimal` (`refusal`).
//!
//! | where | what |
//! |---|---|
//! | this file | the search |
//! | `tasks`, `links` | the tasks of the current execution, and edges between processes |
//! | `happens_before` | happens-before and cones of an execution that has ended |
//! | `classes` | the classes that have been explored |
//! | `plan` | targets |
//! | `candidate` | the last step of a target: what it does there, and whether it can be taken |
//! | `order` | how to run a part of an execution, or why it cannot be run |
//! | `rest` | processes that rest |
//! | `refusal` | programs that this explorer leaves to `optimal` |
//!
//! # Cost
//!
//! Memory is proportional to the number of classes: four bytes for every event of every class, and some
//! thirty for every cone. The other explorers do not remember classes.

mod bits;
mod candidate;
mod classes;
mod happens_before;
mod links;
mod order;
mod plan;
mod refusal;
mod rest;

use crate::execution::order::AllConflicts;
use crate::execution::{Execution, Settings};
use crate::explore::event_loops::tasks::Tasks;
use crate::model::{Machine, Step};
use crate::search::Options;
use crate::search::strategy::{Explorer, Next, Position, Strategy};
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
    /// The targets that are still to be explored.
    targets: Vec<Target>,
    /// The steps of the target that the current execution begins with.
    beginning: Vec<Step>,
    /// Whether the current execution could not take these steps.
    is_redundant: bool,
    /// Whether the program is left to `optimal`.
    gives_up: bool,
    executions: usize,
}

impl Explorer for EventDriven {
    fn new(_options: &Options<'_>) -> Self {
        EventDriven::default()
    }
}

impl Strategy for EventDriven {
    type Relation = AllConflicts;

    fn settings(has_plain_memory: bool) -> Settings {
        Settings { is_ordered: has_plain_memory, posts_commute: true, ..Settings::default() }
    }

    fn next(&mut self, at: &Position<'_>) -> Next {
        let depth = at.depth();
        let machine = at.machine;
        if let Some(step) = self.beginning.get(depth).copied() {
            let is_possible = machine.is_enabled(step.process)
                && step.choice < machine.alternatives(step.process);
            if !is_possible {
                self.is_redundant = true;
                return Next::Asleep;
            }
            return Next::Step(step);
        }
        let recorded = machine.recorded(depth).filter(|_| self.executions == 0);
        let recorded = recorded.filter(|process| machine.is_enabled(*process));
        match recorded.or_else(|| at.enabled().next()) {
            Some(process) => Next::Step(Step::of(process)),
            None => Next::End,
        }
    }

    fn took(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.tasks.push(machine, execution);
        self.links.push(machine, execution, &self.tasks);
    }

    fn ended(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.executions += 1;
        if std::mem::take(&mut self.is_redundant) {
            return;
        }
        self.tasks.admit(machine.processes());
        self.graph.build(&self.tasks, &self.links.links, execution);
        if execution.waits_for_several(machine)
            || refusal::is_beyond_locks(&self.graph, &self.tasks, &self.links, execution)
        {
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

    fn gives_up(&self) -> bool {
        self.gives_up
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

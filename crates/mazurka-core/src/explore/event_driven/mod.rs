//! `event-driven`: exactly one execution per class, where the order of posts is no matter.
//!
//! Two executions are in one class if the same conflicting accesses, and the same operations of
//! different processes on locks, come in the same order. The order of posts to a queue, and that of
//! handlers that have nothing to do with each other, makes no difference.

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

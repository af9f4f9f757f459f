//! Targets: which executions to run next.

use super::bits::{Bits, is_subset};
use super::candidate::Candidate;
use super::classes::{Classes, Cone};
use super::happens_before::HappensBefore;
use super::order::{Contradiction, Orders};
use super::rest::Rest;
use crate::execution::Execution;
use crate::explore::event_loops::tasks::{NONE, Tasks};
use crate::model::{Machine, Op, ProcessId, Step};

/// A target: the executions that begin with these steps.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) steps: Vec<Step>,
    /// The cone of its last step, and the cones of the last events of all tasks.
    pub(super) cones: Vec<Cone>,
}

/// What a target is to reach.
pub(super) struct Goal {
    /// The events without which it cannot be reached.
    pub(super) needed: Bits,
    /// The last step; `None` if some process is to rest.
    pub(super) candidate: Option<Candidate>,
}

impl Goal {
    pub(super) fn step(candidate: Candidate) -> Self {
        Goal { needed: candidate.fixed.clone(), candidate: Some(candidate) }
    }

    /// Returns whether a handler is the one that the last step is in.
    fn is_in(&self, task: u32) -> bool {
        self.candidate.as_ref().is_some_and(|c| c.task == task && !c.begins)
    }

    fn is_of(&self, process: ProcessId) -> bool {
        self.candidate.as_ref().is_some_and(|c| c.step.process == process)
    }

    /// Returns the handler that the last step begins, or [`NONE`].
    fn begins(&self) -> u32 {
        self.candidate.as_ref().filter(|c| c.begins).map_or(NONE, |candidate| candidate.task)
    }
}

/// Finds the targets of an execution that has ended.
pub(super) struct Planner<'a> {
    pub(super) graph: &'a HappensBefore,
    pub(super) tasks: &'a Tasks,
    pub(super) execution: &'a Execution,
    pub(super) rests: &'a [Rest],
    pub(super) classes: &'a mut Classes,
    pub(super) orders: &'a mut Orders,
    pub(super) targets: &'a mut Vec<Target>,
}

impl Planner<'_> {
    /// Finds all targets of the execution.
    pub(super) fn plan(&mut self, machine: &dyn Machine) {
        for event in 0..self.graph.len as u32 {
            self.reverse_conflicts(event);
            self.choose_otherwise(event);
        }
        for process in machine.waiting() {
            let next = machine.next(process);
            if !next.is_some_and(|action| matches!(action.op, Op::Dequeue { .. })) {
                self.move_waiting(process, next.into_iter().chain(machine.guards(process)));
            }
        }
        for rest in self.rests {
            self.handle_left_events(rest);
            self.leave_handled_events(rest);
        }
    }

    /// Kind 1: reverses the conflicts of an event.
    fn reverse_conflicts(&mut self, event: u32) {
        let conflicts = self.graph.conflicts_of(event);
        if conflicts.is_empty() {
            return;
        }
        let choice = 0;
        let candidate = Candidate::event(self.graph, self.tasks, self.execution, event, choice);
        let waits = candidate.waits();
        let goal = Goal::step(candidate);
        for i in 0..conflicts.len() {
            let conflict = self.graph.conflicts_of(event)[i];
            if self.graph.fixed.has(event, conflict.with) || !(conflict.is_immediate || waits) {
                continue;
            }
            let mut part = Bits::all(self.graph.len);
            self.graph.cut(&mut part, conflict.with);
            self.graph.cut(&mut part, event);
            self.refine(&goal, part);
        }
    }

    /// Kind 2: takes the other alternatives of an event.
    fn choose_otherwise(&mut self, event: u32) {
        let taken = &self.tasks.events[event as usize];
        for choice in (0..taken.alternatives).filter(|choice| *choice != taken.step.choice) {
            let candidate = Candidate::event(self.graph, self.tasks, self.execution, event, choice);
            let mut part = Bits::all(self.graph.len);
            self.graph.cut(&mut part, event);
            self.refine(&Goal::step(candidate), part);
        }
    }

    /// Kind 1 for a process that waits forever: moves its step before an event that it is in conflict with.
    fn move_waiting<'b>(
        &mut self,
        process: ProcessId,
        actions: impl Iterator<Item = &'b crate::model::Action>,
    ) {
        let step = Step::of(process);
        let candidate = Candidate::pending(self.graph, self.tasks, self.execution, step, actions);
        let mut conflicts = Vec::new();
        let all = Bits::all(self.graph.len);
        candidate.conflicts(self.graph, self.execution, &all, &mut conflicts);
        let goal = Goal::step(candidate);
        for with in conflicts {
            if !goal.needed.contains(with) {
                let mut part = all.clone();
                self.graph.cut(&mut part, with);
                self.refine(&goal, part);
            }
        }
    }

    /// Makes targets of a part of the execution and a goal. Events that cannot be run together are left out
    /// in every way that keeps as much as possible.
    pub(super) fn refine(&mut self, goal: &Goal, mut part: Bits) {
        if !is_subset(&goal.needed.0, &part.0) {
            return;
        }
        let mut cones = Vec::new();
        if let Some(candidate) = &goal.candidate {
            while let Some(obstacles) = candidate.obstacles(self, &part) {
                // One of the obstacles must be left out.
                let [obstacle] = obstacles[..] else {
                    return self.leave_out_one(goal, &part, &obstacles);
                };
                if goal.needed.contains(obstacle) {
                    return;
                }
                self.graph.cut(&mut part, obstacle);
            }
            let mut found = Vec::new();
            cones.push(candidate.cone(self.graph, self.execution, &part, &mut found));
        }
        self.frontier(goal, &part, &mut cones);
        let task = goal.candidate.as_ref().map(|candidate| candidate.task);
        let needed = goal.needed.iter().map(|event| self.graph.cones[event as usize]);
        if self.classes.cover(&cones) || !self.classes.plan(&cones, task, needed) {
            return;
        }
        if self.leave_out_unfinished(goal, &part) {
            return;
        }
        let mut order = Vec::new();
        let begins = goal.begins();
        match self.orders.find(self.graph, self.tasks, &part, begins, &mut order) {
            Ok(()) => {
                let steps = order.iter().map(|event| self.tasks.events[*event as usize].step);
                let steps = steps.chain(goal.candidate.as_ref().map(|candidate| candidate.step));
                self.targets.push(Target { steps: steps.collect(), cones });
            }
            Err(Contradiction) => {
                let core = self.orders.explain(self.graph, self.tasks, &part, begins);
                self.leave_out_one(goal, &part, &core);
            }
        }
    }

    /// Collects the cones of the last events of all tasks but the candidate's, and those of resting
    /// processes if the goal is to rest.
    fn frontier(&self, goal: &Goal, part: &Bits, cones: &mut Vec<Cone>) {
        for (number, task) in self.tasks.tasks.iter().enumerate() {
            if goal.is_in(number as u32) {
                continue;
            }
            if let Some(last) = task.events.iter().rev().find(|event| part.contains(**event)) {
                cones.push(self.graph.cones[*last as usize]);
            }
        }
        if goal.candidate.is_none() {
            let rests = self.rests.iter().filter(|rest| is_subset(&rest.needed.0, &part.0));
            cones.extend(rests.map(|rest| rest.cone(self.graph, self.tasks, part)));
        }
    }

    /// Returns a process can be in one handler at a time. If there is one with several in the part,
    /// plans each of the ways to leave all but one out, and returns `true`.
    fn leave_out_unfinished(&mut self, goal: &Goal, part: &Bits) -> bool {
        let processes = self.tasks.current.len();
        for process in (0..processes).map(ProcessId::new) {
            let is_unfinished = |task: &u32| {
                let state = &self.tasks.tasks[*task as usize];
                let last = state.last();
                let is_complete = part.contains(last) && self.tasks.events[last as usize].ends;
                part.contains(state.begin()) && !is_complete
            };
            let unfinished: Vec<u32> =
                self.tasks.called(process).filter(|task| is_unfinished(task)).collect();
            let most = if goal.is_of(process) { 0 } else { 1 };
            let others = |kept: u32| -> Vec<u32> {
                unfinished.iter().copied().filter(|task| *task != kept).collect()
            };
            let own = unfinished.iter().copied().find(|task| goal.is_in(*task));
            if let Some(own) = own {
                if unfinished.len() > 1 {
                    self.leave_out(goal, part, &others(own));
                    return true;
                }
            } else if most == 0 && !unfinished.is_empty() {
                self.leave_out(goal, part, &unfinished);
                return true;
            } else if unfinished.len() > 1 {
                for kept in &unfinished {
                    self.leave_out(goal, part, &others(*kept));
                }
                return true;
            }
        }
        false
    }

    /// Continues without some handlers, unless they are needed.
    fn leave_out(&mut self, goal: &Goal, part: &Bits, handlers: &[u32]) {
        let mut smaller = part.clone();
        for handler in handlers {
            let begin = self.tasks.tasks[*handler as usize].begin();
            self.graph.cut(&mut smaller, begin);
        }
        self.refine(goal, smaller);
    }

    /// Continues without one of some events, for each of them.
    fn leave_out_one(&mut self, goal: &Goal, part: &Bits, events: &[u32]) {
        for event in events {
            let mut smaller = part.clone();
            self.graph.cut(&mut smaller, *event);
            self.refine(goal, smaller);
        }
    }
}

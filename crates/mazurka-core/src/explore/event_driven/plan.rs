//! Which executions to run next: those that reverse a conflict.

use super::bits::Bits;
use super::candidate::Candidate;
use super::classes::{Classes, Cone};
use super::graph::Graph;
use super::order::{Contradiction, Orders};
use super::tasks::{NONE, Tasks};
use crate::explore::execution::Execution;
use crate::model::{Machine, Op, ProcessId, Step};

/// Something to be explored: the executions that begin like this.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) steps: Vec<Step>,
    /// The cones of its last events: of each task, and first of all of the last step.
    pub(super) cones: Vec<Cone>,
}

/// Looks for targets in an execution that has ended.
pub(super) struct Planner<'a> {
    pub(super) graph: &'a Graph,
    pub(super) tasks: &'a Tasks,
    pub(super) execution: &'a Execution,
    pub(super) classes: &'a mut Classes,
    pub(super) orders: &'a mut Orders,
    pub(super) targets: &'a mut Vec<Target>,
}

impl Planner<'_> {
    /// Plans all that follows from the execution.
    pub(super) fn plan<M: Machine>(&mut self, machine: &M) {
        for event in 0..self.graph.len as u32 {
            self.reverse_conflicts(event);
            self.choose_otherwise(event);
        }
        for process in (0..machine.processes()).map(ProcessId::new) {
            if machine.is_enabled(process) {
                continue;
            }
            match machine.next(process) {
                Some(action) if matches!(action.op, Op::Dequeue { .. }) => {}
                Some(action) => {
                    let actions = std::iter::once(action).chain(machine.guards(process));
                    self.let_in(process, actions);
                }
                None => {}
            }
            self.let_events_overtake(process);
        }
    }

    /// The conflicts of an event that may be reversed.
    fn reverse_conflicts(&mut self, event: u32) {
        let conflicts = self.graph.conflicts_of(event);
        if conflicts.is_empty() {
            return;
        }
        let choice = 0;
        let candidate =
            Candidate::event(self.graph, self.tasks, self.execution, event, choice);
        let waits = candidate.waits();
        for i in 0..conflicts.len() {
            let conflict = self.graph.conflicts_of(event)[i];
            if self.graph.fixed.has(event, conflict.with) || !(conflict.is_immediate || waits) {
                continue;
            }
            let mut part = Bits::all(self.graph.len);
            self.graph.cut(&mut part, conflict.with);
            self.graph.cut(&mut part, event);
            self.refine(&candidate, part);
        }
    }

    /// The other alternatives of an event.
    fn choose_otherwise(&mut self, event: u32) {
        let taken = &self.tasks.events[event as usize];
        for choice in (0..taken.alternatives).filter(|choice| *choice != taken.step.choice) {
            let candidate =
                Candidate::event(self.graph, self.tasks, self.execution, event, choice);
            let mut part = Bits::all(self.graph.len);
            self.graph.cut(&mut part, event);
            self.refine(&candidate, part);
        }
    }

    /// A process that waits for ever could have gone on before what it is in conflict with.
    fn let_in<'b>(
        &mut self,
        process: ProcessId,
        actions: impl Iterator<Item = &'b crate::model::Action>,
    ) {
        let step = Step::of(process);
        let candidate = Candidate::pending(self.graph, self.tasks, self.execution, step, actions);
        let mut conflicts = Vec::new();
        let all = Bits::all(self.graph.len);
        candidate.conflicts(self.graph, self.execution, &all, &mut conflicts);
        for with in conflicts {
            if !candidate.fixed.contains(with) {
                let mut part = all.clone();
                self.graph.cut(&mut part, with);
                self.refine(&candidate, part);
            }
        }
    }

    /// If a process waits for ever in a handler, the events in its queue could have come first.
    fn let_events_overtake(&mut self, process: ProcessId) {
        let current = &self.tasks.tasks[self.tasks.current[process.index()] as usize];
        let last = current.last();
        if !current.is_handler || last == NONE || self.tasks.events[last as usize].ends {
            return;
        }
        for (task, state) in self.tasks.tasks.iter().enumerate() {
            let is_stuck = state.is_handler
                && state.post != NONE
                && state.events.is_empty()
                && state.queue == current.queue;
            if is_stuck {
                let step = Step::of(process);
                let candidate = Candidate::beginning(self.graph, self.tasks, step, task as u32);
                let mut part = Bits::all(self.graph.len);
                self.graph.cut(&mut part, current.begin());
                self.refine(&candidate, part);
            }
        }
    }

    /// Makes targets of a part of the execution and a step behind it: what cannot be run is left
    /// out, in every way that leaves as much as possible.
    fn refine(&mut self, candidate: &Candidate, mut part: Bits) {
        if !super::bits::is_subset(&candidate.fixed.0, &part.0) {
            return;
        }
        while let Some(obstacle) = candidate.obstacle(self.execution, &part) {
            if obstacle == NONE || candidate.fixed.contains(obstacle) {
                return;
            }
            self.graph.cut(&mut part, obstacle);
        }
        let mut cones = Vec::new();
        let mut found = Vec::new();
        cones.push(candidate.cone(self.graph, self.execution, &part, &mut found));
        self.frontier(candidate, &part, &mut cones);
        if self.classes.cover(&cones) || !self.classes.plan(&cones) {
            return;
        }
        if self.leave_out_unfinished(candidate, &part) {
            return;
        }
        let mut order = Vec::new();
        let begins = if candidate.begins { candidate.task } else { NONE };
        match self.orders.find(self.graph, self.tasks, &part, begins, &mut order) {
            Ok(()) => {
                let steps = order.iter().map(|event| self.tasks.events[*event as usize].step);
                let steps = steps.chain(std::iter::once(candidate.step)).collect();
                self.targets.push(Target { steps, cones });
            }
            Err(contradiction) => self.resolve(candidate, &part, contradiction),
        }
    }

    /// The cones of the last events of all tasks but that of the candidate.
    fn frontier(&self, candidate: &Candidate, part: &Bits, cones: &mut Vec<Cone>) {
        for (number, task) in self.tasks.tasks.iter().enumerate() {
            if number as u32 == candidate.task {
                continue;
            }
            if let Some(last) = task.events.iter().rev().find(|event| part.contains(**event)) {
                cones.push(self.graph.cones[*last as usize]);
            }
        }
    }

    /// A process can be in one handler at a time. If there is one with several in the part, plans
    /// each of the ways to leave all but one out, and returns `true`.
    fn leave_out_unfinished(&mut self, candidate: &Candidate, part: &Bits) -> bool {
        let processes = self.tasks.current.len();
        for process in (0..processes).map(ProcessId::new) {
            let is_unfinished = |task: &u32| {
                let state = &self.tasks.tasks[*task as usize];
                let last = state.last();
                let is_complete = part.contains(last) && self.tasks.events[last as usize].ends;
                part.contains(state.begin()) && !is_complete
            };
            let is_own = |task: &u32| *task == candidate.task && !candidate.begins;
            let unfinished: Vec<u32> =
                self.tasks.called(process).filter(|task| is_unfinished(task)).collect();
            let is_its_process = process == candidate.step.process;
            if is_its_process {
                let others: Vec<u32> =
                    unfinished.iter().copied().filter(|task| !is_own(task)).collect();
                if !others.is_empty() {
                    self.leave_out(candidate, part, &others);
                    return true;
                }
            } else if unfinished.len() > 1 {
                for kept in &unfinished {
                    let others: Vec<u32> =
                        unfinished.iter().copied().filter(|task| task != kept).collect();
                    self.leave_out(candidate, part, &others);
                }
                return true;
            }
        }
        false
    }

    /// Goes on without some handlers, unless the candidate needs them.
    fn leave_out(&mut self, candidate: &Candidate, part: &Bits, handlers: &[u32]) {
        let mut smaller = part.clone();
        for handler in handlers {
            let begin = self.tasks.tasks[*handler as usize].begin();
            self.graph.cut(&mut smaller, begin);
        }
        self.refine(candidate, smaller);
    }

    /// Two handlers that would each have to come first: goes on without one of them, or with only
    /// so much of it as has nothing to do with the other.
    fn resolve(&mut self, candidate: &Candidate, part: &Bits, between: Contradiction) {
        for (cut, other) in [(between.0, between.1), (between.1, between.0)] {
            let begin = self.tasks.tasks[cut as usize].begin();
            if begin == NONE || !part.contains(begin) {
                continue;
            }
            let other = self.tasks.tasks[other as usize].begin();
            let events = &self.tasks.tasks[cut as usize].events;
            let first = events.iter().copied().find(|event| {
                other != NONE && part.contains(*event) && self.graph.past.has(*event, other)
            });
            if let Some(first) = first.filter(|first| *first != begin) {
                let mut smaller = part.clone();
                self.graph.cut(&mut smaller, first);
                self.refine(candidate, smaller);
            }
            self.leave_out(candidate, part, &[cut]);
        }
    }
}

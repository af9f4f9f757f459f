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
    /// An event that is not to come.
    pub(super) without: Option<Cone>,
}

/// What is to be reached.
struct Goal {
    /// What is needed for it.
    needed: Bits,
    /// The step that is to be taken at the end.
    candidate: Option<Candidate>,
    /// An event that is not to come.
    without: Option<Cone>,
}

impl Goal {
    fn step(candidate: Candidate) -> Self {
        Goal { needed: candidate.fixed.clone(), candidate: Some(candidate), without: None }
    }

    /// Whether a handler is the one that the last step is in.
    fn is_in(&self, task: u32) -> bool {
        self.candidate.as_ref().is_some_and(|c| c.task == task && !c.begins)
    }

    fn is_of(&self, process: ProcessId) -> bool {
        self.candidate.as_ref().is_some_and(|c| c.step.process == process)
    }
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
            self.let_events_stay(machine, process);
        }
    }

    /// The conflicts of an event that may be reversed.
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

    /// The other alternatives of an event.
    fn choose_otherwise(&mut self, event: u32) {
        let taken = &self.tasks.events[event as usize];
        for choice in (0..taken.alternatives).filter(|choice| *choice != taken.step.choice) {
            let candidate = Candidate::event(self.graph, self.tasks, self.execution, event, choice);
            let mut part = Bits::all(self.graph.len);
            self.graph.cut(&mut part, event);
            self.refine(&Goal::step(candidate), part);
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
        let goal = Goal::step(candidate);
        for with in conflicts {
            if !goal.needed.contains(with) {
                let mut part = all.clone();
                self.graph.cut(&mut part, with);
                self.refine(&goal, part);
            }
        }
    }

    /// If a process waits for ever in a handler, or has ended in one, then the events in its queue
    /// could have come first.
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
                self.refine(&Goal::step(candidate), part);
            }
        }
    }

    /// If a process waits for ever in a handler, or has ended in one, then events that it has
    /// handled could have come later, and so never have been handled at all.
    fn let_events_stay<M: Machine>(&mut self, machine: &M, process: ProcessId) {
        let current = self.tasks.current[process.index()];
        let state = &self.tasks.tasks[current as usize];
        let last = state.last();
        if !state.is_handler || last == NONE || self.tasks.events[last as usize].ends {
            return;
        }
        let Some(needed) = self.what_holds_it(machine, process) else { return };
        for other in self.tasks.called(process).filter(|other| *other != current) {
            let begin = self.tasks.tasks[other as usize].begin();
            if !needed.contains(begin) {
                let mut part = Bits::all(self.graph.len);
                self.graph.cut(&mut part, begin);
                let without = Some(self.graph.cones[begin as usize]);
                self.refine(&Goal { needed: needed.clone(), candidate: None, without }, part);
            }
        }
    }

    /// Whatever must have happened for a process to wait for ever: all that was done by those who
    /// wait for each other, and by it.
    fn what_holds_it<M: Machine>(&self, machine: &M, process: ProcessId) -> Option<Bits> {
        let mut needed = Bits::none(self.graph.len);
        let mut members = vec![process];
        let mut next = 0;
        while let Some(member) = members.get(next).copied() {
            next += 1;
            let task = &self.tasks.tasks[self.tasks.current[member.index()] as usize];
            let last = task.last();
            if last == NONE {
                return None;
            }
            super::bits::join(&mut needed.0, self.graph.past.row(last));
            needed.insert(last);
            // One that has ended waits for nobody.
            let Some(action) = machine.next(member) else { continue };
            let cell = self.execution.cell_of(action)?;
            let holder = self.execution.accesses.get(self.execution.last_access(cell) as usize);
            match holder {
                Some(holder) if action.waits && action.op == Op::Update => {
                    let holder = self.tasks.events[holder.event as usize].step.process;
                    if !members.contains(&holder) {
                        members.push(holder);
                    }
                }
                // Whoever else waits might be what it waits for.
                _ => {
                    for other in (0..machine.processes()).map(ProcessId::new) {
                        let waits = machine.next(other).is_some_and(|action| {
                            !machine.is_enabled(other) && !matches!(action.op, Op::Dequeue { .. })
                        });
                        if waits && !members.contains(&other) {
                            members.push(other);
                        }
                    }
                }
            }
        }
        Some(needed)
    }

    /// Makes targets of a part of the execution and what is to come behind it: what cannot be
    /// run is left out, in every way that leaves as much as possible.
    fn refine(&mut self, goal: &Goal, mut part: Bits) {
        if !super::bits::is_subset(&goal.needed.0, &part.0) {
            return;
        }
        let mut cones = Vec::new();
        if let Some(candidate) = &goal.candidate {
            while let Some(obstacle) = candidate.obstacle(self.tasks, self.execution, &part) {
                if obstacle == NONE || goal.needed.contains(obstacle) {
                    return;
                }
                self.graph.cut(&mut part, obstacle);
            }
            let mut found = Vec::new();
            cones.push(candidate.cone(self.graph, self.execution, &part, &mut found));
        }
        self.frontier(goal, &part, &mut cones);
        let without = goal.without;
        let task = goal.candidate.as_ref().map(|candidate| candidate.task);
        if self.classes.cover(&cones, without) || !self.classes.plan(&cones, task, without) {
            return;
        }
        if self.leave_out_unfinished(goal, &part) {
            return;
        }
        let mut order = Vec::new();
        let candidate = goal.candidate.as_ref();
        let begins = candidate.filter(|c| c.begins).map_or(NONE, |candidate| candidate.task);
        match self.orders.find(self.graph, self.tasks, &part, begins, &mut order) {
            Ok(()) => {
                let steps = order.iter().map(|event| self.tasks.events[*event as usize].step);
                let steps = steps.chain(candidate.map(|candidate| candidate.step)).collect();
                self.targets.push(Target { steps, cones, without });
            }
            Err(contradiction) => self.resolve(goal, &part, contradiction),
        }
    }

    /// The cones of the last events of all tasks but that of the candidate.
    fn frontier(&self, goal: &Goal, part: &Bits, cones: &mut Vec<Cone>) {
        for (number, task) in self.tasks.tasks.iter().enumerate() {
            if goal.is_in(number as u32) {
                continue;
            }
            if let Some(last) = task.events.iter().rev().find(|event| part.contains(**event)) {
                cones.push(self.graph.cones[*last as usize]);
            }
        }
    }

    /// A process can be in one handler at a time. If there is one with several in the part, plans
    /// each of the ways to leave all but one out, and returns `true`.
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

    /// Goes on without some handlers, unless they are needed.
    fn leave_out(&mut self, goal: &Goal, part: &Bits, handlers: &[u32]) {
        let mut smaller = part.clone();
        for handler in handlers {
            let begin = self.tasks.tasks[*handler as usize].begin();
            self.graph.cut(&mut smaller, begin);
        }
        self.refine(goal, smaller);
    }

    /// Two handlers that would each have to come first: goes on without one of them, or with only
    /// so much of it as has nothing to do with the other.
    fn resolve(&mut self, goal: &Goal, part: &Bits, between: Contradiction) {
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
                self.refine(goal, smaller);
            }
            self.leave_out(goal, part, &[cut]);
        }
    }
}

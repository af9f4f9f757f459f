//! Processes that rest: they wait forever in a handler, or have ended in one.
//!
//! Events that are left in the queue of such a process are never handled. So it matters which of its
//! events come first, even if their actions do not conflict. A resting process has a cone like an
//! event: that of all events that the process has handled.

use super::bits::{self, Bits};
use super::candidate::Candidate;
use super::classes::Cone;
use super::happens_before::HappensBefore;
use super::plan::{Goal, Planner};
use crate::execution::Execution;
use crate::explore::event_loops::tasks::{NONE, Tasks};
use crate::model::{Machine, Op, ProcessId, Step};

/// A process that rests at the end of an execution.
#[derive(Debug)]
pub(super) struct Rest {
    process: ProcessId,
    /// The handler in which it rests.
    handler: u32,
    /// The events that make it rest: its own, and those of processes that hold the locks it waits for.
    pub(super) needed: Bits,
}

impl Rest {
    /// Finds all processes that rest.
    pub(super) fn all(
        machine: &dyn Machine,
        execution: &Execution,
        tasks: &Tasks,
        graph: &HappensBefore,
    ) -> Vec<Rest> {
        let processes = (0..tasks.current.len()).map(ProcessId::new);
        let resting = processes.filter(|process| {
            let current = &tasks.tasks[tasks.current[process.index()] as usize];
            let last = current.last();
            let is_within = last != NONE && !tasks.events[last as usize].ends;
            current.is_handler && is_within && !machine.is_enabled(*process)
        });
        let rest = |process: ProcessId| Rest {
            process,
            handler: tasks.current[process.index()],
            needed: what_holds(process, machine, execution, tasks, graph),
        };
        resting.map(rest).collect()
    }

    /// Returns the cone of its rest after a part of the execution: of the events it has handled there.
    pub(super) fn cone(&self, graph: &HappensBefore, tasks: &Tasks, part: &Bits) -> Cone {
        let start = Cone::new((1 << 126) | self.process.index() as u128);
        let lasts = tasks.called(self.process).filter_map(|task| {
            let events = &tasks.tasks[task as usize].events;
            events.iter().rev().find(|event| part.contains(**event))
        });
        lasts.fold(start.then(0), |sum, last| sum.and(graph.cones[*last as usize]))
    }
}

/// Returns the events that make a process wait forever: its own events, those of the process that
/// holds the lock it waits for, and so on. A process that does not wait for a lock counts as waiting
/// forever.
fn what_holds(
    process: ProcessId,
    machine: &dyn Machine,
    execution: &Execution,
    tasks: &Tasks,
    graph: &HappensBefore,
) -> Bits {
    let mut needed = Bits::none(graph.len);
    let mut members = vec![process];
    let mut next = 0;
    while let Some(member) = members.get(next).copied() {
        next += 1;
        let last = tasks.tasks[tasks.current[member.index()] as usize].last();
        if last != NONE {
            bits::join(&mut needed.0, graph.past.row(last));
            needed.insert(last);
        }
        let lock = machine.next(member).filter(|action| action.waits && action.op == Op::Update);
        let Some(cell) = lock.and_then(|lock| execution.cell_of(lock)) else { continue };
        let last = execution.accesses.get(execution.last_access(cell) as usize);
        let mut accesses =
            std::iter::successors(last, |access| execution.accesses.get(access.previous as usize));
        if let Some(holder) = accesses.find(|access| !access.op.is_read()) {
            let holder = tasks.events[holder.event as usize].step.process;
            if !members.contains(&holder) {
                members.push(holder);
            }
        }
    }
    needed
}

impl Planner<'_> {
    /// Kind 3: handles an event that is left in the queue before the handler in which a process rests.
    pub(super) fn handle_left_events(&mut self, rest: &Rest) {
        let current = &self.tasks.tasks[rest.handler as usize];
        for (task, state) in self.tasks.tasks.iter().enumerate() {
            let is_left = state.is_handler
                && state.post != NONE
                && state.events.is_empty()
                && state.queue == current.queue;
            if is_left {
                let step = Step::of(rest.process);
                let candidate = Candidate::beginning(self.graph, self.tasks, step, task as u32);
                let mut part = Bits::all(self.graph.len);
                self.graph.cut(&mut part, current.begin());
                self.refine(&Goal::step(candidate), part);
            }
        }
    }

    /// Kind 4: leaves an event in the queue that a process has handled before it came to rest.
    pub(super) fn leave_handled_events(&mut self, rest: &Rest) {
        for other in self.tasks.called(rest.process).filter(|other| *other != rest.handler) {
            let begin = self.tasks.tasks[other as usize].begin();
            if !rest.needed.contains(begin) {
                let mut part = Bits::all(self.graph.len);
                self.graph.cut(&mut part, begin);
                self.refine(&Goal { needed: rest.needed.clone(), candidate: None }, part);
            }
        }
    }
}

//! Happens-before: Definition 3.1, by the clocks of section 4.
//!
//! The conditions of the definition, for a new event `e`:
//!
//! 1. An earlier event that `e` is dependent on happens before it. These are the earlier events of its
//!    task, the post of its handler, the events that [`History::find_dependent`] finds, and events along
//!    edges between processes.
//! 2. FIFO: if `e` begins a handler, the end of another handler happens before it if the post of that one
//!    happens before its own post.
//! 3. If `e` is a post, the last post that it has been reordered with happens before it (`after` of
//!    [`History::push`]).
//! 4. The relation is transitive: clocks are joined.
//!
//! The component of a handler in a clock is at least 1 once its event has been posted. So a component
//! that is not 0 in the clock of a post says that the other handler's post happens before it.

use super::locks::Locks;
use super::queues::Queue;
use super::rows::Rows;
use crate::execution::cells::{CellId, NO_EVENT};
use crate::execution::{Access, Execution};
use crate::explore::event_loops::tasks::{NONE, Task, Tasks};
use crate::model::{Machine, ProcessId, dependence};

/// The number of a handler's first event: its post counts as number 1.
const FIRST_OF_HANDLER: u32 = 2;

/// An event with its clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockedEvent {
    pub(super) process: ProcessId,
    pub(super) task: u32,
    /// The number of the event in its task, which its clock's own component has.
    pub(super) number: u32,
    /// The clock.
    pub(super) row: u32,
    /// The start of its direct predecessors in [`History::predecessors`].
    predecessors: u32,
    /// The start of its changes in [`History::changes`].
    changes: u32,
}

/// The current execution with its happens-before relation, kept like a stack.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) tasks: Tasks,
    pub(super) events: Vec<ClockedEvent>,
    pub(super) locks: Locks,
    /// For each cell the queue in it.
    pub(super) queues: Vec<Queue>,
    /// For each process the queue that it handles events from.
    pub(super) loops_on: Vec<Option<CellId>>,
    pub(super) rows: Rows,
    /// For each task the clock of what happens before its next event, or [`NONE`].
    pasts: Vec<u32>,
    /// The direct predecessors of all events, those of their own tasks left out.
    predecessors: Vec<u32>,
    /// Tasks whose past has changed, each with its past before that.
    changes: Vec<(u32, u32)>,
}

impl History {
    pub(super) fn task(&self, task: u32) -> &Task {
        &self.tasks.tasks[task as usize]
    }

    /// Returns the clock of what happens before the next event of a task, or [`NONE`].
    pub(super) fn past(&self, task: u32) -> u32 {
        self.pasts.get(task as usize).copied().unwrap_or(NONE)
    }

    /// Returns the number of a task's first event.
    fn first_number(&self, task: u32) -> u32 {
        if self.task(task).is_handler { FIRST_OF_HANDLER } else { 1 }
    }

    /// `i →_w k` for two events.
    #[inline]
    pub(super) fn happens_before(&self, i: u32, k: u32) -> bool {
        self.is_in(i, self.events[k as usize].row)
    }

    /// Returns whether an event is in a clock, which may be [`NONE`].
    #[inline]
    pub(super) fn is_in(&self, i: u32, row: u32) -> bool {
        let event = &self.events[i as usize];
        row != NONE && self.rows.component(row, event.task) >= event.number
    }

    /// Returns the last event of a task that is in a clock, or [`NONE`].
    #[inline]
    pub(super) fn last_in(&self, task: u32, clock: &[u32]) -> u32 {
        match clock[task as usize].checked_sub(self.first_number(task)) {
            Some(rank) => self.task(task).events.get(rank as usize).copied().unwrap_or(NONE),
            None => NONE,
        }
    }

    /// Returns whether the last event happens after the beginning of a handler that the event before it
    /// in its task does not happen after.
    pub(super) fn learns_of_handler(&self) -> bool {
        let Some(event) = self.events.last() else { return false };
        let known = match self.task(event.task).events[..] {
            [.., previous, _] => self.events[previous as usize].row,
            _ => NONE,
        };
        let has_begun = |row: u32, task: u32| self.rows.component(row, task) >= FIRST_OF_HANDLER;
        (0..self.tasks.tasks.len() as u32).any(|task| {
            self.task(task).is_handler
                && task != event.task
                && has_begun(event.row, task)
                && (known == NONE || !has_begun(known, task))
        })
    }

    /// Adds the last event of the execution. `after` is the post that it happens after by rule 3.
    pub(super) fn push(
        &mut self,
        machine: &dyn Machine,
        execution: &Execution,
        after: Option<u32>,
    ) {
        let index = execution.len() - 1;
        let process = execution.event(index).step.process;
        self.tasks.admit(machine.processes());
        let was_idle = self.tasks.is_idle(process);
        for access in execution.accesses_of(index).iter().filter(|access| access.takes_lock()) {
            self.locks.note(access.cell, access.merely_locks, index);
        }
        self.tasks.push(machine, execution);
        self.rows.widen(self.tasks.tasks.len());
        self.pasts.resize(self.tasks.tasks.len(), NONE);
        self.loops_on.resize(machine.processes().max(self.loops_on.len()), None);
        let event = self.tasks.events[index];
        if event.begins {
            self.loops_on[process.index()] = Some(event.queue);
        }

        let (changes, predecessors) = (self.changes.len() as u32, self.predecessors.len() as u32);
        self.find_predecessors(execution, index, was_idle, after);
        let row = self.rows.push(self.past(event.task));
        for i in predecessors as usize..self.predecessors.len() {
            let from = self.events[self.predecessors[i] as usize].row;
            self.rows.join(row, from);
        }
        let number = self.first_number(event.task) + event.number;
        self.rows.set(row, event.task, number);
        if event.posts != NONE {
            self.rows.set(row, event.posts, 1);
            self.queue_mut(event.queue).posts.push(index as u32);
        }
        if event.begins {
            self.queue_mut(event.queue).calls.push(index as u32);
        }
        self.set_past(event.task, row);
        let task = event.task;
        self.events.push(ClockedEvent { process, task, number, row, predecessors, changes });
        for edge in execution.last_edges() {
            let from = self.past(self.tasks.current[edge.from.index()]);
            let to = self.tasks.current[edge.to.index()];
            if from != NONE {
                let row = self.rows.push(self.past(to));
                self.rows.join(row, from);
                self.set_past(to, row);
            }
        }
    }

    fn set_past(&mut self, task: u32, past: u32) {
        self.changes.push((task, self.pasts[task as usize]));
        self.pasts[task as usize] = past;
    }

    /// Collects the direct predecessors of the new event at `index`, those of its own task left out.
    fn find_predecessors(
        &mut self,
        execution: &Execution,
        index: usize,
        was_idle: bool,
        after: Option<u32>,
    ) {
        let mut found = std::mem::take(&mut self.predecessors);
        let event = self.tasks.events[index];
        let process = event.step.process;
        let calls = |queue: CellId| &self.queues[queue.0 as usize].calls;
        let end_of_call = |call: &u32| self.task(self.events[*call as usize].task).last();
        if event.begins {
            // The post, the beginning of the loop, and by FIFO the ends of other handlers.
            let post = self.task(event.task).post;
            let own = self.task(self.tasks.own(process)).last();
            found.extend([post, own].into_iter().filter(|event| *event != NONE));
            let known = self.rows.get(self.events[post as usize].row);
            let queue = self.tasks.events[post as usize].queue;
            let is_posted_before =
                |call: &&u32| known[self.events[**call as usize].task as usize] > 0;
            found.extend(calls(queue).iter().filter(is_posted_before).map(end_of_call));
        } else if was_idle && let Some(queue) = self.loops_on[process.index()] {
            // The process continues with its own code after all of its handlers.
            found.extend(calls(queue).iter().map(end_of_call));
        }
        found.extend(after);
        for access in execution.accesses_of(index) {
            self.find_dependent(execution, access, process, &mut found);
        }
        self.predecessors = found;
    }

    /// Collects the earlier events that an access depends on, latest first, up to one that all earlier
    /// ones happen before.
    fn find_dependent(
        &self,
        execution: &Execution,
        new: &Access,
        process: ProcessId,
        found: &mut Vec<u32>,
    ) {
        if self.locks.is_mere(new.cell) {
            self.find_contending(execution, new, process, found);
            return;
        }
        let only_writes = new.op.is_read();
        let mut next = if only_writes { new.previous_write } else { new.previous };
        while next != NO_EVENT {
            let access = &execution.accesses[next as usize];
            next = if only_writes { access.previous_write } else { access.previous };
            if access.event != new.event && dependence::depend_in_tasks(access.op, new.op) {
                found.push(access.event);
                if dependence::is_barrier(access.op) {
                    break;
                }
            }
        }
    }

    /// Collects the earlier operations of other processes on a lock that merely locks. Handlers of one
    /// process do not contend for it, so their operations are not ordered. Therefore the search
    /// continues until it has found barriers of two processes.
    fn find_contending(
        &self,
        execution: &Execution,
        new: &Access,
        process: ProcessId,
        found: &mut Vec<u32>,
    ) {
        let mut seen = None;
        let mut next = new.previous;
        while next != NO_EVENT {
            let access = &execution.accesses[next as usize];
            next = access.previous;
            let owner = execution.event(access.event as usize).step.process;
            if owner == process || !dependence::dependent(access.op, new.op) {
                continue;
            }
            found.push(access.event);
            if dependence::is_barrier(access.op) {
                match seen {
                    Some(other) if other != owner => break,
                    _ => seen = Some(owner),
                }
            }
        }
    }

    /// Returns the direct predecessors of an event, those of its own task left out.
    pub(super) fn predecessors_of(&self, event: usize) -> &[u32] {
        let end =
            self.events.get(event + 1).map_or(self.predecessors.len() as u32, |e| e.predecessors);
        &self.predecessors[self.events[event].predecessors as usize..end as usize]
    }

    /// Returns the task of the last event, which is at `event`, and the past of that task before it.
    pub(super) fn task_and_past_of(&self, event: usize) -> (u32, u32) {
        let event = &self.events[event];
        let mut changes = self.changes[event.changes as usize..].iter();
        let past = changes.find(|(task, _)| *task == event.task).map_or(NONE, |(_, past)| *past);
        (event.task, past)
    }

    /// Removes all events but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        self.locks.truncate(len);
        while self.events.len() > len {
            let Some(event) = self.events.pop() else { return };
            for (task, past) in self.changes.drain(event.changes as usize..).rev() {
                self.pasts[task as usize] = past;
            }
            let in_task = self.tasks.events[self.events.len()];
            if in_task.posts != NONE {
                self.queue_mut(in_task.queue).posts.pop();
            }
            if in_task.begins {
                self.queue_mut(in_task.queue).calls.pop();
            }
            self.predecessors.truncate(event.predecessors as usize);
            self.rows.free_from(event.row);
        }
        self.tasks.truncate(len);
    }
}

//! The tasks of an execution, which both explorers for event loops reason about.
//!
//! A *task* is the own code of a process, or the handler of one event (the paper's "task" and "event
//! handler"). Every event of an execution belongs to exactly one task. [`Tasks`] is kept like a stack:
//! it grows with the execution and is truncated when the search backtracks.

use crate::execution::Execution;
use crate::execution::cells::CellId;
use crate::model::{Machine, Op, ProcessId, Step};

/// No event and no task.
pub(super) const NONE: u32 = u32::MAX;

/// No queue.
const NO_QUEUE: CellId = CellId(NONE);

/// What an event of the execution means to its task.
#[derive(Clone, Copy, Debug)]
pub(super) struct TaskEvent {
    pub(super) step: Step,
    pub(super) alternatives: u32,
    pub(super) task: u32,
    /// The rank of the event in its task, from 0.
    pub(super) number: u32,
    /// The task that the event posts, or [`NONE`].
    pub(super) posts: u32,
    /// Whether the event begins a handler, by taking it from its queue.
    pub(super) begins: bool,
    /// The queue that the event posts to or takes from.
    pub(super) queue: CellId,
    /// Whether the event is the last of its task, so that the process returns to its loop.
    pub(super) ends: bool,
    /// The task that the process was in before the event.
    current_before: u32,
}

/// A task, and its events in the current execution.
#[derive(Debug)]
pub(super) struct Task {
    /// The process that runs the task; unknown for a handler that has not begun in any execution.
    pub(super) process: Option<ProcessId>,
    /// A name that is the same in every execution.
    pub(super) name: u64,
    /// The events of the task, as positions in the execution.
    pub(super) events: Vec<u32>,
    /// The event that posts the task, or [`NONE`].
    pub(super) post: u32,
    pub(super) is_handler: bool,
    /// The queue that a handler goes through.
    pub(super) queue: CellId,
}

impl Task {
    /// Returns the position of the first event, or [`NONE`].
    pub(super) fn begin(&self) -> u32 {
        self.events.first().copied().unwrap_or(NONE)
    }

    /// Returns the position of the last event so far, or [`NONE`].
    pub(super) fn last(&self) -> u32 {
        self.events.last().copied().unwrap_or(NONE)
    }
}

/// All tasks that any execution has had, with their events in the current one.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    pub(super) tasks: Vec<Task>,
    pub(super) events: Vec<TaskEvent>,
    /// For each process the task of its own code.
    own: Vec<u32>,
    /// For each process the task that it is in. A process that has returned to its loop counts as being
    /// in its last handler until it begins the next one.
    pub(super) current: Vec<u32>,
    /// For each message the task that handles it, or [`NONE`].
    handlers: Vec<u32>,
}

impl Tasks {
    /// Adds the own tasks of processes that are new.
    pub(super) fn admit(&mut self, processes: usize) {
        while self.own.len() < processes {
            let index = self.own.len();
            let task = self.add(Some(ProcessId::new(index)), index as u64 * 2, NO_QUEUE);
            self.own.push(task);
            self.current.push(task);
        }
    }

    fn add(&mut self, process: Option<ProcessId>, name: u64, queue: CellId) -> u32 {
        let (events, post, is_handler) = (Vec::new(), NONE, queue != NO_QUEUE);
        self.tasks.push(Task { process, name, events, post, is_handler, queue });
        self.tasks.len() as u32 - 1
    }

    /// Returns the task that handles a message.
    pub(super) fn handler(&mut self, message: u32, queue: CellId) -> u32 {
        let index = message as usize;
        if self.handlers.len() <= index {
            self.handlers.resize(index + 1, NONE);
        }
        if self.handlers[index] == NONE {
            self.handlers[index] = self.add(None, u64::from(message) * 2 + 1, queue);
        }
        self.handlers[index]
    }

    /// Returns the task of a process's own code.
    pub(super) fn own(&self, process: ProcessId) -> u32 {
        self.own[process.index()]
    }

    /// Returns whether a process is in a handler, or has returned to its loop from one.
    pub(super) fn is_in_handler(&self, process: ProcessId) -> bool {
        self.current[process.index()] != self.own[process.index()]
    }

    /// Returns whether a process has ended its last task and is in its loop.
    pub(super) fn is_idle(&self, process: ProcessId) -> bool {
        let current = self.current[process.index()];
        let last = self.tasks[current as usize].events.last();
        last.is_some_and(|last| self.events[*last as usize].ends)
    }

    /// Adds the last event of the execution.
    pub(super) fn push(&mut self, machine: &dyn Machine, execution: &Execution) {
        self.admit(machine.processes());
        let index = execution.len() - 1;
        let event = execution.event(index);
        let process = event.step.process;
        let current_before = self.current[process.index()];
        let was_idle = self.is_idle(process);
        let (mut posts, mut begins, mut queue) = (NONE, false, NO_QUEUE);
        for access in execution.accesses_of(index) {
            match access.op {
                Op::Post { message } => {
                    posts = self.handler(message, access.cell);
                    queue = access.cell;
                }
                Op::Dequeue { message } => {
                    let task = self.handler(message, access.cell);
                    self.tasks[task as usize].process = Some(process);
                    self.current[process.index()] = task;
                    (begins, queue) = (true, access.cell);
                }
                _ => {}
            }
        }
        if was_idle && !begins {
            // The process has left its loop and continues with its own code.
            self.current[process.index()] = self.own[process.index()];
        }
        let task = self.current[process.index()];
        if posts != NONE {
            self.tasks[posts as usize].post = index as u32;
        }
        let next = machine.next(process);
        let ends = next.is_some_and(|action| matches!(action.op, Op::Dequeue { .. }));
        let number = self.tasks[task as usize].events.len() as u32;
        self.tasks[task as usize].events.push(index as u32);
        self.events.push(TaskEvent {
            step: event.step,
            alternatives: event.alternatives,
            task,
            number,
            posts,
            begins,
            queue,
            ends,
            current_before,
        });
    }

    /// Removes all events but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.events.len() > len {
            let Some(event) = self.events.pop() else { return };
            self.tasks[event.task as usize].events.pop();
            if event.posts != NONE {
                self.tasks[event.posts as usize].post = NONE;
            }
            self.current[event.step.process.index()] = event.current_before;
        }
    }

    /// Returns the handlers that a process has begun, in the order in which they became known.
    pub(super) fn called(&self, process: ProcessId) -> impl Iterator<Item = u32> + '_ {
        let begun = self.tasks.iter().enumerate().filter(move |(_, task)| {
            task.is_handler && task.process == Some(process) && !task.events.is_empty()
        });
        begun.map(|(task, _)| task as u32)
    }
}

//! The tasks of the current execution: the own code of each process, and the handlers of events.

use crate::execution::Execution;
use crate::execution::cells::CellId;
use crate::model::{Machine, Op, ProcessId, Step};

/// No event or task.
pub(crate) const NONE: u32 = u32::MAX;

/// No queue.
const NOWHERE: CellId = CellId(NONE);

/// One event of the current execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaskEvent {
    pub(crate) step: Step,
    pub(crate) alternatives: u32,
    pub(crate) task: u32,
    /// Its rank in its task.
    pub(crate) number: u32,
    /// The task that it posts, or [`NONE`].
    pub(crate) posts: u32,
    /// Whether it begins a handler.
    pub(crate) begins: bool,
    /// Whether its task has ended with it, so that its process is idle.
    pub(crate) ends: bool,
    /// What its process was in before.
    current_before: u32,
}

#[derive(Debug)]
pub(crate) struct Task {
    /// Who runs it. For a handler that has never begun, this is not known.
    pub(crate) process: Option<ProcessId>,
    /// A name that is the same in every execution.
    pub(crate) name: u64,
    /// Its events in the current execution.
    pub(crate) events: Vec<u32>,
    /// The event that posted it, or [`NONE`].
    pub(crate) post: u32,
    pub(crate) is_handler: bool,
    /// The queue that it goes through, if it is a handler.
    pub(crate) queue: CellId,
}

impl Task {
    /// Its first event, or [`NONE`].
    pub(crate) fn begin(&self) -> u32 {
        self.events.first().copied().unwrap_or(NONE)
    }

    /// Its last event so far, or [`NONE`].
    pub(crate) fn last(&self) -> u32 {
        self.events.last().copied().unwrap_or(NONE)
    }
}

/// That everything up to an event happens before what a process does later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// The event that brought it about.
    pub(crate) at: u32,
    pub(crate) from: u32,
    pub(crate) to: ProcessId,
}

impl Link {
    /// Whether it came about at the event `since` or later, and before `until`.
    pub(crate) fn is_between(&self, since: u32, until: u32) -> bool {
        (since..until).contains(&self.at)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Tasks {
    pub(crate) tasks: Vec<Task>,
    pub(crate) events: Vec<TaskEvent>,
    pub(crate) links: Vec<Link>,
    own: Vec<u32>,
    pub(crate) current: Vec<u32>,
    handlers: Vec<u32>,
    /// Whether a process was ever let go on by another one while it was in a handler.
    pub(crate) has_released_a_handler: bool,
}

impl Tasks {
    pub(crate) fn admit(&mut self, processes: usize) {
        while self.own.len() < processes {
            let process = ProcessId::new(self.own.len());
            let name = self.own.len() as u64 * 2;
            self.own.push(self.tasks.len() as u32);
            self.current.push(self.tasks.len() as u32);
            let (events, post) = (Vec::new(), NONE);
            let process = Some(process);
            self.tasks.push(Task {
                process,
                name,
                events,
                post,
                is_handler: false,
                queue: NOWHERE,
            });
        }
    }

    fn handler(&mut self, message: u32, queue: CellId) -> u32 {
        let place = message as usize;
        if self.handlers.len() <= place {
            self.handlers.resize(place + 1, NONE);
        }
        if self.handlers[place] == NONE {
            self.handlers[place] = self.tasks.len() as u32;
            let (events, post, name) = (Vec::new(), NONE, u64::from(message) * 2 + 1);
            self.tasks.push(Task { process: None, name, events, post, is_handler: true, queue });
        }
        self.handlers[place]
    }

    /// The task of a process's own code.
    pub(crate) fn own(&self, process: ProcessId) -> u32 {
        self.own[process.index()]
    }

    /// Adds the last event of the execution.
    pub(crate) fn push<M: Machine>(&mut self, machine: &M, execution: &Execution) {
        self.admit(machine.processes());
        let index = execution.len() - 1;
        let event = execution.event(index);
        let process = event.step.process;
        let current_before = self.current[process.index()];
        let (mut posts, mut begins) = (NONE, false);
        for access in execution.accesses_of(index) {
            match access.op {
                Op::Post { message } => posts = self.handler(message, access.cell),
                Op::Dequeue { message } => {
                    let task = self.handler(message, access.cell);
                    self.tasks[task as usize].process = Some(process);
                    self.current[process.index()] = task;
                    begins = true;
                }
                _ => {}
            }
        }
        let last = self.tasks[current_before as usize].events.last();
        if !begins && last.is_some_and(|last| self.events[*last as usize].ends) {
            // Behind its handlers it goes on with its own code.
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
            ends,
            current_before,
        });
        for edge in execution.last_edges() {
            let waiting = self.current.get(edge.to.index());
            self.has_released_a_handler |=
                waiting.is_some_and(|current| self.tasks[*current as usize].is_handler);
            let is_over = machine.next(edge.from).is_none() && !machine.is_enabled(edge.from);
            self.link(index as u32, edge.from, edge.to, is_over);
        }
    }

    /// Notes that all that one process has done up to the event `at` happens before what another
    /// one does later; if it is over, that is all of its tasks, and else the one that it is in.
    fn link(&mut self, at: u32, from: ProcessId, to: ProcessId, is_over: bool) {
        let current = self.current[from.index()] as usize;
        for (number, task) in self.tasks.iter().enumerate() {
            let counts = number == current || is_over;
            if counts && task.process == Some(from) && task.last() != NONE {
                self.links.push(Link { at, from: task.last(), to });
            }
        }
        // What was passed on to it since, it passes on.
        let last = self.events.iter().rposition(|event| event.step.process == from);
        for i in 0..self.links.len() {
            let link = self.links[i];
            if link.to == from && link.is_between(last.unwrap_or(0) as u32, at + 1) {
                self.links.push(Link { at, from: link.from, to });
            }
        }
    }

    /// Forgets all events but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.events.len() > len {
            let Some(event) = self.events.pop() else { return };
            self.tasks[event.task as usize].events.pop();
            if event.posts != NONE {
                self.tasks[event.posts as usize].post = NONE;
            }
            self.current[event.step.process.index()] = event.current_before;
        }
        while self.links.last().is_some_and(|link| link.at as usize >= len) {
            self.links.pop();
        }
    }

    /// The handlers that a process has begun, in this order.
    pub(crate) fn called(&self, process: ProcessId) -> impl Iterator<Item = u32> + '_ {
        let begun = self.tasks.iter().enumerate().filter(move |(_, task)| {
            task.is_handler && task.process == Some(process) && !task.events.is_empty()
        });
        begun.map(|(task, _)| task as u32)
    }
}

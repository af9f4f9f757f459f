//! The current execution as a set of tasks: which events belong to which, and how they happen
//! before each other (Definition 3.1, with the clocks of section 4).
//!
//! A *task* is the own code of a process, or the handler of an event. A clock has a component for
//! each task; that of a handler is at least 1 once the event has been posted, so that a component
//! that is not 0 tells a handler that the post of another event happens before its own.

use crate::execution::cells::{CellId, NOBODY};
use crate::execution::{Access, Execution};
use crate::model::{Machine, Op, ProcessId, dependence};

/// No task, event, row or message.
pub(super) const NONE: u32 = u32::MAX;

/// The number of a handler's first event: that of its post is 1.
const FIRST_OF_HANDLER: u32 = 2;

/// A task, and how far it has come in the current execution.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) process: ProcessId,
    /// All that happens before its next event, as a row; or [`NONE`] for nothing at all.
    pub(super) past: u32,
    /// Its events, as positions in the execution.
    pub(super) events: Vec<u32>,
    /// The number of its first event: handlers have been posted before.
    first_number: u32,
    /// The event that posted it, or [`NONE`].
    pub(super) post: u32,
}

impl Task {
    /// The position of its first event, or [`NONE`].
    pub(super) fn begin(&self) -> u32 {
        self.events.first().copied().unwrap_or(NONE)
    }

    /// The position of its last event so far, or [`NONE`].
    pub(super) fn end(&self) -> u32 {
        self.events.last().copied().unwrap_or(NONE)
    }
}

/// What of an event matters to tasks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub(super) process: ProcessId,
    pub(super) task: u32,
    /// Its number among those of its task.
    pub(super) number: u32,
    /// Its clock.
    pub(super) row: u32,
    /// Whether its task has ended with it.
    pub(super) ends: bool,
    /// The task that it posts, or [`NONE`].
    pub(super) posts: u32,
    /// The queue that it posts to, or dequeues from.
    pub(super) queue: CellId,
    dequeues: bool,
    /// Where the events start that directly happen before it.
    predecessors: u32,
    /// Where the changes start that it brought about.
    changes: u32,
    /// What its process was doing before.
    current_before: u32,
}

/// One queue: who posted, and who began to handle.
#[derive(Default, Debug)]
pub(super) struct Queue {
    pub(super) posts: Vec<u32>,
    pub(super) calls: Vec<u32>,
}

#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) tasks: Vec<Task>,
    pub(super) events: Vec<Occurrence>,
    /// For each process the task of its own code.
    own: Vec<u32>,
    /// For each process what it is doing.
    current: Vec<u32>,
    /// For each message its handler.
    handlers: Vec<u32>,
    pub(super) queues: Vec<Queue>,
    /// For each process the queue that it handles events from.
    queue_of: Vec<Option<CellId>>,
    /// For each cell since how many events it has been known to be a lock, or [`NONE`]. In another
    /// execution the same cell may be something else.
    locks: Vec<u32>,
    /// For each cell that is a lock whether it is nothing else.
    mere_locks: Vec<bool>,
    known_locks: Vec<CellId>,
    rows: Vec<u32>,
    stride: usize,
    predecessors: Vec<u32>,
    /// Tasks that were given another past, and which they had.
    changes: Vec<(u32, u32)>,
}

impl History {
    pub(super) fn row(&self, row: u32) -> &[u32] {
        let start = row as usize * self.stride;
        &self.rows[start..start + self.stride]
    }

    fn row_count(&self) -> u32 {
        self.rows.len().checked_div(self.stride).unwrap_or(0) as u32
    }

    fn new_row(&mut self, from: u32) -> u32 {
        let row = self.row_count();
        if from == NONE {
            self.rows.resize(self.rows.len() + self.stride, 0);
        } else {
            let start = from as usize * self.stride;
            self.rows.extend_from_within(start..start + self.stride);
        }
        row
    }

    #[inline]
    fn join(&mut self, into: u32, from: u32) {
        let stride = self.stride;
        let (into, from) = (into as usize * stride, from as usize * stride);
        debug_assert!(from < into);
        let (before, after) = self.rows.split_at_mut(into);
        for (a, b) in after[..stride].iter_mut().zip(&before[from..from + stride]) {
            *a = (*a).max(*b);
        }
    }

    fn add_task(&mut self, process: ProcessId, first_number: u32) -> u32 {
        let task = self.tasks.len() as u32;
        let (post, events) = (NONE, Vec::new());
        self.tasks.push(Task { process, past: NONE, events, first_number, post });
        if self.tasks.len() > self.stride {
            let stride = (self.tasks.len() + 8).next_multiple_of(8);
            let rows = std::mem::take(&mut self.rows);
            for row in rows.chunks(self.stride.max(1)) {
                self.rows.extend_from_slice(row);
                self.rows.resize(self.rows.len() + stride - self.stride, 0);
            }
            self.stride = stride;
        }
        task
    }

    pub(super) fn handler(&mut self, message: u32, process: ProcessId) -> u32 {
        let message = message as usize;
        if self.handlers.len() <= message {
            self.handlers.resize(message + 1, NONE);
        }
        if self.handlers[message] == NONE {
            self.handlers[message] = self.add_task(process, FIRST_OF_HANDLER);
        }
        self.handlers[message]
    }

    pub(super) fn admit(&mut self, processes: usize) {
        while self.own.len() < processes {
            let task = self.add_task(ProcessId::new(self.own.len()), 1);
            self.own.push(task);
            self.current.push(task);
            self.queue_of.push(None);
        }
    }

    /// Whether a cell is a lock: processes wait to have it alone.
    pub(super) fn is_lock(&self, cell: CellId) -> bool {
        self.locks.get(cell.0 as usize).is_some_and(|since| *since != NONE)
    }

    /// Whether a cell is a lock that keeps nothing: then handlers of one process do not contend
    /// for it.
    pub(super) fn is_mere_lock(&self, cell: CellId) -> bool {
        self.is_lock(cell) && self.mere_locks[cell.0 as usize]
    }

    pub(super) fn note_lock(&mut self, cell: CellId, is_mere: bool) {
        let place = cell.0 as usize;
        if self.locks.len() <= place {
            self.locks.resize(place + 1, NONE);
            self.mere_locks.resize(place + 1, false);
        }
        self.mere_locks[place] = is_mere;
        if self.locks[place] == NONE {
            self.locks[place] = self.events.len() as u32;
            self.known_locks.push(cell);
        }
    }

    pub(super) fn queue(&mut self, cell: CellId) -> &mut Queue {
        let cell = cell.0 as usize;
        if self.queues.len() <= cell {
            self.queues.resize_with(cell + 1, Queue::default);
        }
        &mut self.queues[cell]
    }

    /// Whether a process is in a handler.
    pub(super) fn is_in_handler(&self, process: ProcessId) -> bool {
        self.current[process.index()] != self.own[process.index()]
    }

    /// Whether some handler has begun.
    pub(super) fn has_begun_a_handler(&self) -> bool {
        self.queues.iter().any(|queue| !queue.calls.is_empty())
    }

    /// Whether the last event happens after the beginning of a handler that nothing before in its
    /// task happens after.
    pub(super) fn learns_of_handler(&self) -> bool {
        let Some(event) = self.events.last() else { return false };
        let known = match self.tasks[event.task as usize].events[..] {
            [.., previous, _] => self.events[previous as usize].row,
            _ => NONE,
        };
        let now = self.row(event.row);
        self.tasks.iter().enumerate().any(|(number, task)| {
            let is_handler = task.first_number == FIRST_OF_HANDLER;
            let was_known = known != NONE && self.row(known)[number] >= FIRST_OF_HANDLER;
            let is_known = now[number] >= FIRST_OF_HANDLER && number != event.task as usize;
            is_handler && is_known && !was_known
        })
    }

    /// The task that a process is in, or is about to begin.
    pub(super) fn task_of_next(&self, process: ProcessId) -> u32 {
        self.current[process.index()]
    }

    /// `i →_w k` for two events.
    #[inline]
    pub(super) fn happens_before(&self, i: u32, k: u32) -> bool {
        self.is_in(i, self.events[k as usize].row)
    }

    /// Whether an event is in a clock.
    #[inline]
    pub(super) fn is_in(&self, i: u32, row: u32) -> bool {
        let event = &self.events[i as usize];
        row != NONE && self.rows[row as usize * self.stride + event.task as usize] >= event.number
    }

    /// The last event of a task that is in a clock, or [`NONE`].
    #[inline]
    pub(super) fn last_in(&self, task: u32, row: &[u32]) -> u32 {
        let task_state = &self.tasks[task as usize];
        let known = row[task as usize];
        match known.checked_sub(task_state.first_number) {
            Some(place) => task_state.events.get(place as usize).copied().unwrap_or(NONE),
            None => NONE,
        }
    }

    fn set_past(&mut self, task: u32, past: u32) {
        self.changes.push((task, self.tasks[task as usize].past));
        self.tasks[task as usize].past = past;
    }

    /// Adds the last event of the execution; `after` is one more event that it happens after, if
    /// it is a post that has been reordered (rule 3).
    pub(super) fn push<M: Machine>(
        &mut self,
        machine: &M,
        execution: &Execution,
        after: Option<u32>,
    ) {
        self.admit(machine.processes());
        let index = execution.len() - 1;
        let process = execution.event(index).step.process;
        let changes = self.changes.len() as u32;
        let predecessors = self.predecessors.len() as u32;
        let current_before = self.current[process.index()];
        let (mut posts, mut queue, mut dequeues) = (NONE, CellId(NONE), false);
        for access in execution.accesses_of(index) {
            if access.takes_lock() {
                self.note_lock(access.cell, access.merely_locks);
            }
            match access.op {
                Op::Post { message } => {
                    posts = self.handler(message, process);
                    queue = access.cell;
                }
                Op::Dequeue { message } => {
                    let task = self.handler(message, process);
                    self.tasks[task as usize].process = process;
                    self.current[process.index()] = task;
                    self.queue_of[process.index()] = Some(access.cell);
                    (queue, dequeues) = (access.cell, true);
                }
                _ => {}
            }
        }
        let was_idle = self.tasks[current_before as usize].events.last();
        let was_idle = was_idle.is_some_and(|last| self.events[*last as usize].ends);
        if was_idle && !dequeues {
            // Behind its handlers it goes on with its own code.
            self.current[process.index()] = self.own[process.index()];
        }
        let task = self.current[process.index()];
        self.find_predecessors(execution, index, process, (task, dequeues, was_idle), after);

        let past = self.tasks[task as usize].past;
        let row = self.new_row(past);
        for i in predecessors as usize..self.predecessors.len() {
            let from = self.events[self.predecessors[i] as usize].row;
            self.join(row, from);
        }
        let state = &self.tasks[task as usize];
        let number = state.first_number + state.events.len() as u32;
        let start = row as usize * self.stride;
        self.rows[start + task as usize] = number;
        if posts != NONE {
            self.rows[start + posts as usize] = 1;
            self.tasks[posts as usize].post = index as u32;
            self.queue(queue).posts.push(index as u32);
        }
        if dequeues {
            self.queue(queue).calls.push(index as u32);
        }
        let next = machine.next(process);
        let ends = next.is_some_and(|action| matches!(action.op, Op::Dequeue { .. }));
        self.set_past(task, row);
        self.tasks[task as usize].events.push(index as u32);
        self.events.push(Occurrence {
            process,
            task,
            number,
            row,
            ends,
            posts,
            queue,
            dequeues,
            predecessors,
            changes,
            current_before,
        });
        for edge in execution.last_edges() {
            let from = self.tasks[self.current[edge.from.index()] as usize].past;
            let to = self.current[edge.to.index()];
            if from != NONE {
                let row = self.new_row(self.tasks[to as usize].past);
                self.join(row, from);
                self.set_past(to, row);
            }
        }
    }

    /// Collects the events that a new one directly happens after, besides those of its own task.
    fn find_predecessors(
        &mut self,
        execution: &Execution,
        index: usize,
        process: ProcessId,
        (task, dequeues, was_idle): (u32, bool, bool),
        after: Option<u32>,
    ) {
        let mut found = std::mem::take(&mut self.predecessors);
        if dequeues {
            // Its post, the beginning of the loop, and by the FIFO rule the end of every handler
            // whose post happens before its own.
            let post = self.tasks[task as usize].post;
            let own = self.tasks[self.own[process.index()] as usize].end();
            found.extend([post, own].into_iter().filter(|event| *event != NONE));
            let row = self.row(self.events[post as usize].row);
            let queue = &self.queues[self.events[post as usize].queue.0 as usize];
            for call in &queue.calls {
                let handler = self.events[*call as usize].task;
                if row[handler as usize] > 0 {
                    found.push(self.tasks[handler as usize].end());
                }
            }
        } else if was_idle && let Some(queue) = self.queue_of[process.index()] {
            for call in &self.queues[queue.0 as usize].calls {
                let handler = self.events[*call as usize].task;
                found.push(self.tasks[handler as usize].end());
            }
        }
        found.extend(after);
        for access in execution.accesses_of(index) {
            self.find_dependent(execution, access, process, &mut found);
        }
        self.predecessors = found;
    }

    /// Collects the earlier events that an access depends on, latest first, up to those that all
    /// others happen before.
    fn find_dependent(
        &self,
        execution: &Execution,
        new: &Access,
        process: ProcessId,
        found: &mut Vec<u32>,
    ) {
        if self.is_mere_lock(new.cell) {
            // Handlers of one process cannot contend for a lock, so that what they do to it need
            // not happen before each other; but all that others did before happens before it.
            let mut seen = None;
            let mut next = new.previous;
            while next != NOBODY {
                let access = &execution.accesses[next as usize];
                next = access.previous;
                let owner = self.owner(access.event, execution);
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
            return;
        }
        let only_writes = new.op.is_read();
        let mut next = if only_writes { new.previous_write } else { new.previous };
        while next != NOBODY {
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

    fn owner(&self, event: u32, execution: &Execution) -> ProcessId {
        match self.events.get(event as usize) {
            Some(event) => event.process,
            None => execution.event(event as usize).step.process,
        }
    }

    /// The task of the last event, which is the one at `event`, and its past before that event.
    pub(super) fn task_and_past_of(&self, event: usize) -> (u32, u32) {
        let event = &self.events[event];
        let mut changes = self.changes[event.changes as usize..].iter();
        let past = changes.find(|(task, _)| *task == event.task).map_or(NONE, |(_, past)| *past);
        (event.task, past)
    }

    /// Forgets all events but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        self.forget_locks(len);
        while self.events.len() > len {
            let Some(event) = self.events.pop() else { return };
            for (task, past) in self.changes.drain(event.changes as usize..).rev() {
                self.tasks[task as usize].past = past;
            }
            self.tasks[event.task as usize].events.pop();
            if event.posts != NONE {
                self.tasks[event.posts as usize].post = NONE;
                self.queues[event.queue.0 as usize].posts.pop();
            }
            if event.dequeues {
                self.queues[event.queue.0 as usize].calls.pop();
            }
            self.current[event.process.index()] = event.current_before;
            self.predecessors.truncate(event.predecessors as usize);
            self.rows.truncate(event.row as usize * self.stride);
        }
    }

    /// Forgets which cells have been found to be locks since there were `len` events.
    fn forget_locks(&mut self, len: usize) {
        while let Some(cell) = self.known_locks.last()
            && self.locks[cell.0 as usize] as usize > len
        {
            self.locks[cell.0 as usize] = NONE;
            self.known_locks.pop();
        }
    }

    /// The events that an event directly happens after, besides those of its own task.
    pub(super) fn predecessors_of(&self, event: usize) -> &[u32] {
        let end =
            self.events.get(event + 1).map_or(self.predecessors.len() as u32, |e| e.predecessors);
        &self.predecessors[self.events[event].predecessors as usize..end as usize]
    }

    /// `executable(s, t)` before the event `at`: the handler that the process of a task is in, or
    /// that it would begin; [`NONE`] if it is in its own code or has no event.
    pub(super) fn executable(&self, process: ProcessId, at: u32) -> u32 {
        let Some(queue) = self.queue_of[process.index()] else { return NONE };
        let own = &self.tasks[self.own[process.index()] as usize];
        // Without code of its own it has been in its loop from the start.
        let loops = own.events.is_empty()
            || own.events.iter().any(|e| *e < at && self.events[*e as usize].ends);
        if !loops {
            return NONE;
        }
        let queue = &self.queues[queue.0 as usize];
        let called = queue.calls.partition_point(|call| *call < at);
        if let Some(last) = called.checked_sub(1) {
            let handler = self.events[queue.calls[last] as usize].task;
            let end = self.tasks[handler as usize].end();
            if end >= at || !self.events[end as usize].ends {
                return handler;
            }
        }
        match queue.posts.get(called) {
            Some(post) if *post < at => self.events[*post as usize].posts,
            _ => NONE,
        }
    }

    /// Whether the event of a handler is in its queue before the event `at`, but cannot be handled
    /// next (`blockedEv`).
    pub(super) fn is_blocked(&self, task: u32, at: u32) -> bool {
        let state = &self.tasks[task as usize];
        state.post != NONE
            && state.post < at
            && (state.events.is_empty() || state.begin() >= at)
            && self.executable(state.process, at) != task
    }
}

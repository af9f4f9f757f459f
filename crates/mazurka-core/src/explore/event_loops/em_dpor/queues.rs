//! Event queues: which handler a process can run, and which events are stuck.

use super::history::History;
use crate::execution::cells::CellId;
use crate::explore::event_loops::tasks::NONE;
use crate::model::ProcessId;

/// One queue, as the events that post to it and those that take from it.
#[derive(Default, Debug)]
pub(super) struct Queue {
    pub(super) posts: Vec<u32>,
    pub(super) calls: Vec<u32>,
}

impl History {
    /// Returns the queue in a cell, which may be a new one.
    pub(super) fn queue_mut(&mut self, cell: CellId) -> &mut Queue {
        let cell = cell.0 as usize;
        if self.queues.len() <= cell {
            self.queues.resize_with(cell + 1, Queue::default);
        }
        &mut self.queues[cell]
    }

    /// Returns the queue that an event posts to or takes from.
    pub(super) fn queue_of_event(&self, event: u32) -> &Queue {
        &self.queues[self.tasks.events[event as usize].queue.0 as usize]
    }

    /// Returns whether some handler has begun.
    pub(super) fn has_begun_a_handler(&self) -> bool {
        self.queues.iter().any(|queue| !queue.calls.is_empty())
    }

    /// `executable(s, t)` of the paper, for the state `s` before the event `at`: the handler that a
    /// process is in, or that it would begin next. Returns [`NONE`] if the process is in its own code or
    /// has no event to handle.
    pub(super) fn executable(&self, process: ProcessId, at: u32) -> u32 {
        let Some(queue) = self.loops_on[process.index()] else { return NONE };
        let own = self.task(self.tasks.own(process));
        let ends = |event: u32| self.tasks.events[event as usize].ends;
        // A process without code of its own is in its loop from the start.
        let is_in_loop = own.events.is_empty() || own.events.iter().any(|e| *e < at && ends(*e));
        if !is_in_loop {
            return NONE;
        }
        let queue = &self.queues[queue.0 as usize];
        let called = queue.calls.partition_point(|call| *call < at);
        if let Some(last) = called.checked_sub(1) {
            let handler = self.events[queue.calls[last] as usize].task;
            let end = self.task(handler).last();
            if end >= at || !ends(end) {
                return handler;
            }
        }
        match queue.posts.get(called) {
            Some(post) if *post < at => self.tasks.events[*post as usize].posts,
            _ => NONE,
        }
    }

    /// `blockedEv` of the paper: returns whether the event of a handler is in its queue before the event
    /// `at`, but is not the one that the process can handle next.
    pub(super) fn is_blocked(&self, task: u32, at: u32) -> bool {
        let state = self.task(task);
        let is_queued = state.post != NONE
            && state.post < at
            && (state.events.is_empty() || state.begin() >= at);
        is_queued && state.process.is_none_or(|process| self.executable(process, at) != task)
    }
}

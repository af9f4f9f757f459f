//! Edges between processes: creating a process, joining it, releasing it.
//!
//! An edge orders the past of one process before the future of another. For classes it matters which
//! *events* that past ends with, so an edge becomes one [`Link`] for each such event.

use crate::execution::Execution;
use crate::explore::event_loops::tasks::{NONE, Tasks};
use crate::model::{Machine, ProcessId, has_no_step};

/// An event that happens before whatever a process does later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The event that brings the edge about.
    pub(super) at: u32,
    pub(super) from: u32,
    pub(super) to: ProcessId,
}

impl Link {
    /// Returns whether the edge comes about at the event `since` or later, and before `until`.
    pub(super) fn is_between(&self, since: u32, until: u32) -> bool {
        (since..until).contains(&self.at)
    }
}

/// The links of the current execution.
#[derive(Debug, Default)]
pub(super) struct Links {
    pub(super) links: Vec<Link>,
    /// Whether in any execution an edge has led to a process that was in a handler.
    pub(super) has_released_a_handler: bool,
}

impl Links {
    /// Adds the edges of the last event of the execution, which `tasks` has already.
    pub(super) fn push(&mut self, machine: &dyn Machine, execution: &Execution, tasks: &Tasks) {
        let at = execution.len() as u32 - 1;
        for edge in execution.last_edges() {
            let waiting = tasks.current.get(edge.to.index());
            self.has_released_a_handler |=
                waiting.is_some_and(|current| tasks.tasks[*current as usize].is_handler);
            let is_over = has_no_step(machine, edge.from);
            self.link(tasks, at, (edge.from, edge.to), is_over);
        }
    }

    /// Adds an edge. The past of a process that is over ends with the last events of all of its tasks,
    /// and that of another process with the last event of its current task.
    fn link(&mut self, tasks: &Tasks, at: u32, (from, to): (ProcessId, ProcessId), is_over: bool) {
        let current = tasks.current[from.index()] as usize;
        for (number, task) in tasks.tasks.iter().enumerate() {
            let counts = number == current || is_over;
            if counts && task.process == Some(from) && task.last() != NONE {
                self.links.push(Link { at, from: task.last(), to });
            }
        }
        // Edges to a process since its last event are part of its past.
        let last = tasks.events.iter().rposition(|event| event.step.process == from);
        for i in 0..self.links.len() {
            let link = self.links[i];
            if link.to == from && link.is_between(last.unwrap_or(0) as u32, at + 1) {
                self.links.push(Link { at, from: link.from, to });
            }
        }
    }

    /// Removes the links of all events but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.links.pop_if(|link| link.at as usize >= len).is_some() {}
    }
}

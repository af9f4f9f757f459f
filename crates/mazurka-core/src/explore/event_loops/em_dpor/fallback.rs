//! Programs that are beyond the algorithm, because handlers wait for something else than locks.
//!
//! A handler that waits for a message, say, may wait for another handler that is blocked in a queue. No
//! dependence shows that the event of one of them should have come earlier. So every interleaving is
//! explored from then on.

use super::EmDpor;
use super::sets::ProcessSet;
use crate::execution::{Access, Execution};
use crate::model::{Machine, Op, ProcessId, When};

impl EmDpor {
    /// Explores every interleaving if, at the end of an execution, a handler waits for something else than
    /// a lock, or for a lock whose holder does.
    pub(super) fn look_at_waits(&mut self, machine: &dyn Machine, execution: &Execution) {
        for process in (0..machine.processes()).map(ProcessId::new) {
            if self.history.tasks.is_in_handler(process) {
                self.look_at_wait(machine, execution, process);
            }
        }
    }

    fn look_at_wait(&mut self, machine: &dyn Machine, execution: &Execution, process: ProcessId) {
        let mut seen = ProcessSet::default();
        let mut waiting = process;
        while !seen.contains(waiting) && !machine.is_enabled(waiting) {
            seen.insert(waiting);
            // `took` has dealt with processes that have ended.
            let Some(next) = machine.next(waiting) else { return };
            // An idle loop holds no lock, and a post waits for a queue that is not a handler's.
            if matches!(next.op, Op::Dequeue { .. } | Op::Post { .. }) {
                return;
            }
            let is_lock =
                next.waits && !next.awaits && next.op == Op::Update && next.when == When::Equals(0);
            let Some(cell) = execution.cell_of(next).filter(|_| is_lock) else {
                return self.explore_everything();
            };
            let last = execution.accesses.get(execution.last_access(cell) as usize);
            let mut accesses =
                std::iter::successors(last, |a| execution.accesses.get(a.previous as usize));
            let Some(taken) = accesses.find(|access| !access.op.is_read()) else { return };
            waiting = self.history.events[taken.event as usize].process;
        }
    }

    /// Explores every interleaving if the last step, of a handler or of a process with a lock, waited for
    /// something that a handler brought about.
    pub(super) fn look_at_what_was_awaited(&mut self, execution: &Execution) {
        let event = execution.len() - 1;
        if !execution.accesses_of(event).iter().any(is_wait) || !self.history.learns_of_handler() {
            return;
        }
        let process = execution.event(event).step.process;
        if self.history.tasks.is_in_handler(process) || self.has_lock(execution, process) {
            self.explore_everything();
        }
    }

    /// Explores every interleaving if the last step released a handler, or, after some handler has begun,
    /// a process with a lock.
    pub(super) fn look_at_released(&mut self, execution: &Execution) {
        let matters = execution.last_edges().iter().any(|edge| {
            self.history.tasks.is_in_handler(edge.to)
                || self.history.has_begun_a_handler() && self.has_lock(execution, edge.to)
        });
        if matters {
            self.explore_everything();
        }
    }

    /// Returns whether a process holds a lock.
    fn has_lock(&self, execution: &Execution, process: ProcessId) -> bool {
        let all = 0..execution.len();
        let own = all.filter(|event| execution.event(*event).step.process == process);
        let accesses = own.flat_map(|event| execution.accesses_of(event));
        let of_locks = accesses.filter(|access| self.history.locks.contains(access.cell));
        let held = of_locks.fold(0, |held, access| match access.op {
            Op::Update => held + 1,
            Op::Write => held - 1,
            _ => held,
        });
        held > 0
    }
}

/// Returns whether an access waits for something else than a lock or an event. A post may wait for a
/// queue, but that is not a handler's.
fn is_wait(access: &Access) -> bool {
    let is_event = access.guard || matches!(access.op, Op::Dequeue { .. } | Op::Post { .. });
    access.waits && !access.takes_lock() && !is_event
}

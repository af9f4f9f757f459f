//! Which pairs of transitions to reorder: lines 2 to 14 of Algorithm 5.

use super::EmDpor;
use super::history::{History, NONE};
use super::target::Second;
use crate::explore::cells::{CellId, NOBODY};
use crate::explore::execution::Execution;
use crate::model::{Action, Machine, Op, ProcessId, dependence};

impl EmDpor {
    /// Looks for races of every process's next transition.
    pub(super) fn find_targets<M: Machine>(&mut self, machine: &M, execution: &Execution) {
        for process in (0..machine.processes()).map(ProcessId::new) {
            let Some(next) = machine.next(process) else { continue };
            if !matches!(next.op, Op::Post { .. } | Op::Dequeue { .. }) {
                self.find_targets_of(execution, process, next);
            }
            for guard in machine.guards(process) {
                self.find_targets_of(execution, process, guard);
            }
        }
    }

    fn find_targets_of(&mut self, execution: &Execution, process: ProcessId, next: &Action) {
        let Some(cell) = execution.cell_of(next) else { return };
        if next.waits && next.op == Op::Update {
            self.history.note_lock(cell);
        }
        let mut conflicts = std::mem::take(&mut self.scratch.conflicts);
        conflicts.clear();
        let task = self.history.task_of_next(process);
        let past = self.history.tasks[task as usize].past;
        let pending = Pending { process, task, past, next, cell };
        // Only a write or a lock operation can race with several transitions that do not happen
        // before each other (Appendix C); of others, the last one is enough.
        let has_many = next.op != Op::Read;
        if self.history.is_lock(cell) {
            if next.waits {
                pending.find_locks(&self.history, execution, &mut conflicts);
            }
        } else {
            pending.find_accesses(&self.history, execution, &mut conflicts);
        }
        if let Some((last, others)) = conflicts.split_first() {
            let mut second = Second::Pending { process, task, past, after: NONE };
            self.find_target(execution, *last, second); // line 4
            if has_many {
                second = Second::Pending { process, task, past, after: *last }; // line 6
                for other in others.iter().rev() {
                    if !self.history.happens_before(*other, *last) {
                        self.find_target(execution, *other, second); // line 9
                    }
                }
            }
        }
        self.scratch.conflicts = conflicts;
    }
}

/// A transition that a process is about to take.
struct Pending<'a> {
    process: ProcessId,
    task: u32,
    past: u32,
    next: &'a Action,
    cell: CellId,
}

impl Pending<'_> {
    /// Collects the earlier operations of other processes that took the lock and do not happen
    /// before this task, latest first.
    fn find_locks(&self, history: &History, execution: &Execution, found: &mut Vec<u32>) {
        let mut next = execution.last_access(self.cell);
        while next != NOBODY {
            let access = &execution.accesses[next as usize];
            next = access.previous;
            let owner = history.events[access.event as usize].process;
            let is_race = access.waits && owner != self.process;
            if is_race && !history.is_in(access.event, self.past) {
                found.push(access.event);
            }
        }
    }

    /// Collects the earlier accesses that this one is dependent on and that do not happen before
    /// this task, latest first, down to the last one that all others happen before.
    fn find_accesses(&self, history: &History, execution: &Execution, found: &mut Vec<u32>) {
        let mut next = execution.last_access(self.cell);
        while next != NOBODY {
            let access = &execution.accesses[next as usize];
            next = match self.next.op {
                Op::Read => access.previous_write,
                _ => access.previous,
            };
            if !dependence::depend_in_tasks(access.op, self.next.op) {
                continue;
            }
            let is_own = history.events[access.event as usize].task == self.task;
            // What waits could not have gone before what it waited for.
            let could_go = !self.next.waits
                || match access.op {
                    Op::Send { .. } | Op::Deliver { .. } | Op::Hangup => false,
                    _ => self.next.when.holds(access.before),
                };
            if !is_own && could_go && !history.is_in(access.event, self.past) {
                found.push(access.event);
            }
            if dependence::is_barrier(access.op) && could_go {
                break;
            }
        }
    }
}

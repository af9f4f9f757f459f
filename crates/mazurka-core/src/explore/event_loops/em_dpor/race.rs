//! Which pairs of transitions to reorder: lines 2 to 14 of Algorithm 5.

use super::EmDpor;
use super::history::History;
use super::target::Second;
use crate::execution::cells::{CellId, NO_EVENT};
use crate::execution::{Access, Execution};
use crate::explore::event_loops::tasks::NONE;
use crate::model::{Action, Machine, Op, ProcessId, When, dependence};

impl EmDpor {
    /// Lines 2 to 14: looks for races of the next transition of every process.
    pub(super) fn find_targets(&mut self, machine: &dyn Machine, execution: &Execution) {
        for process in (0..machine.processes()).map(ProcessId::new) {
            let next = machine.next(process);
            let is_of_queue =
                |next: &&Action| matches!(next.op, Op::Post { .. } | Op::Dequeue { .. });
            if let Some(next) = next.filter(|next| !is_of_queue(next)) {
                self.find_targets_of(execution, process, next);
            }
            let posts = next.is_some_and(|next| matches!(next.op, Op::Post { .. }));
            let guards = machine.guards(process);
            if !guards.is_empty() && !posts {
                // The process spins until one of several locations changes: beyond the algorithm.
                self.explore_everything();
            }
            for guard in guards {
                self.find_targets_of(execution, process, guard);
            }
            if machine.others(process).iter().any(|other| other.waits) {
                // It waits for several things at once, as a transition of a Petri net does: that is
                // beyond the algorithm, too.
                self.explore_everything();
            }
        }
    }

    fn find_targets_of(&mut self, execution: &Execution, process: ProcessId, next: &Action) {
        let Some(cell) = execution.cell_of(next) else { return };
        let (waits, when) = (next.waits, next.when);
        // An operation that does not wait may find nothing, and one that waits to send or to receive
        // may find that the other end has been dropped.
        let op = next.op;
        let or_else = match op {
            Op::Receive { .. } => Op::ReceiveNone,
            Op::Take { .. } if !waits => Op::TakeNone,
            Op::Send { .. } => Op::SendNone,
            op => op,
        };
        if waits && !next.awaits && op == Op::Update && when == When::Equals(0) {
            self.history.locks.note(cell, next.merely_locks, self.history.events.len());
        }
        let task = self.history.tasks.current[process.index()];
        let past = self.history.past(task);
        let previous = execution.last_access(cell);
        let second = Second::Pending { process, task, past, after: NONE };
        let pending = Pending { process, task, past, cell, op, or_else, waits, when, previous };
        self.reorder(execution, second, pending);
    }

    /// Looks for races of the last event's actions but the first. Only the first action of a transition is
    /// known before it is taken.
    pub(super) fn find_more_targets(&mut self, execution: &Execution) {
        let event = execution.len() - 1;
        let accesses = execution.accesses_of(event);
        if accesses.len() < 2 {
            return;
        }
        if accesses.iter().any(|access| self.history.locks.contains(access.cell)) {
            // A lock operation together with another action, as in waiting on a condition variable:
            // beyond the algorithm.
            self.explore_everything();
        }
        let process = execution.event(event).step.process;
        let (task, past) = self.history.task_and_past_of(event);
        for access in &accesses[1..] {
            if matches!(access.op, Op::Post { .. } | Op::Dequeue { .. }) {
                continue;
            }
            let (cell, op, waits, when) = (access.cell, access.op, access.waits, access.when);
            let previous = access.previous;
            let second = Second::Pending { process, task, past, after: NONE };
            let or_else = op;
            let pending = Pending { process, task, past, cell, op, or_else, waits, when, previous };
            self.reorder(execution, second, pending);
        }
    }

    /// Lines 3 to 12 for one transition.
    fn reorder(&mut self, execution: &Execution, second: Second, pending: Pending) {
        let mut conflicts = std::mem::take(&mut self.scratch.conflicts);
        conflicts.clear();
        if self.history.locks.contains(pending.cell) {
            pending.find_locks(&self.history, execution, &mut conflicts);
        } else {
            pending.find_accesses(&self.history, execution, &mut conflicts);
        }
        if let Some((last, others)) = conflicts.split_first() {
            self.find_target(execution, *last, second); // line 4
            // Only a write or a lock operation can race with several transitions that do not happen
            // before each other (Appendix C). For a read, the last transition is enough.
            if pending.op != Op::Read {
                let second = second.after(*last); // line 6
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
struct Pending {
    process: ProcessId,
    task: u32,
    past: u32,
    cell: CellId,
    op: Op,
    /// The operation if it finds nothing.
    or_else: Op,
    waits: bool,
    when: When,
    /// The last access to the cell before it.
    previous: u32,
}

impl Pending {
    /// Collects the earlier operations on a lock that are dependent on this one and do not happen before
    /// its task, latest first: those of other processes, or, if the lock protects a value, of other
    /// tasks. A lock operation is not reordered with a release, which enabled it.
    fn find_locks(&self, history: &History, execution: &Execution, found: &mut Vec<u32>) {
        let is_mere = history.locks.is_mere(self.cell);
        let mut next = self.previous;
        while next != NO_EVENT {
            let access = &execution.accesses[next as usize];
            next = access.previous;
            let other = &history.events[access.event as usize];
            let is_other = match is_mere {
                true => other.process != self.process,
                false => other.task != self.task,
            };
            let gives_back = self.waits && access.op == Op::Write;
            let is_race = is_other && !gives_back && dependence::dependent(access.op, self.op);
            if is_race && !history.is_in(access.event, self.past) {
                found.push(access.event);
            }
        }
    }

    /// Collects the earlier accesses that are dependent on this one and do not happen before its task,
    /// latest first, down to one that all earlier ones happen before.
    fn find_accesses(&self, history: &History, execution: &Execution, found: &mut Vec<u32>) {
        let mut next = self.previous;
        while next != NO_EVENT {
            let access = &execution.accesses[next as usize];
            next = match self.op {
                Op::Read | Op::ReadPart => access.previous_write,
                _ => access.previous,
            };
            let depends = dependence::depend_in_tasks(access.op, self.op)
                || dependence::depend_in_tasks(access.op, self.or_else);
            if !depends {
                continue;
            }
            let is_own = history.events[access.event as usize].task == self.task;
            // A waiting access is not reordered with the access that enabled it.
            let could_go = !self.waits || self.could_go_before(access);
            if !is_own && could_go && !history.is_in(access.event, self.past) {
                found.push(access.event);
            }
            if dependence::is_barrier(access.op) && could_go {
                break;
            }
        }
    }

    /// Returns whether a waiting transition was enabled before an access that it is dependent on.
    fn could_go_before(&self, access: &Access) -> bool {
        match (self.op, access.op) {
            (Op::Receive { .. } | Op::ReceiveNone, Op::Send { .. } | Op::Hangup)
            | (Op::Take { .. }, Op::Deliver { .. }) => false,
            (Op::Read | Op::Write | Op::Update | Op::Add, _) => self.when.holds(access.before),
            _ => true,
        }
    }
}

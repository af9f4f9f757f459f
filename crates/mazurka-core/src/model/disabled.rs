//! Explanations for disabled processes.

use super::{Action, Machine, ProcessId};

/// Returns whether `process` has no next step: it has ended, or waits for an edge.
///
/// A step with guards need not perform an action. So a process without a pending action may wait.
pub fn has_no_step(machine: &dyn Machine, process: ProcessId) -> bool {
    machine.next(process).is_none()
        && machine.guards(process).is_empty()
        && !machine.is_enabled(process)
}

/// Returns whether `machine` explains why `process`, which is not enabled, cannot move.
///
/// Explorers rely on this. They move a process that waits before the steps that disable it, and
/// they learn its conditions only from [`Machine::next`], [`Machine::others`] and
/// [`Machine::guards`]. If a process is disabled for a reason that none of these gives, explorers
/// miss executions.
///
/// A process is explained if one of these holds:
///
/// * It has no next step, so it has ended or waits for an edge.
/// * Its next step has guards, and the condition of none of them holds.
/// * Its next step waits, and the condition of an action that waits does not hold.
///
/// `value` returns the current value of the location of an action on memory, or `None` if the
/// caller does not know it. An unknown value explains everything. So does a waiting action on a
/// queue, because only the machine knows the contents of the queue.
pub fn is_explained(
    machine: &dyn Machine,
    process: ProcessId,
    value: impl Fn(&Action) -> Option<u64>,
) -> bool {
    let cannot_hold = |action: &Action| match action.op.is_memory() {
        true => value(action).is_none_or(|value| !action.when.holds(value)),
        false => true,
    };
    let guards = machine.guards(process);
    if !guards.is_empty() && guards.iter().all(cannot_hold) {
        return true;
    }
    let mut actions = machine.next(process).into_iter().chain(machine.others(process)).peekable();
    if actions.peek().is_none() {
        return guards.is_empty();
    }
    actions.any(|action| action.waits && cannot_hold(action))
}

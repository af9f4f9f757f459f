//! What this explorer does not foresee, so that another one takes the program.

use rustc_hash::FxHashSet as HashSet;

use super::graph::access::GroupAccess;
use crate::execution::cells::CellId;
use crate::execution::value::CellPart;
use crate::execution::{Access, Execution};
use crate::model::{Forgone, Machine, Op, ProcessId, Ways, When, dependence};

/// Returns whether the last event of an execution does what this explorer cannot foresee, or would order
/// although it is independent. `accesses` is what the event does to groups.
pub(super) fn is_unforeseen(execution: &Execution, accesses: &[GroupAccess]) -> bool {
    let performed = execution.accesses_of(execution.len() - 1);
    branches(performed)
        || waits_beside_its_action(performed)
        || polls_beside_others(accesses)
        || performed
            .iter()
            .any(|access| adds_blindly(access) || orders_a_channel(access, execution))
}

/// Returns whether the actions of a step may depend on what it reads. If a step performs several actions, one
/// of which is conditional, then the others may depend on the condition: a wait with a time limit moves the
/// clock if it fails.
fn branches(accesses: &[Access]) -> bool {
    if accesses.iter().any(|access| access.op == Op::Forgone(Forgone::Anything)) {
        return true;
    }
    let is_conditional = |access: &Access| {
        let may_fail = access.when != When::Always || access.ways == Ways::MayFail;
        may_fail && !access.waits && !access.guard
    };
    let values = accesses.iter().filter(|access| access.part != CellPart::Life);
    values.count() > 1 && accesses.iter().any(is_conditional)
}

/// Returns whether a step waits for another cell than that of its first action. All steps of a process that may
/// be suspended do, and the explorer would order them all.
fn waits_beside_its_action(accesses: &[Access]) -> bool {
    let waits = |access: &Access| access.waits && !access.guard;
    accesses.split_first().is_some_and(|(first, others)| {
        others.iter().any(|access| waits(access) && access.cell != first.cell)
    })
}

/// Returns whether a step accesses a location that a process polls, and others, or a range that overlaps with
/// it.
pub(super) fn polls_beside_others(accesses: &[GroupAccess]) -> bool {
    let is_simple = accesses.len() == 1 && accesses.iter().all(|access| access.simple);
    !is_simple && accesses.iter().any(|access| access.polled)
}

/// Returns whether an addition commutes that this explorer would order.
fn adds_blindly(access: &Access) -> bool {
    access.op == Op::Add && access.unread
}

/// Returns whether two operations on one channel are independent, although this explorer orders them. If all
/// neighbours among the operations of different processes are dependent, `optimal` orders them all, too.
fn orders_a_channel(access: &Access, execution: &Execution) -> bool {
    let process = |access: &Access| execution.event(access.event as usize).step.process;
    access.op.is_on_channel()
        && execution.previous(access).is_some_and(|previous| {
            process(access) != process(previous) && !dependence::dependent(access.op, previous.op)
        })
}

/// Returns whether a condition is on a location that has bytes in common with others. Several writes
/// determine its value.
pub(super) fn depends_on_bytes(machine: &dyn Machine, execution: &mut Execution) -> bool {
    let has_condition = |when, ways| when != When::Always || ways != Ways::One;
    for process in (0..machine.processes()).map(ProcessId::new) {
        let others = machine.guards(process).iter().chain(machine.others(process));
        let actions = machine.next(process).into_iter().chain(others);
        let conditional = actions.filter(|action| {
            action.waits || action.guard || has_condition(action.when, action.ways)
        });
        for action in conditional.chain(machine.retries(process)) {
            let cell = execution.cell(machine, action.on);
            if execution.shares_values(cell) {
                return true;
            }
        }
    }
    let is_conditional = |access: &Access| {
        let waits = access.waits || access.guard;
        (waits || has_condition(access.when, access.ways)) && execution.shares_values(access.cell)
    };
    (0..execution.len()).any(|event| execution.accesses_of(event).iter().any(is_conditional))
}

/// Returns whether an atomic read may synchronise with an atomic write to another location, with which it
/// has bytes in common. Data races are looked for as if it did not.
pub(super) fn synchronises_by_bytes(execution: &Execution) -> bool {
    let atomic = |event| {
        let is_whole = |access: &&Access| access.part == CellPart::Whole && !access.plain;
        execution.accesses_of(event).iter().filter(is_whole)
    };
    let accesses = || (0..execution.len()).flat_map(atomic);
    let writes = |access: &&Access| {
        matches!(access.op, Op::Write | Op::Update | Op::Add)
            && execution.shares_values(access.cell)
    };
    let written: HashSet<CellId> = accesses().filter(writes).map(|access| access.cell).collect();
    let reads = |access: &Access| matches!(access.op, Op::Read | Op::Update | Op::Add);
    let is_written = |cell: &CellId| written.contains(cell);
    let synchronises = |access: &Access| execution.overlapping(access.cell).iter().any(is_written);
    !written.is_empty() && accesses().any(|access| reads(access) && synchronises(access))
}

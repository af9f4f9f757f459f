//! Happens-before relations: which accesses conflict.

use std::fmt::Debug;
use std::ops::Range;

use crate::execution::cells::CellId;
use crate::execution::clock::ClockId;
use crate::execution::order::Conflict;
use crate::execution::order::memory::MemoryWalk;
use crate::execution::order::queues::QueueWalk;
use crate::execution::{Access, Execution, Race};
use crate::model::{Action, Op, Performed, dependence};

/// A happens-before relation, given by the pairs of accesses that it orders.
///
/// There are two. [`AllConflicts`] orders every pair of dependent accesses: its equivalence classes
/// are the Mazurkiewicz traces. [`ObservedConflicts`](super::ObservedConflicts) orders two writes
/// only if an event observes their order.
pub(crate) trait Relation: Clone + Debug + Send + Sync + 'static {
    /// Returns the operation that an action counts as. `is_alone` says whether it is the only
    /// action of its step.
    fn op(execution: &mut Execution, cell: CellId, action: &Action, is_alone: bool) -> Op;

    /// Orders earlier events whose order the event `index` with these accesses is the first to
    /// observe.
    fn observe(
        execution: &mut Execution,
        performed: &Performed,
        accesses: Range<usize>,
        index: u32,
    );

    /// Orders an event with one access, `new`.
    fn order_access(execution: &mut Execution, new: usize, rivals: usize, clock: ClockId);

    /// Collects the conflicts of one access of an event with the accesses `all_new`.
    fn collect(
        execution: &Execution,
        access: &Access,
        all_new: &[Access],
        rivals: usize,
        conflicts: &mut Vec<Conflict>,
    );

    /// Returns whether a delivery may depend on an earlier access.
    fn delivery_may_conflict(execution: &Execution, new: &Access, rivals: usize) -> bool;

    /// Returns whether an access orders its event after that of an earlier access to the same cell.
    /// `is_observed` says whether an event reads what the later one writes.
    fn conflict(execution: &Execution, first: &Access, second: &Access, is_observed: bool) -> bool;

    /// Returns whether a race is still one after later events have been added.
    fn is_still_a_race(execution: &Execution, race: Race) -> bool;

    /// Whether later events can order earlier ones.
    const ORDERS_LATER: bool;
}

/// The relation that orders all pairs of [dependent](crate::model::dependence) accesses.
#[derive(Clone, Debug)]
pub(crate) enum AllConflicts {}

impl Relation for AllConflicts {
    const ORDERS_LATER: bool = false;

    #[inline]
    fn op(_execution: &mut Execution, _cell: CellId, action: &Action, _is_alone: bool) -> Op {
        action.op
    }

    #[inline]
    fn observe(_: &mut Execution, _: &Performed, _: Range<usize>, _: u32) {}

    #[inline(always)]
    fn order_access(execution: &mut Execution, new: usize, _rivals: usize, clock: ClockId) {
        match execution.accesses[new].op.is_memory() {
            true => execution.order_access_after(new, clock, |_, new| MemoryWalk::back_from(new)),
            false => order_in_queue(execution, new, clock),
        }
    }

    fn collect(
        execution: &Execution,
        access: &Access,
        all_new: &[Access],
        _rivals: usize,
        conflicts: &mut Vec<Conflict>,
    ) {
        match access.op.is_memory() {
            true => execution.collect(all_new, MemoryWalk::back_from(access), conflicts),
            false => execution.collect(all_new, QueueWalk::back_from(access), conflicts),
        }
    }

    #[inline]
    fn delivery_may_conflict(_execution: &Execution, _new: &Access, _rivals: usize) -> bool {
        true
    }

    fn conflict(_: &Execution, first: &Access, second: &Access, _is_observed: bool) -> bool {
        dependence::dependent(first.op, second.op)
    }

    #[inline]
    fn is_still_a_race(_execution: &Execution, _race: Race) -> bool {
        true
    }
}

/// Orders an event with one access to a queue. It is not inlined where accesses to memory are ordered.
#[inline(never)]
fn order_in_queue(execution: &mut Execution, new: usize, clock: ClockId) {
    match execution.accesses[new].op {
        Op::Take { message } if message != Op::NONE => {
            execution.order_take(new, message, clock);
        }
        _ => execution.order_access_after(new, clock, |_, new| QueueWalk::back_from(new)),
    }
}

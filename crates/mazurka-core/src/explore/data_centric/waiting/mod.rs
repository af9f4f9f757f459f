//! What an event would do if it observed another write: whether its process would wait, and whether its
//! condition would hold.
//!
//! Usually the value of the write decides. Where several cells count as one group, or where messages are
//! sent and received, all operations on the group are ordered. There the operations up to the observed
//! one decide: the values that they leave in each cell, or the messages that they put in and take out.
//! This folder evaluates conditions in a given execution, and knows nothing of nodes or children.

use smallvec::SmallVec;

use crate::execution::cells::CellId;
use crate::execution::value::CellPart;
use crate::execution::{Access, Execution};
use crate::explore::data_centric::graph::INITIAL;
use crate::explore::data_centric::graph::ObservationGraph;
use crate::explore::data_centric::graph::access::Kind;
use crate::explore::data_centric::lessons::{CellGroup, Lessons};
use crate::explore::data_centric::realise::FIRST_ADDED;
use crate::model::{Action, Op, When};

/// A condition under which an event takes effect, or for which its process waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    cell: CellId,
    /// What the event did, or declares to do.
    op: Op,
    /// What the event declared to do.
    declared: Op,
    when: When,
    waits: bool,
    /// Whether it is a guard: one of several guards suffices.
    guard: bool,
    /// The initial value of the cell, if it is known.
    initial: Option<u64>,
}

/// All conditions of one event.
pub(crate) type Conditions = SmallVec<[Condition; 1]>;

impl Condition {
    /// Returns the conditions of an event that was performed.
    pub(crate) fn all_of(performed: &[Access]) -> Conditions {
        let is_one = |access: &&Access| access.waits || access.when != When::Always;
        performed.iter().filter(is_one).map(Condition::of_performed).collect()
    }

    fn of_performed(access: &Access) -> Self {
        Condition {
            cell: access.cell,
            op: access.op,
            declared: access.declared,
            when: access.when,
            waits: access.waits,
            guard: access.guard,
            initial: None,
        }
    }

    /// Returns whether the event is performed even if the condition does not hold.
    pub(crate) fn may_fail(&self) -> bool {
        !self.waits && self.when != When::Always
    }

    /// Returns the initial value of its cell, if it is known.
    pub(crate) fn initial(&self) -> Option<u64> {
        self.initial
    }

    pub(crate) fn of_pending(action: &Action, cell: CellId) -> Self {
        Condition {
            cell,
            op: action.op,
            declared: action.op,
            when: action.when,
            waits: action.waits,
            guard: action.guard,
            initial: Some(action.before),
        }
    }
}

/// What an access would be after another observation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prospect {
    /// Its process would wait.
    Waits,
    /// It would be of this kind.
    Is(Kind),
    /// It would be of this kind, or a read that takes no effect, or its process would wait.
    MayBe(Kind),
}

/// The execution in which conditions are evaluated, as a graph and as a sequence.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) graph: &'a ObservationGraph,
    pub(crate) lessons: &'a Lessons,
    pub(crate) execution: &'a Execution,
}

impl Setting<'_> {
    /// Returns what an access would be if it observed `source`, which leaves `value` in a group of one
    /// cell.
    pub(crate) fn prospect(
        &self,
        access: &crate::explore::data_centric::graph::access::GroupAccess,
        conditions: &[Condition],
        (source, value): (Option<u32>, Option<u64>),
    ) -> Prospect {
        let full = access.kind(self.lessons);
        let Some(source) = source else { return Prospect::Is(full) };
        if !access.waits && !access.is_conditional() {
            return Prospect::Is(full);
        }
        let idle = Kind { reads: true, writes: false };
        if access.is_told_by_value() {
            return match value.map(|value| access.when.holds(value)) {
                None => Prospect::MayBe(full),
                Some(true) => Prospect::Is(full),
                Some(false) if access.waits => Prospect::Waits,
                Some(false) => Prospect::Is(idle),
            };
        }
        if source == FIRST_ADDED {
            return Prospect::MayBe(full);
        }
        let own = |condition: &&Condition| {
            self.lessons.group(condition.cell) == access.group
                || self.lessons.joint_group(condition.cell, self.execution.birth(condition.cell))
                    == Some(access.group)
        };
        let (waits, others): (Conditions, Conditions) =
            conditions.iter().filter(own).copied().partition(|condition| condition.waits);
        let goes_on = self.all_hold(&waits, access.group, source);
        let takes_effect = self.all_hold(&others, access.group, source);
        match (goes_on, takes_effect) {
            (Some(false), _) => Prospect::Waits,
            (Some(true), Some(true)) => Prospect::Is(full),
            (Some(true), Some(false)) => Prospect::Is(idle),
            _ => Prospect::MayBe(full),
        }
    }

    /// Returns whether all conditions on a group hold right after `source`, if that is known.
    fn all_hold(&self, conditions: &[Condition], group: CellGroup, source: u32) -> Option<bool> {
        let writes = self.graph.writes_to(group);
        let done = match source {
            INITIAL => 0,
            source => writes.iter().position(|write| *write == source)? + 1,
        };
        let (before, behind) = writes.split_at(done);
        let holds = |condition: &Condition| holds(condition, before, behind, self.execution);
        let (mut one, mut unknown, mut guarded) = (false, false, false);
        for condition in conditions {
            match (condition.guard, holds(condition)) {
                (true, result) => {
                    guarded = true;
                    one |= result == Some(true);
                    unknown |= result.is_none();
                }
                (false, Some(true)) => {}
                (false, result) => return result,
            }
        }
        match one || !guarded {
            true => Some(true),
            false if unknown => None,
            false => Some(false),
        }
    }
}

/// Returns whether a condition holds after the events `before` on its group, and without those `behind`.
fn holds(
    condition: &Condition,
    before: &[u32],
    behind: &[u32],
    execution: &Execution,
) -> Option<bool> {
    let on_cell = |event: &u32| {
        let accesses = execution.accesses_of(*event as usize).iter();
        accesses.filter(|access| access.cell == condition.cell).find(|access| !access.op.is_read())
    };
    match condition.declared {
        Op::Read | Op::Write | Op::Update | Op::Add => {
            let last = before.iter().rev().find_map(on_cell).map(|access| access.after);
            let first = || {
                let mut events = 0..execution.len();
                let mut accesses = events.find_map(|event| {
                    let has_value =
                        |a: &&Access| a.cell == condition.cell && a.part != CellPart::Life;
                    execution.accesses_of(event).iter().find(has_value)
                });
                accesses.take().map(|access| access.before).or(condition.initial)
            };
            last.or_else(first).map(|value| condition.when.holds(value))
        }
        Op::Take { .. } => {
            let message = if let Op::Take { message } = condition.op { message } else { Op::NONE };
            may_take(message, before.iter().filter_map(on_cell), behind, &on_cell)
        }
        _ => Some(queue_lets_go_on(condition, before, behind, &on_cell)),
    }
}

/// Returns whether a receive that took `message`, or none so far, can take a message now.
///
/// A receive takes the oldest message that matches. So of the messages that are in the mailbox now and
/// stay there until the receive takes one, only the one that it takes can match.
fn may_take<'a>(
    message: u32,
    before: impl Iterator<Item = &'a Access>,
    behind: &[u32],
    on_cell: &impl Fn(&u32) -> Option<&'a Access>,
) -> Option<bool> {
    let mut there: SmallVec<[u32; 8]> = SmallVec::new();
    for access in before {
        match access.op {
            Op::Deliver { message } => there.push(message),
            Op::Take { message } => there.retain(|other| *other != message),
            _ => {}
        }
    }
    if there.contains(&message) {
        return Some(true);
    }
    let taken_first = behind.iter().filter_map(on_cell).map(|access| access.op);
    let mut taken_first = taken_first.take_while(|op| *op != Op::Take { message });
    match taken_first.any(|op| matches!(op, Op::Take { message } if there.contains(&message))) {
        true => None,
        false => Some(false),
    }
}

/// Returns whether a waiting operation on a channel or a queue is enabled now.
fn queue_lets_go_on<'a>(
    condition: &Condition,
    before: &[u32],
    behind: &[u32],
    on_cell: &impl Fn(&u32) -> Option<&'a Access>,
) -> bool {
    let count = |events: &[u32], test: fn(Op) -> bool| {
        events.iter().filter_map(on_cell).filter(|access| test(access.op)).count() as u32
    };
    let sent = count(before, |op| matches!(op, Op::Send { .. }));
    let received = count(before, |op| matches!(op, Op::Receive { .. }));
    let is_closed = count(before, |op| op == Op::Close) > 0;
    match (condition.op, condition.declared) {
        // The receive found that all senders are dropped. They are here, too, if none drops later.
        (Op::ReceiveNone, _) => {
            let goes = |event: &&u32| on_cell(event).is_some_and(|a| a.op == Op::Hangup);
            let next = behind.iter().take_while(|event| {
                on_cell(event).is_none_or(|access| access.op != Op::ReceiveNone)
            });
            sent > received || next.filter(goes).count() == 0
        }
        (Op::Receive { .. }, _) => sent > received,
        (Op::Dequeue { .. }, _) => {
            let posted = count(before, |op| matches!(op, Op::Post { .. }));
            posted > count(before, |op| matches!(op, Op::Dequeue { .. }))
        }
        (Op::SendNone | Op::Send { .. }, Op::Send { number, freed_by }) => {
            // If no message had to leave first, the capacity holds all messages up to this one.
            is_closed || freed_by == Op::NONE || sent < received + (number - freed_by)
        }
        _ => true,
    }
}

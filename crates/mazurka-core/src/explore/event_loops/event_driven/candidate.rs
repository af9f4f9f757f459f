//! The last step of a target: a step that could be taken after a part of an execution.

use super::bits::{self, Bits};
use super::classes::Cone;
use super::happens_before::{ConeSum, HappensBefore};
use super::plan::Planner;
use crate::execution::cells::{CellId, NO_EVENT};
use crate::execution::value::{CellPart, ValueBefore};
use crate::execution::{Access, Execution};
use crate::explore::event_loops::tasks::{NONE, Tasks};
use crate::model::{Action, Op, Step, Ways, When};

/// Stands for a cell that no event accesses.
const UNTOUCHED: CellId = CellId(NO_EVENT);

/// A step that was taken in an execution, or that a process waits to take at its end.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) step: Step,
    pub(super) task: u32,
    /// Whether it begins a handler.
    pub(super) begins: bool,
    /// What happens before it whatever it accesses.
    pub(super) fixed: Bits,
    sum: ConeSum,
    accesses: Vec<Access>,
}

impl Candidate {
    /// Returns an event of the execution, perhaps with another choice.
    pub(super) fn event(
        graph: &HappensBefore,
        tasks: &Tasks,
        execution: &Execution,
        index: u32,
        choice: u32,
    ) -> Self {
        let event = &tasks.events[index as usize];
        // All events of the part come before it, whatever came before it in the execution.
        let moved =
            |access: &Access| Access { previous: execution.last_access(access.cell), ..*access };
        Candidate {
            step: Step { choice, ..event.step },
            task: event.task,
            begins: event.begins,
            fixed: Bits(graph.fixed.row(index).to_vec()),
            sum: graph.cone_without_conflicts(tasks, index, choice),
            accesses: execution.accesses_of(index as usize).iter().map(moved).collect(),
        }
    }

    /// Returns what a process would do next, if it could.
    pub(super) fn pending<'a>(
        graph: &HappensBefore,
        tasks: &Tasks,
        execution: &Execution,
        step: Step,
        actions: impl Iterator<Item = &'a Action>,
    ) -> Self {
        let current = tasks.current[step.process.index()];
        let last = tasks.tasks[current as usize].last();
        let is_over = last != NONE && tasks.events[last as usize].ends;
        let task = if is_over { tasks.own(step.process) } else { current };
        let (fixed, sum) = graph.fix_next(tasks, step.process, task, step.choice);
        let accesses = actions.map(|action| access(execution, action)).collect();
        Candidate { step, task, begins: false, fixed, sum, accesses }
    }

    /// Returns the beginning of a handler whose event is stuck in its queue.
    pub(super) fn beginning(graph: &HappensBefore, tasks: &Tasks, step: Step, task: u32) -> Self {
        let (fixed, sum) = graph.fix_next(tasks, step.process, task, step.choice);
        Candidate { step, task, begins: true, fixed, sum, accesses: Vec::new() }
    }

    /// Returns whether it waits for something.
    pub(super) fn waits(&self) -> bool {
        self.accesses.iter().any(|access| access.waits)
    }

    /// The events that it is in conflict with, latest first.
    pub(super) fn conflicts(
        &self,
        graph: &HappensBefore,
        execution: &Execution,
        part: &Bits,
        found: &mut Vec<u32>,
    ) {
        let process = self.step.process;
        let mut accesses = self.accesses.clone();
        let fails = self.step.choice > 0;
        let op_of = |access: &Access| match access.ways {
            Ways::MayFail if fails => Op::Read,
            _ => op_after(execution, access, part),
        };
        for (access, touch) in accesses.iter_mut().zip(execution.touches_as(&self.accesses, op_of))
        {
            access.op = touch.op;
        }
        graph.collect(execution, &accesses, process, |e| part.contains(e), found);
    }

    /// Its cone after a part of the execution.
    pub(super) fn cone(
        &self,
        graph: &HappensBefore,
        execution: &Execution,
        part: &Bits,
        found: &mut Vec<u32>,
    ) -> Cone {
        self.conflicts(graph, execution, part, found);
        let mut row = self.fixed.clone();
        let mut sum = self.sum;
        for with in found.iter() {
            if !row.contains(*with) {
                bits::join(&mut row.0, graph.past.row(*with));
                row.insert(*with);
                sum.add_conflict(graph.cones[*with as usize]);
            }
        }
        sum.finish()
    }

    /// Returns what keeps it from being taken after a part of the execution: events one of which
    /// must not be there. If there are none of these, then nothing helps.
    pub(super) fn obstacles(&self, plan: &Planner<'_>, part: &Bits) -> Option<Vec<u32>> {
        let execution = plan.execution;
        let mut locks = self.accesses.iter().filter(|access| access.takes_lock());
        if let Some(holder) = locks.find_map(|lock| holder(plan.tasks, execution, lock, part)) {
            return Some(vec![holder]);
        }
        let holds = |access: &&Access| holds(execution, access, part);
        let guards = || self.accesses.iter().filter(|access| access.guard);
        if guards().next().is_some() && !guards().any(|guard| holds(&guard)) {
            // One guard that holds suffices.
            let mut all: Vec<u32> = guards().flat_map(|guard| latest(plan, guard, part)).collect();
            all.sort_unstable();
            all.dedup();
            return Some(all);
        }
        let mut others = self.accesses.iter().filter(|access| access.waits && !access.guard);
        others.find(|access| !holds(access)).map(|failing| latest(plan, failing, part))
    }
}

/// Returns the last events in a part of the execution that make a cell what it is: those that no
/// other one of them happens after. Without one of them something might be different.
fn latest(plan: &Planner<'_>, new: &Access, part: &Bits) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    for access in before(plan.execution, new) {
        let counts = part.contains(access.event) && !access.op.is_read();
        let is_before =
            |later: &u32| *later == access.event || plan.graph.past.has(*later, access.event);
        if counts && !found.iter().any(is_before) {
            found.push(access.event);
        }
    }
    found
}

/// Returns a pending action as an access. If no event has accessed its location, the location has its
/// initial value.
fn access(execution: &Execution, action: &Action) -> Access {
    let cell = execution.cell_of(action);
    Access {
        cell: cell.unwrap_or(UNTOUCHED),
        op: action.op,
        declared: action.op,
        when: action.when,
        ways: Ways::One,
        waits: action.waits,
        guard: action.guard,
        awaits: action.awaits,
        unread: action.unread,
        plain: action.plain,
        merely_locks: action.merely_locks,
        part: CellPart::Whole,
        before: action.before,
        after: action.before,
        event: NO_EVENT,
        previous: cell.map_or(NO_EVENT, |cell| execution.last_access(cell)),
        previous_write: NO_EVENT,
        previous_other: NO_EVENT,
    }
}

/// Returns the accesses to the same cell before one, latest first.
fn before<'a>(execution: &'a Execution, new: &Access) -> impl Iterator<Item = &'a Access> {
    let event = new.event;
    of_cell(execution, new).filter(move |access| access.event != event)
}

/// Returns the accesses to the same cell, latest first. Those of the candidate itself are among them.
fn of_cell<'a>(execution: &'a Execution, new: &Access) -> impl Iterator<Item = &'a Access> {
    let first = execution.accesses.get(new.previous as usize);
    std::iter::successors(first, |access| execution.accesses.get(access.previous as usize))
}

/// Returns the event that took a lock and does not give it back in a part of the execution.
/// Handlers of one process may come in another order there, so that it need not be the last one
/// that took it.
fn holder(tasks: &Tasks, execution: &Execution, lock: &Access, part: &Bits) -> Option<u32> {
    let mut released: Vec<u32> = Vec::new();
    for access in before(execution, lock).filter(|access| part.contains(access.event)) {
        let task = tasks.events[access.event as usize].task;
        let place = released.iter().position(|other| *other == task);
        match (access.op, place) {
            (Op::Write, None) => released.push(task),
            (Op::Update, Some(place)) => _ = released.swap_remove(place),
            (Op::Update, None) => return Some(access.event),
            _ => {}
        }
    }
    None
}

/// Returns whether the condition of an access may hold after a part of the execution.
fn may_hold(execution: &Execution, new: &Access, part: &Bits) -> bool {
    let mut value = ValueBefore::new(new.before);
    // What the candidate has written in the execution is undone with the rest.
    let found = of_cell(execution, new).find_map(|access| match part.contains(access.event) {
        true => value.add(access),
        false => {
            value.skip(access);
            None
        }
    });
    // An unknown value may be any.
    found.unwrap_or_else(|| value.at_start()).is_none_or(|value| new.when.holds(value))
}

/// A channel or mailbox after a part of the execution.
#[derive(Default)]
struct Channel {
    sent: u32,
    received: u32,
    is_closed: bool,
    /// Whether a sender that has gone in the execution is still there.
    lacks_hangup: bool,
    has_message: bool,
}

impl Channel {
    fn after(execution: &Execution, new: &Access, part: &Bits) -> Self {
        let mut channel = Channel::default();
        for access in before(execution, new) {
            let is_there = part.contains(access.event);
            match access.op {
                Op::Send { .. } => channel.sent += u32::from(is_there),
                Op::Receive { .. } => channel.received += u32::from(is_there),
                Op::Close => channel.is_closed |= is_there,
                Op::Hangup => channel.lacks_hangup |= !is_there,
                Op::Deliver { message } if new.op == Op::Take { message } => {
                    channel.has_message |= is_there;
                }
                _ => {}
            }
        }
        channel
    }

    fn has_room_for(&self, number: u32, freed_by: u32) -> bool {
        freed_by == Op::NONE || self.sent < self.received + (number - freed_by)
    }
}

/// Returns whether what an access waits for is there after a part of the execution.
fn holds(execution: &Execution, new: &Access, part: &Bits) -> bool {
    let channel = || Channel::after(execution, new, part);
    match (new.op, new.declared) {
        (Op::Read | Op::Write | Op::Update | Op::Add, _) => may_hold(execution, new, part),
        (Op::Receive { .. }, _) => channel().sent > channel().received,
        (Op::ReceiveNone, _) => {
            let channel = channel();
            channel.sent > channel.received || !channel.lacks_hangup
        }
        (Op::Send { number, freed_by }, _) | (Op::SendNone, Op::Send { number, freed_by }) => {
            let channel = channel();
            channel.is_closed || channel.has_room_for(number, freed_by)
        }
        (Op::Take { message }, _) if message != Op::NONE => channel().has_message,
        // Whether the step is enabled shows when it is tried.
        _ => true,
    }
}

/// Returns what an access does after a part of the execution.
fn op_after(execution: &Execution, new: &Access, part: &Bits) -> Op {
    let channel = || Channel::after(execution, new, part);
    match (new.op, new.declared) {
        (Op::Read | Op::Write | Op::Update | Op::Add, _) => match new.when {
            // The event may have failed.
            When::Always if new.ways == Ways::MayFail => new.declared_op(),
            When::Always => new.op,
            _ if new.waits => new.op,
            _ if may_hold(execution, new, part) => new.declared_op(),
            _ => Op::Read,
        },
        (Op::Receive { .. } | Op::ReceiveNone, _) => {
            let channel = channel();
            match channel.sent > channel.received {
                true => Op::Receive { number: channel.received },
                false => Op::ReceiveNone,
            }
        }
        (Op::Send { number, freed_by }, _) | (Op::SendNone, Op::Send { number, freed_by }) => {
            let channel = channel();
            if channel.is_closed || !channel.has_room_for(number, freed_by) {
                return Op::SendNone;
            }
            let capacity = number.wrapping_sub(freed_by);
            let freed_by = match freed_by == Op::NONE || channel.sent < capacity {
                true => Op::NONE,
                false => channel.sent - capacity,
            };
            Op::Send { number: channel.sent, freed_by }
        }
        (Op::Take { .. }, _) if !new.waits && !channel().has_message => Op::TakeNone,
        (op, _) => op,
    }
}

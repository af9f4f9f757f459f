//! Iterations of loops that take back what they change.
//!
//! A reader-writer lock may subtract from a counter, find that the lock is taken, add the same again,
//! and retry. Kokologiannakis, Ren and Vafeiadis (*Dynamic Partial Order Reductions for Spinloops*,
//! FMCAD 2021) call such a loop one with *zero net effect*. Suppose that an iteration
//!
//! * updates a location atomically, and takes that back by another update,
//! * changes nothing else, and comes back to the head of the loop with the same local state, and
//! * no other thread accesses the location between the two updates.
//!
//! Then the execution without the iteration is one of the program, too: all other accesses see the same
//! values. So such an iteration is as good as one that changes nothing, and [`spin`](super::spin) treats it
//! so. If another thread has accessed the location in between, the iteration is kept.
//!
//! Some accesses in between do not matter if both updates are additions. Without the iteration, they would see
//! a value that differs by what the first update has added. The iteration can still be taken out if
//!
//! * the access is a *blind* addition, whose result is not used, or
//! * the access is a load or an addition, and the thread does the same whichever of the two values it sees. The
//!   machine finds that out by trying both.
//!
//! Whether an iteration can be taken out does not depend on the order of independent steps. The two updates
//! depend on every other access to the location, and so determine what is in between and what it sees. The only
//! exception is that `observers` does not order two [blind](Action::unread) additions, which never matter if
//! the update is an addition.
//!
//! Under a memory model, an update changes something at once, as before: a thread may still read from the
//! first update after the iteration has ended.

use mazurka_core::model::{Action, Digest, Location, Op};

use super::LlvmMachine;
use super::frame::frames;
use super::thread::{State, Status};
use crate::bytecode::{FRAME_HEADER, Op as Instruction, Pc};
use crate::ir::AtomicOp;

/// An update that a thread has not taken back yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Debt {
    on: Location,
    /// The value after the update, minus the value before.
    difference: u64,
    kind: Kind,
    /// Whether another thread has accessed the location since then in a way that matters.
    is_seen: bool,
}

/// What a read-modify-write is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Kind {
    /// It may replace the value by any other.
    #[default]
    Any,
    /// It adds or subtracts.
    Addition,
    /// It adds or subtracts, and its result is not used.
    BlindAddition,
}

impl Debt {
    /// Returns the debt of a thread that performs an action. Returns `None` if the action is not an atomic
    /// update of a word: operations on locks and the like change more than a value.
    pub(super) fn new(action: &Action, kind: Kind) -> Option<Self> {
        let is_update = action.op == Op::Update && !action.plain && action.ordering.is_some();
        let difference = action.after.wrapping_sub(action.before);
        (is_update && action.on.len <= 8).then_some(Debt {
            on: action.on,
            difference,
            kind,
            is_seen: false,
        })
    }

    /// Returns whether the result of the update is not used.
    pub(super) fn is_blind(&self) -> bool {
        self.kind == Kind::BlindAddition
    }

    fn is_addition(&self) -> bool {
        self.kind != Kind::Any
    }

    /// Returns what a value of the location would be without the update.
    pub(super) fn undone(&self, value: u64) -> u64 {
        value.wrapping_sub(self.difference) & (u64::MAX >> (64 - 8 * self.on.len))
    }

    /// Returns whether an action is an access to the location, or to a part of it.
    pub(super) fn is_about(&self, action: &Action) -> bool {
        action.on.overlaps(self.on)
    }

    /// Returns whether another update of the same thread takes back what this one has done, and no other
    /// thread has accessed the location in between in a way that matters.
    ///
    /// What matters depends on whether this update is an addition, so that the other one must be one, too.
    pub(super) fn is_settled_by(&self, other: &Debt) -> bool {
        let sum = self.difference.wrapping_add(other.difference);
        other.on == self.on
            && other.is_addition() == self.is_addition()
            && sum << (64 - 8 * self.on.len) == 0
            && !self.is_seen
    }

    /// Returns whether an action of another thread may be one that does not matter: an addition, or a load.
    fn may_spare(&self, action: &Action, kind: Kind) -> bool {
        let shifts = action.op == Op::Read || kind != Kind::Any;
        self.is_addition() && action.on == self.on && !action.plain && shifts
    }

    /// Describes the debt as words.
    pub(super) fn describe(&self, mut word: impl FnMut(u64)) {
        word(self.kind as u64 | u64::from(self.is_seen) << 2 | u64::from(self.on.object.0) << 3);
        word(u64::from(self.on.start) << 32 | u64::from(self.on.len));
        word(self.difference);
    }
}

/// What a thread is after a step.
#[derive(Debug)]
pub(super) struct After {
    state: State,
    locals: usize,
    difference: u64,
    /// What matters of its frames.
    frames: Vec<u64>,
}

impl After {
    /// Returns a digest of where the thread is, and of what matters of its frames.
    pub(super) fn digest(&self) -> Digest {
        let State { pc, base, top, .. } = self.state;
        let mut digest = Digest::of(u64::from(pc));
        digest.add(u64::from(base) | u64::from(top) << 32);
        self.frames.iter().for_each(|slot| digest.add(*slot));
        digest
    }

    /// Returns whether a thread cannot tell two of its steps apart.
    pub(super) fn is_like(&self, other: &After) -> bool {
        let fields = |state: &State| {
            let Action { on, op, when, ways, plain, .. } = state.action;
            let at =
                (state.status, state.pc, state.base, state.top, state.space, state.alternatives);
            let rest = (state.children, state.atomic, state.phase);
            (at, rest, (on, op, when, ways, plain))
        };
        fields(&self.state) == fields(&other.state)
            && self.locals == other.locals
            && self.difference == other.difference
            && self.frames == other.frames
    }
}

impl LlvmMachine {
    /// Finds the threads to whose updates the next step of a thread does not matter.
    #[inline]
    pub(super) fn spare_debts(&mut self, by: usize) {
        if self.has_debts {
            self.find_spared(by);
        }
    }

    #[inline(never)]
    fn find_spared(&mut self, by: usize) {
        self.spared.clear();
        let State { status, action, probe, pc, atomic, .. } = self.threads[by].state;
        let kind = match self.code.ops[pc as usize] {
            _ if status != Status::Ready || atomic != 0 => return,
            Instruction::ReadModifyWrite { op, .. } => self.kind_of(op, pc),
            Instruction::Load { .. } => Kind::Any,
            _ => return,
        };
        let sees = self.probe(probe);
        let mut now = None;
        for thread in (0..self.threads.len()).filter(|thread| *thread != by) {
            let Some(debt) = self.threads[thread].watch.debt else { continue };
            if debt.is_seen || !debt.may_spare(&action, kind) {
                continue;
            }
            let is_spared = kind == Kind::BlindAddition || {
                let now = now.get_or_insert_with(|| self.after(by, sees));
                let other = self.after(by, debt.undone(sees));
                now.as_ref().zip(other).is_some_and(|(now, other)| now.is_like(&other))
            };
            if is_spared {
                self.spared.push(thread as u32);
            }
        }
    }

    /// Returns what a thread is after a step in which the location of its action has a value. Returns `None` if
    /// the step does more than to access that location.
    pub(super) fn after(&mut self, thread: usize, value: u64) -> Option<After> {
        let probe = self.threads[thread].state.probe;
        self.trying(thread, value, |machine, before, _| {
            if !machine.is_quiet(before, 1) || machine.threads[thread].state.status != Status::Ready
            {
                return None;
            }
            let done = machine.performed.actions[0];
            // Everything else must be as it was.
            machine.put(probe, value);
            let state = machine.threads[thread].state;
            let free = state.space.next..state.space.end;
            let is_unchanged = machine.memory.is_unchanged_since(&before.log, free);
            let difference = done.after.wrapping_sub(done.before);
            is_unchanged.then(|| After { difference, ..machine.after_actions(thread) })
        })
    }

    /// Returns what a thread is.
    pub(super) fn after_actions(&self, thread: usize) -> After {
        After {
            state: self.threads[thread].state,
            locals: self.memory.locals(thread),
            difference: 0,
            frames: self.live_slots(thread),
        }
    }

    /// Returns what matters of the frames of a thread.
    fn live_slots(&self, thread: usize) -> Vec<u64> {
        let code = &self.code;
        let thread = &self.threads[thread];
        let mut slots = Vec::new();
        for (base, pc) in frames(code, thread) {
            let frame = &thread.stack[base as usize..];
            let given = code.function_around(pc).map_or(FRAME_HEADER, |function| function.given());
            slots.extend_from_slice(&frame[..given as usize]);
            slots.extend(code.live_at(pc).iter().map(|slot| frame[*slot as usize]));
        }
        slots
    }

    /// Returns what a read-modify-write is.
    #[inline]
    pub(super) fn kind_of(&self, op: AtomicOp, pc: Pc) -> Kind {
        match (op, self.code.is_unused(pc)) {
            (AtomicOp::Add | AtomicOp::Sub, true) => Kind::BlindAddition,
            (AtomicOp::Add | AtomicOp::Sub, false) => Kind::Addition,
            _ => Kind::Any,
        }
    }

    /// Tells the threads that have yet to take back an update what a step of another thread has done.
    #[inline]
    pub(super) fn meet_debts(&mut self, by: usize) {
        if self.has_debts {
            self.meet_all_debts(by);
        }
    }

    #[inline(never)]
    fn meet_all_debts(&mut self, by: usize) {
        for thread in (0..self.threads.len()).filter(|thread| *thread != by) {
            let Some(debt) = self.threads[thread].watch.debt else { continue };
            let actions = &self.performed.actions;
            let is_spared = actions.len() == 1 && self.spared.contains(&(thread as u32));
            let is_about = |action: &Action| debt.is_about(action);
            if !is_spared && !debt.is_seen && actions.iter().any(is_about) {
                self.save_thread(thread);
                self.threads[thread].watch.debt = Some(Debt { is_seen: true, ..debt });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mazurka_core::model::{MemoryOrdering, ObjectId};

    use super::*;

    const X: Location = Location { object: ObjectId(7), start: 8, len: 4 };

    fn update(before: u32, after: u32) -> Action {
        let action = Action::new(Op::Update, X).ordered(MemoryOrdering::Relaxed);
        action.performed(u64::from(before), u64::from(after))
    }

    fn addition(before: u32, after: u32) -> Debt {
        Debt::new(&update(before, after), Kind::Addition).unwrap()
    }

    #[test]
    fn an_update_takes_back_another() {
        let sub = addition(0, u32::MAX);
        assert!(sub.is_settled_by(&addition(u32::MAX, 0)));
        assert!(sub.is_settled_by(&addition(5, 6)));
        assert!(!sub.is_settled_by(&addition(u32::MAX, 1)));
        assert!(!Debt { is_seen: true, ..sub }.is_settled_by(&addition(u32::MAX, 0)));
        let on = Location { start: 12, ..X };
        assert!(!sub.is_settled_by(&Debt { on, ..addition(u32::MAX, 0) }));
        assert!(!sub.is_settled_by(&Debt { kind: Kind::Any, ..addition(u32::MAX, 0) }));
    }

    #[test]
    fn only_additions_spare_other_accesses() {
        let load = Action::new(Op::Read, X).ordered(MemoryOrdering::Acquire);
        let part = Action { on: Location { len: 1, ..X }, ..load };
        let sub = addition(3, 2);
        assert!(sub.may_spare(&load, Kind::Any) && !sub.may_spare(&part, Kind::Any));
        assert!(sub.may_spare(&update(2, 7), Kind::Addition));
        assert!(
            !sub.may_spare(&update(2, 7), Kind::Any) && !sub.may_spare(&load.plain(), Kind::Any)
        );
        let exchange = Debt { kind: Kind::Any, ..sub };
        assert!(!exchange.may_spare(&load, Kind::Any));
    }

    #[test]
    fn a_lock_is_no_debt() {
        let lock = Action::new(Op::Update, X).performed(0, 1);
        assert!(Debt::new(&lock, Kind::Any).is_none());
        assert!(Debt::new(&update(0, 1).plain(), Kind::Any).is_none());
        assert!(Debt::new(&Action { op: Op::Write, ..update(0, 1) }, Kind::Any).is_none());
    }
}

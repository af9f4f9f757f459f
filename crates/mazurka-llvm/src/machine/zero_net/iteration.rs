//! Iterations of loops with zero net effect, run and undone.

use mazurka_core::model::{Action, Digest, Op};

use super::known::truncated;
use crate::bytecode::Op as Instruction;
use crate::machine::LlvmMachine;
use crate::machine::awaits::Before;
use crate::machine::taken_back::Kind;
use crate::machine::thread::{State, Status};

/// What an iteration does that begins with the pending action of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Iteration {
    /// It is no round trip.
    Other,
    /// It comes back to the action. Its debt is this.
    Returns(u64),
    /// It comes to a loop of loads, or back to it. This is a digest of the thread there.
    Waits(u64, Digest),
}

impl LlvmMachine {
    /// Finds out what an iteration of a thread does that begins with a value. `load` is what its loop of loads finds.
    pub(super) fn iteration(&mut self, thread: usize, value: u64, load: Option<u64>) -> Iteration {
        let State { action, probe, .. } = self.threads[thread].state;
        self.trying(thread, value, |machine, before, stack| {
            if !machine.is_quiet(before, 1) {
                return Iteration::Other;
            }
            let debt = added_by(&machine.performed.actions[0]);
            let is_blind = |machine: &Self, pc| {
                let op = &machine.code.ops[pc as usize];
                matches!(op, Instruction::ReadModifyWrite { op, .. } if machine.kind_of(*op, pc) == Kind::BlindAddition)
            };
            if debt == 0
                || !machine.is_about_to(thread, &action, is_blind)
                || !machine.goes_on_quietly(thread, before, 2)
                || truncated(debt.wrapping_add(added_by(&machine.performed.actions[1])), action.on) != 0
            {
                return Iteration::Other;
            }
            if machine.is_back(thread, before, stack) {
                return Iteration::Returns(debt);
            }
            let is_load = |machine: &Self, pc| {
                matches!(machine.code.ops[pc as usize], Instruction::Load { .. })
            };
            if !machine.is_about_to(thread, &action, is_load) || !machine.is_as_before(thread, before) {
                return Iteration::Other;
            }
            let at_load = machine.after_actions(thread);
            let Some(load) = load else { return Iteration::Waits(debt, at_load.digest()) };
            machine.put(probe, load);
            if !machine.goes_on_quietly(thread, before, 3) {
                return Iteration::Other;
            }
            machine.put(probe, value);
            match machine.is_back(thread, before, stack) {
                true => Iteration::Returns(debt),
                false if machine.is_as_before(thread, before)
                    && machine.after_actions(thread).is_like(&at_load) =>
                {
                    Iteration::Waits(debt, at_load.digest())
                }
                false => Iteration::Other,
            }
        })
    }

    /// Returns whether the next access of a thread in an attempt is an atomic one to the location of `first`, by such
    /// an instruction.
    fn is_about_to(
        &self,
        thread: usize,
        first: &Action,
        is_meant: impl Fn(&Self, crate::bytecode::Pc) -> bool,
    ) -> bool {
        let State { status, pc, action, atomic, .. } = &self.threads[thread].state;
        *status == Status::Ready
            && *atomic == 0
            && action.on == first.on
            && !action.plain
            && is_meant(self, *pc)
    }

    /// Runs a thread on in an attempt. Returns whether it has performed so many actions by then, and nothing else.
    fn goes_on_quietly(&mut self, thread: usize, before: &Before, actions: usize) -> bool {
        self.threads[thread].watch.go_on();
        self.threads[thread].state.status = Status::Running;
        self.run(thread, true);
        self.is_quiet(before, actions)
    }

    /// Returns whether memory is as it was before an attempt.
    fn is_as_before(&self, thread: usize, before: &Before) -> bool {
        let space = self.threads[thread].state.space;
        self.memory.is_unchanged_since(&before.log, space.next..space.end)
    }
}

/// Returns what an update adds.
fn added_by(action: &Action) -> u64 {
    match action.op {
        Op::Update => truncated(action.after.wrapping_sub(action.before), action.on),
        _ => 0,
    }
}

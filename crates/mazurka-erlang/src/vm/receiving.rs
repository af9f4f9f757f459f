//! Receives, as far as they are instructions: where they go on.

use super::Vm;
use super::instruction::Instruction;
use super::process::Pending;
use crate::term::{Term, atom};

impl Vm {
    /// Whether the receive that goes to `empty` without a message waits.
    pub(super) fn receive_at(&self, empty: u32) -> Pending {
        let waits = match self.code.instructions[empty as usize] {
            Instruction::WaitTimeout { time, .. } => {
                let time = self.get(time);
                let never = |limit: i64| time.as_small().is_some_and(|time| time >= limit);
                time.is_atom(atom::INFINITY) || self.never_after.is_some_and(never)
            }
            Instruction::Wait { .. } => true,
            _ => false,
        };
        Pending::Receive { waits }
    }

    /// Where a receive goes on that has found nothing in time: at the instruction that waits, which
    /// passes then, or finds that its time is none.
    pub(crate) fn after_timeout(&self, pc: u32) -> u32 {
        match self.code.instructions[pc as usize] {
            Instruction::LoopReceive { empty, .. } => empty,
            _ => pc + 1,
        }
    }

    /// Puts the message that a receive has taken where its patterns find it, and goes on there.
    pub(crate) fn receive(&mut self, pc: u32, message: Term) {
        if let Instruction::LoopReceive { to, .. } = self.code.instructions[pc as usize] {
            self.set(to, message);
        }
        self.run(pc + 1);
    }
}

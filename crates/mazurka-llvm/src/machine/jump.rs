//! `setjmp` and `longjmp`.
//!
//! `setjmp` keeps where its caller goes on: the instruction behind the call, the frame, and the slot of the
//! result. `longjmp` leaves the functions above that frame, as an exception does, but without cleaning up.

use mazurka_core::verdict::ViolationKind;

use super::LlvmMachine;
use super::access::Halt;
use crate::bytecode::{Code, NOWHERE, Op, Pc, Slot};

/// Where `longjmp` goes.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// The instruction behind the call of `setjmp`.
    pub(crate) pc: Pc,
    /// The frame of its caller.
    pub(crate) base: u32,
    /// The slot of its result.
    pub(crate) slot: Slot,
}

impl LlvmMachine {
    /// Returns where a jump to the library call that a thread is at goes.
    pub(crate) fn target_here(&self, thread: usize) -> Target {
        let slot = match self.code.ops[self.pc as usize] {
            Op::CallLibrary { d, .. } | Op::CallPointer { d, .. } => d,
            _ => NOWHERE,
        };
        Target { pc: self.pc + 1, base: self.threads[thread].state.base, slot }
    }

    /// Goes back to a call of `setjmp`, which returns `value` now; where that is.
    pub(super) fn jump(
        &mut self,
        code: &Code,
        thread: usize,
        pc: Pc,
        (target, value): (Target, u64),
        mut permit: bool,
    ) -> Result<Pc, Halt> {
        let function = |pc| code.function_around(pc).and_then(|function| function.entry);
        let caller = self.callers(thread, pc).find(|caller| caller.base == target.base);
        let caller = caller.filter(|caller| function(caller.pc) == function(target.pc));
        let Some(caller) = caller.filter(|_| (target.pc as usize) < code.ops.len()) else {
            let message = "`longjmp` goes to a function that has returned, or to a `jmp_buf` that \
                           `setjmp` has not written";
            let kind = ViolationKind::UndefinedBehaviour;
            let violation = self.violation_at(pc, kind, message.to_owned());
            return Err(self.fail_at(thread, pc, violation));
        };
        if let Some(callee) = caller.callee {
            self.leave(thread, pc, target.base, callee, &mut permit)?;
        }
        let slot = &mut self.threads[thread];
        slot.watch.progress();
        slot.state.phase = 0;
        if target.slot != NOWHERE {
            slot.stack[(target.base + target.slot) as usize] = value;
        }
        Ok(target.pc)
    }
}

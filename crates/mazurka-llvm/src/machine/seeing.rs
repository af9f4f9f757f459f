//! Steps that see memory as a memory model allows it, and fences.

use mazurka_core::model::{Action, Machine, MemoryOrdering, Op, Performed, ProcessId, Step, View};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::LlvmMachine;
use super::access::Halt;
use super::thread::{Probe, Status};
use crate::bytecode::Pc;
use crate::memory::Spot;

/// The size of the only accesses whose value does not fit into a word.
const WIDE: u32 = 16;

impl LlvmMachine {
    /// Performs a fence. Under a memory model it is a step, as soon as there are several threads.
    ///
    /// An [attempt](super::awaits) goes on past a fence, so that a loop with a fence can be an await. Without
    /// the fences of an iteration that is not run, fewer events are ordered, and the execution is still one
    /// of the program: the one in which the thread arrives later.
    pub(super) fn fence(
        &mut self,
        thread: usize,
        pc: Pc,
        ordering: MemoryOrdering,
        permit: &mut bool,
    ) -> Result<(), Halt> {
        if !self.memory_orderings || self.is_trying || !self.memory.is_shared() {
            return Ok(());
        }
        self.pc = pc;
        let (action, probe) = (Action::fence(ordering), Probe { byte: 0, len: 1 });
        if !*permit {
            self.suspend(thread, pc, action, probe);
            return Err(Halt);
        }
        self.perform(thread, action, probe);
        *permit = self.threads[thread].state.atomic > 0;
        Ok(())
    }

    /// Returns the value at the location of the next action of a process.
    pub(super) fn next_value(&self, process: ProcessId) -> Option<u64> {
        self.next(process)?;
        Some(self.probe(self.threads[process.index()].state.probe))
    }

    /// Takes a step whose location has another value for now.
    pub(super) fn step_with(
        &mut self,
        step: Step,
        view: View,
        performed: &mut Performed,
    ) -> Result<(), Box<Violation>> {
        let thread = &self.threads[step.process.index()];
        let (status, probe, action) =
            (thread.state.status, thread.state.probe, thread.state.action);
        if !matches!(status, Status::Ready | Status::Choosing) {
            let message = format!("the step {step} cannot be taken here");
            return Err(Box::new(Violation::new(ViolationKind::Nondeterminism, message)));
        }
        let is_wide = status == Status::Ready && action.on.len == WIDE && probe.len == 8;
        if is_wide && view != View::PRESENT {
            let message = "an atomic access of 16 bytes is not supported under a memory model";
            return Err(Box::new(Violation::new(ViolationKind::Unsupported, message.to_owned())));
        }
        let held = self.probe(probe);
        self.begin_step();
        if let Some(sees) = view.sees {
            self.put(probe, sees);
        }
        // An await is tried with the value that the step writes, and with the one that it leaves.
        let result = self.run_step(step, performed);
        let first = performed.actions.first();
        let writes = first.is_some_and(|action| !matches!(action.op, Op::Read | Op::Fence));
        match (writes, view.leaves) {
            (true, Some(leaves)) => self.put(probe, leaves),
            (false, _) if view.sees.is_some() => self.put(probe, held),
            _ => return result,
        }
        self.settle_awaits();
        result
    }

    /// Puts a value where an action looks for it.
    pub(super) fn put(&mut self, probe: Probe, value: u64) {
        let spot = Spot { byte: probe.byte, offset: 0, object: 0, flags: 0 };
        self.memory.write(spot, probe.len, value);
    }
}

//! States in which iterations begin.

use super::cpu::{Cpu, PRESERVED, RSP};
use super::stack::Stack;
use super::word::Word;
use crate::rt::iteration::Noted;

/// The state of a process at its operation.
#[derive(Default)]
pub(super) struct Start {
    /// The stack pointer, in the call of [`suspend_noting`](super::suspend_noting).
    pub(super) pointer: usize,
    /// The registers that a function preserves.
    pub(super) preserved: [Word; PRESERVED.len()],
    /// The stack from the stack pointer on, and which bytes of it are not defined.
    pub(super) bytes: Vec<u8>,
    pub(super) is_undefined: Vec<bool>,
}

impl Start {
    /// Sets it to the state of a process.
    ///
    /// # Safety
    ///
    /// The process is suspended by [`suspend_noting`](super::suspend_noting), which has noted its registers, and `end`
    /// is the end of its stack.
    pub(super) unsafe fn copy(&mut self, noted: Noted, end: usize) {
        let [pointer, preserved @ ..] = noted.words;
        self.pointer = pointer;
        self.preserved = preserved.map(|word| Word::known(word as u64));
        let used = std::ptr::with_exposed_provenance::<std::mem::MaybeUninit<u8>>(pointer);
        self.bytes.clear();
        self.bytes.reserve(end - pointer);
        // SAFETY: the caller says that this is the used part of the stack of a suspended process. The bytes of a
        // stack were written once, if only by the system. There is room for them.
        unsafe {
            let to = self.bytes.as_mut_ptr().cast::<std::mem::MaybeUninit<u8>>();
            std::ptr::copy_nonoverlapping(used, to, end - pointer);
            self.bytes.set_len(end - pointer);
        }
        self.is_undefined.clear();
        self.is_undefined.resize(self.bytes.len(), false);
    }

    /// Sets it to the state of a process that has come back to its operation.
    pub(super) fn keep(&mut self, cpu: &Cpu<'_>) {
        self.pointer = cpu.registers[RSP].bits as usize;
        self.preserved = PRESERVED.map(|it| Word { depends: false, ..cpu.registers[it] });
        cpu.stack.write_used(self.pointer, &mut self.bytes, &mut self.is_undefined);
    }
}

impl<'a> Cpu<'a> {
    /// A processor that is about to return from [`suspend_noting`](super::suspend_noting) in this state.
    pub(super) fn at(start: &Start, stack: &'a mut Stack, known: &'a super::Known) -> Self {
        stack.begin(start);
        let mut cpu = Cpu::new(stack, known);
        cpu.registers[RSP] = Word::known(start.pointer as u64);
        for (register, word) in PRESERVED.into_iter().zip(start.preserved) {
            cpu.registers[register] = word;
        }
        cpu.highest = start.pointer;
        cpu
    }
}

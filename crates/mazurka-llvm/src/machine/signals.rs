//! The signals that threads block and that are pending for them: see `library/runtime/signals.c`.

use super::LlvmMachine;
use crate::bytecode::own_words::SIGNALS;

impl LlvmMachine {
    /// Returns the address of the mask of a thread (0), or of its pending signals (1). They are words of
    /// the thread's own, unless the program sends signals to other threads.
    pub(crate) fn signal_word(&self, thread: usize, which: usize) -> u64 {
        match self.signal_words {
            Some(tables) => tables[which] + 8 * thread as u64,
            None => self.own_words(thread) + 8 * (u64::from(SIGNALS) + which as u64),
        }
    }

    /// Lets a new thread block the signals that its creator blocks.
    pub(super) fn inherit_signal_mask(&mut self, parent: usize, child: usize) {
        let find = |machine: &Self, thread| {
            machine.memory.find(thread, machine.signal_word(thread, 0), 8).ok()
        };
        let Some((from, to)) = find(self, parent).zip(find(self, child)) else { return };
        let mask = self.memory.read(from.byte, 8);
        if mask != self.memory.read(to.byte, 8) {
            self.write(child, to, 8, mask);
        }
    }
}

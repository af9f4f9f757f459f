//! Places in the program's own files.
//!
//! What a header of the C++ library does is told to be where the program calls it: the line of the header
//! says nothing to anybody.

use super::LlvmMachine;
use super::frame::frames;
use crate::bytecode::Pc;

impl LlvmMachine {
    /// The innermost call on the way to an instruction of a thread that is in a file of the program, or
    /// that instruction if there is none.
    pub(crate) fn own_place(&self, thread: usize, pc: Pc) -> Pc {
        let callers = frames(&self.code, &self.threads[thread]).skip(1).map(|(_, pc)| pc);
        std::iter::once(pc).chain(callers).find(|pc| self.is_own(*pc)).unwrap_or(pc)
    }

    /// Whether an instruction is in a file of the program.
    fn is_own(&self, pc: Pc) -> bool {
        let file = self.code.place(pc).map(|place| place.file as usize);
        file.is_some_and(|file| !self.code.system_files[file])
    }
}

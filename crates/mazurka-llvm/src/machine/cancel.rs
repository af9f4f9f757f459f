//! Threads that are to be cancelled: see `library/cancel.rs`.

use super::LlvmMachine;
use crate::bytecode::own_words::CANCEL_CHOICE;

/// What a thread waits for at a cancellation point, as a word of its own says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub(crate) enum CancelChoice {
    /// It is at none.
    None = 0,
    /// It goes on if it was not cancelled.
    Looks = 1,
    /// It waits for what the call is about.
    Waits = 2,
    /// It waits to be cancelled.
    IsCancelled = 3,
}

impl LlvmMachine {
    /// Returns the address of the word that says whether a thread is to be cancelled, if the program
    /// cancels threads.
    pub(crate) fn cancel_word(&self, thread: usize) -> Option<u64> {
        Some(self.cancel_words? + 8 * thread as u64)
    }

    /// Returns whether a thread that waits has chosen to wait for the wrong thing: another execution
    /// has the right one.
    pub(super) fn has_chosen_wrong(&self, thread: usize) -> bool {
        let read = |address| {
            let spot = self.memory.find(thread, address, 8).ok()?;
            Some(self.memory.read(spot.byte, 8))
        };
        let choice = self.own_words(thread) + 8 * u64::from(CANCEL_CHOICE);
        let Some(requested) = self.cancel_word(thread).and_then(read) else { return false };
        match read(choice) {
            Some(choice) if choice == CancelChoice::IsCancelled as u64 => requested == 0,
            Some(0) | None => false,
            Some(_) => requested != 0,
        }
    }
}

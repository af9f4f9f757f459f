//! Whether a synchronisation object was initialised or destroyed.
//!
//! A word of the object says so. The word contains the object's address, because a copy of an
//! initialised object is not an initialised object. Zeros, as static initialisers leave them, are a
//! valid object of which nothing is known.

use mazurka_core::verdict::ViolationKind;

use crate::machine::{Call, Stop};
use crate::memory::{NEVER_WRITTEN, Spot};

const INITIALISED: u64 = 0x1A17_0000_0000_0000;
const DESTROYED: u64 = 0xDEAD_0000_0000_0000;

/// The life of one object.
#[derive(Clone, Copy)]
pub(super) struct Life {
    /// What kind of object it is, for messages.
    what: &'static str,
    address: u64,
    /// The word that tells.
    word: Spot,
}

impl Life {
    /// Returns the life of the object at an address whose `offset`th byte starts the word.
    pub(super) fn new(what: &'static str, address: u64, spot: Spot, offset: usize) -> Self {
        Life { what, address, word: Spot { byte: spot.byte + offset, ..spot } }
    }

    fn is(self, call: &Call<'_>, state: u64) -> bool {
        call.machine.memory.read(self.word.byte, 8) == state ^ self.address
    }

    fn set(self, call: &mut Call<'_>, state: u64) {
        call.machine.write(call.thread, self.word, 8, state ^ self.address);
    }

    /// Returns a violation if the object was destroyed or never written. The caller must have
    /// performed an action on the object.
    pub(super) fn check(self, call: &Call<'_>, verb: &str) -> Result<(), Stop> {
        let memory = &call.machine.memory;
        let is_new = memory.read(self.word.byte, 8) == NEVER_WRITTEN
            && memory.is_never_written(self.word.byte, 8);
        let message = match self.is(call, DESTROYED) {
            true => format!("a destroyed {} is {verb}", self.what),
            false if is_new => format!("a {} is {verb} that was never initialised", self.what),
            false => return Ok(()),
        };
        Err(call.violation(ViolationKind::LockMisuse, message))
    }

    /// The object is initialised, which must not happen twice.
    pub(super) fn begin(self, call: &mut Call<'_>) -> Result<(), Stop> {
        if self.is(call, INITIALISED) {
            let message =
                format!("a {} is initialised twice, without being destroyed between", self.what);
            return Err(call.violation(ViolationKind::LockMisuse, message));
        }
        self.set(call, INITIALISED);
        Ok(())
    }

    /// The object is destroyed, which must not happen twice.
    pub(super) fn end(self, call: &mut Call<'_>) -> Result<(), Stop> {
        self.check(call, "destroyed again")?;
        self.set(call, DESTROYED);
        Ok(())
    }
}

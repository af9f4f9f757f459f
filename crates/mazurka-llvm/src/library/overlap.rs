//! Strings that are copied to memory that overlaps them.

use mazurka_core::verdict::ViolationKind;

use crate::machine::{Call, Stop, Undefined};

/// A string that is copied to memory.
pub(super) struct Copied {
    /// The address of the string, and how many characters are copied.
    pub(super) from: u64,
    pub(super) len: u64,
    /// How many bytes are read: one more if they include the zero at the end.
    pub(super) read: u64,
    /// Where bytes are written, and how many.
    pub(super) to: u64,
    pub(super) written: u64,
}

impl Copied {
    /// Returns the copy of a string and the zero at its end.
    pub(super) fn whole(from: u64, to: u64, len: u64) -> Self {
        Copied { from, len, read: len + 1, to, written: len + 1 }
    }

    /// Reports that the string is copied to memory that overlaps it, unless that is allowed.
    pub(super) fn check(&self, call: &Call<'_>) -> Result<(), Stop> {
        let overlaps = match self.from <= self.to {
            true => self.to - self.from < self.read && self.written > 0,
            false => self.from - self.to < self.written && self.read > 0,
        };
        if !overlaps || call.machine.options.allow.contains(Undefined::Overlap) {
            return Ok(());
        }
        let message =
            format!("a string of {} bytes is copied to memory that overlaps it", self.len);
        Err(call.violation(ViolationKind::UndefinedBehaviour, message))
    }
}

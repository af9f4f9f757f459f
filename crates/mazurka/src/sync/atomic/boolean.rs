//! `AtomicBool`.

use std::fmt;
use std::panic::Location as SourceLocation;

use super::access::{Exchange, Load, Store, Update};
use super::common::{common_methods, update_methods};
use super::word::{Initial, Word};
use super::{Ordering, Orderings};

/// An atomic `bool`, as [`std::sync::atomic::AtomicBool`].
///
/// ```
/// use mazurka::sync::atomic::{AtomicBool, Ordering::SeqCst};
///
/// mazurka::check(|| {
///     let flag = AtomicBool::new(false);
///     assert!(!flag.swap(true, SeqCst));
///     assert!(flag.load(SeqCst));
/// });
/// ```
pub struct AtomicBool {
    word: Word,
}

fn to_bits(value: bool) -> u64 {
    value.into()
}

fn from_bits(bits: u64) -> bool {
    bits != 0
}

impl AtomicBool {
    /// Creates an atomic that holds `value` at the start of every execution.
    #[track_caller]
    pub const fn new(value: bool) -> Self {
        AtomicBool { word: Word::new("AtomicBool", Initial::Number(value as u64), Self::show) }
    }

    fn show(bits: u64) -> String {
        from_bits(bits).to_string()
    }

    /// Returns a mutable reference to the value. This is not a step.
    #[track_caller]
    pub fn get_mut(&mut self) -> &mut bool {
        let Initial::Number(bits) = self.word.get_mut() else { unreachable!() };
        let low = match cfg!(target_endian = "big") {
            true => size_of::<u64>() - 1,
            false => 0,
        };
        // SAFETY: the word is 0 or 1, so its lowest byte is a valid `bool`, and stays one.
        unsafe { &mut *std::ptr::from_mut(bits).cast::<bool>().add(low) }
    }

    common_methods!(bool, to_bits, from_bits);

    update_methods!(bool, to_bits, from_bits,
        "Stores the logical \"and\" with `value`, and returns the previous value."
            fetch_and = |old, value| old & value;
        "Stores the logical \"nand\" with `value`, and returns the previous value."
            fetch_nand = |old, value| !(old & value);
        "Stores the logical \"or\" with `value`, and returns the previous value."
            fetch_or = |old, value| old | value;
        "Stores the logical \"exclusive or\" with `value`, and returns the previous value."
            fetch_xor = |old, value| old ^ value;
    );

    /// Inverts the value, and returns the previous value.
    #[inline(always)]
    #[track_caller]
    pub fn fetch_not(&self, order: Ordering) -> bool {
        let not = Update { name: "fetch_not", operand: 1, change: |bits| bits ^ 1, from_bits };
        self.word.access(SourceLocation::caller(), not, Orderings::one(order))
    }
}

impl From<bool> for AtomicBool {
    #[track_caller]
    fn from(value: bool) -> Self {
        AtomicBool::new(value)
    }
}

impl Default for AtomicBool {
    #[track_caller]
    fn default() -> Self {
        AtomicBool::new(false)
    }
}

impl fmt::Debug for AtomicBool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.load(Ordering::Relaxed), f)
    }
}

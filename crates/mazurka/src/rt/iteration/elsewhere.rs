//! Machines whose code is not interpreted.

use super::{Known, Noted, Outcome};
use crate::rt::process::Suspender;

/// Interprets nothing.
#[derive(Default)]
pub(in crate::rt) struct Interpreter;

impl Interpreter {
    pub(in crate::rt) const IS_SUPPORTED: bool = false;

    /// # Safety
    ///
    /// None is needed.
    pub(in crate::rt) unsafe fn look_at(&mut self, _noted: Noted, _end: usize) {}

    pub(in crate::rt) fn compare(&mut self, _known: &Known, _value: u64) -> Outcome {
        Outcome::Leaves
    }

    pub(in crate::rt) fn detours(
        &mut self,
        _known: &Known,
        _value: u64,
        _values: &[u64],
    ) -> Option<bool> {
        None
    }

    pub(in crate::rt) fn go_on(&mut self, _known: &Known, _value: u64) {}

    pub(in crate::rt) fn loops(&mut self, _known: &Known, _value: u64) -> bool {
        false
    }

    pub(in crate::rt) fn converges(&mut self, _known: &Known, _value: u64) -> bool {
        false
    }
}

/// Suspends the current process, whose suspender this is.
///
/// # Safety
///
/// The suspender is that of the current process.
pub(in crate::rt) unsafe extern "C-unwind" fn suspend_noting(
    suspender: *const Suspender,
    noted: *mut Noted,
) {
    // SAFETY: as the caller promises.
    unsafe { super::suspend(suspender, noted) };
}

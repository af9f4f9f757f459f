//! How many earlier events the explorers look at, in builds with debug assertions.
//!
//! The cost of an execution must grow like its length, not like the square of it. Time depends on the
//! computer, so the test of this compares counts.

use std::cell::Cell;

thread_local! {
    static LOOKS: Cell<u64> = const { Cell::new(0) };
}

/// Counts a look at an earlier event. Machines that compare a step with earlier ones call it, too.
#[doc(hidden)]
#[inline(always)]
pub fn look() {
    if cfg!(debug_assertions) {
        LOOKS.set(LOOKS.get() + 1);
    }
}

/// Returns how often explorers in this thread have looked at an earlier event. Without debug assertions
/// it is 0.
#[doc(hidden)]
pub fn looks() -> u64 {
    LOOKS.get()
}

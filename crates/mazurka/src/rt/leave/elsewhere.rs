//! Where it is not known what unwinding would do: it is done.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::Result;

use crate::rt::teardown;

/// Runs the code of the current process. The error is what it panicked with.
pub(crate) fn run<T>(f: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(f))
}

/// Leaves the code of the current process, unless that must do nothing.
pub(in crate::rt) fn leave() {
    if !teardown::may_do_nothing() {
        teardown::unwind();
    }
}

/// Nothing is known.
#[derive(Default)]
pub(in crate::rt) struct Routes;

impl Routes {
    pub(in crate::rt) fn clear(&mut self) {}
}

//! Unwinding that does not count as a panic.
//!
//! A process that is torn down is unwound by a panic, so that destructors run. But nothing is wrong with
//! the program. A destructor that asks [`std::thread::panicking`] must not poison a lock or abort the
//! process, as those of tokio's worker threads do.
//!
//! The standard library counts the panics of an OS thread. The count goes up when unwinding begins, and
//! down when it is caught. It cannot be set, but it can be balanced by another panic: a *weight* is a
//! coroutine that is suspended in the middle of unwinding, which counts as one panic.
//!
//! | | panics of processes | weight | count |
//! |---|---|---|---|
//! | at rest | -1 | 1 | 0 |
//! | a process begins to unwind | 0 | 1 | 1 |
//! | the weight is [lifted](lift), and destructors run | 0 | 0 | 0 |
//! | the unwinding is caught | -1 | 0 | -1 |
//! | the weight is [put back](put_back) | -1 | 1 | 0 |
//!
//! To begin with, one panic is caught that never began ([`forget_panics`]).
//!
//! Alternatives are worse. To leak what is on the stack keeps locks of the standard library locked, and
//! takes more memory with each execution. A forced unwinding, or one by an exception of another language,
//! is not counted, but aborts the process in the first `catch_unwind` on its way.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use corosensei::{Coroutine, Yielder};

use super::panics::forget_panics;

/// Raises a panic and is suspended in the middle of it, or catches it and is suspended after that.
struct Weight {
    coroutine: Coroutine<(), (), ()>,
    /// Whether it is in the middle of unwinding.
    counts: bool,
}

thread_local! {
    static WEIGHT: Cell<Option<Weight>> = const { Cell::new(None) };
}

/// Suspends a coroutine when it is dropped.
struct Pause<'a>(&'a Yielder<(), ()>);

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        self.0.suspend(());
    }
}

impl Weight {
    fn new() -> Self {
        let coroutine = Coroutine::new(|yielder: &Yielder<(), ()>, ()| {
            loop {
                let _ = catch_unwind(AssertUnwindSafe(|| {
                    let _pause = Pause(yielder);
                    resume_unwind(Box::new(()));
                }));
                yielder.suspend(());
            }
        });
        Weight { coroutine, counts: false }
    }

    fn toggle(&mut self) {
        self.coroutine.resume(());
        self.counts = !self.counts;
    }
}

impl Drop for Weight {
    fn drop(&mut self) {
        // The OS thread ends. The coroutine has nothing to drop, and is not unwound.
        // SAFETY: its stack holds only what `new` has put there, and nothing else refers to it.
        unsafe { self.coroutine.force_reset() };
    }
}

/// Makes sure that there is a weight. Not while the OS thread panics.
pub(super) fn prepare() {
    let Ok(weight) = WEIGHT.try_with(Cell::take) else { return };
    let weight = weight.unwrap_or_else(|| {
        let mut weight = Weight::new();
        weight.toggle();
        forget_panics(1);
        weight
    });
    WEIGHT.set(Some(weight));
}

/// Lifts the weight: a process has just begun to unwind, and does not count any more. Returns `false` if
/// the weight is lifted already, or if there is none.
pub(super) fn lift() -> bool {
    let Ok(Some(mut weight)) = WEIGHT.try_with(Cell::take) else { return false };
    let lifts = weight.counts;
    if lifts {
        weight.toggle();
    }
    WEIGHT.set(Some(weight));
    lifts
}

/// Returns whether a process for which the weight is lifted still unwinds. Otherwise code of the user has
/// caught the panic.
///
/// The count is 0 or -1. The standard library does not distinguish the two, but it does with the weight.
pub(super) fn is_unwinding() -> bool {
    let Ok(Some(mut weight)) = WEIGHT.try_with(Cell::take) else { return true };
    weight.toggle();
    let counts = std::thread::panicking();
    weight.toggle();
    WEIGHT.set(Some(weight));
    counts
}

/// Puts the weight back, and lets the standard library forget all panics, also those of processes that
/// were abandoned. No process may be in the middle of unwinding.
pub(super) fn put_back() {
    let Ok(weight) = WEIGHT.try_with(Cell::take) else { return };
    if let Some(mut weight) = weight {
        if !weight.counts {
            weight.toggle();
        }
        WEIGHT.set(Some(weight));
    }
    forget_panics(usize::MAX);
}

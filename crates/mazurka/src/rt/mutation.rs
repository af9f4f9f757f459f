//! Mistakes that tests make the machine make, to show that they would be found.

use std::cell::Cell;

thread_local! {
    static WITHOUT_GUARDS: Cell<bool> = const { Cell::new(false) };
    static WITHOUT_AWAITS: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f` while the machines of this OS thread do not tell their guards.
pub(crate) fn without_guards<R>(f: impl FnOnce() -> R) -> R {
    let before = WITHOUT_GUARDS.replace(true);
    let result = f();
    WITHOUT_GUARDS.set(before);
    result
}

/// Runs `f` while the machines of this OS thread run all iterations of loops.
pub(crate) fn without_awaits<R>(f: impl FnOnce() -> R) -> R {
    let before = WITHOUT_AWAITS.replace(true);
    let result = f();
    WITHOUT_AWAITS.set(before);
    result
}

pub(super) fn has_no_awaits() -> bool {
    WITHOUT_AWAITS.get()
}

pub(super) fn has_no_guards() -> bool {
    WITHOUT_GUARDS.get()
}

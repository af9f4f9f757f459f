//! Mistakes that tests make the machine make, to show that they would be found.

use std::cell::Cell;

thread_local! {
    static WITHOUT_GUARDS: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f` while the machines of this OS thread do not tell their guards.
pub(crate) fn without_guards<R>(f: impl FnOnce() -> R) -> R {
    WITHOUT_GUARDS.set(true);
    let result = f();
    WITHOUT_GUARDS.set(false);
    result
}

pub(super) fn has_no_guards() -> bool {
    WITHOUT_GUARDS.get()
}

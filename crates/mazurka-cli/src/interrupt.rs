//! Ctrl-C and SIGTERM: the first one ends a check with what is known so far, the second one ends
//! the command at once.

use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use crate::watchdog;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Returns the flag that is set by the first signal.
pub(crate) fn flag() -> &'static AtomicBool {
    &INTERRUPTED
}

/// Returns whether there was a signal.
pub(crate) fn was_pressed() -> bool {
    INTERRUPTED.load(SeqCst)
}

/// From here on, a signal sets the flag.
pub(crate) fn listen() {
    let handler = || {
        if INTERRUPTED.swap(true, SeqCst) {
            watchdog::clean_up();
            // The exit code that shells give to a process that Ctrl-C ends.
            exit(130);
        }
    };
    // If there is no handler, a signal ends the command without a verdict.
    let _ = ctrlc::set_handler(handler);
}

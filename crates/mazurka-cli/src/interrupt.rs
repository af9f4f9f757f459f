//! Ctrl-C: a check ends with what is known so far; a second one ends everything at once.

use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Set once Ctrl-C was pressed.
pub(crate) fn flag() -> &'static AtomicBool {
    &INTERRUPTED
}

/// Whether Ctrl-C was pressed.
pub(crate) fn was_pressed() -> bool {
    INTERRUPTED.load(SeqCst)
}

/// From here on, Ctrl-C sets the flag.
pub(crate) fn listen() {
    let handler = || {
        if INTERRUPTED.swap(true, SeqCst) {
            // What a shell expects of who ends by the signal.
            exit(130);
        }
    };
    // Without it Ctrl-C still ends the command, only not with a verdict.
    let _ = ctrlc::set_handler(handler);
}

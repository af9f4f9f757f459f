//! Surviving the abort that follows a panic in a destructor while another panic unwinds.
//!
//! The standard library tells the panic hook, and then aborts. The hook is no place to leave the
//! process for good: it runs under a lock, which whoever sets another hook waits for. So it lets
//! the standard library go on, and the coroutine is left in the handler of the signal that the
//! abort raises: there, nothing is held. The signal is raised by the very OS thread that handles
//! it, in a known place, so that the handler may do what handlers otherwise may not.
//!
//! All other aborts are [described](super::crash), and go on.
//!
//! Where there are no signals, such a program aborts, as it would by itself.

#[cfg(unix)]
mod signal {
    use std::cell::Cell;
    use std::ffi::c_int;
    use std::sync::OnceLock;

    use std::ptr;

    use crate::rt::teardown::abandon;
    use crate::rt::{CURRENT, crash};

    const SIGABRT: c_int = 6;
    /// What is not the address of a handler: the default, to ignore, an error.
    const NO_HANDLER: [usize; 3] = [0, 1, usize::MAX];

    unsafe extern "C" {
        safe fn signal(number: c_int, handler: usize) -> usize;
    }

    thread_local! {
        /// Whether the current process is about to abort.
        static EXPECTED: Cell<bool> = const { Cell::new(false) };
    }

    static PREVIOUS: OnceLock<usize> = OnceLock::new();

    extern "C" fn handle(number: c_int) {
        if EXPECTED.replace(false) {
            abandon();
        }
        // This abort does not come from Mazurka: it continues when this returns.
        let runtime = CURRENT.try_with(Cell::get).unwrap_or(ptr::null_mut());
        // SAFETY: the pointer is null, or of the runtime whose step this OS thread is in. No code that has
        // a reference to the runtime aborts.
        if let Some(runtime) = unsafe { runtime.as_ref() } {
            crash::describe(runtime, "an abort");
        }
        if let Some(previous) = PREVIOUS.get().filter(|handler| !NO_HANDLER.contains(handler)) {
            // SAFETY: `signal` has said that this was the handler.
            let previous: extern "C" fn(c_int) = unsafe { std::mem::transmute(*previous) };
            previous(number);
        }
    }

    pub(in crate::rt) fn install() {
        let handler: extern "C" fn(c_int) = handle;
        PREVIOUS.get_or_init(|| signal(SIGABRT, handler as usize));
    }

    pub(in crate::rt) fn expect() {
        install();
        EXPECTED.set(true);
    }
}

/// Makes aborts of processes on this OS thread be reported.
pub(super) fn install() {
    #[cfg(unix)]
    signal::install();
}

/// The current process is about to abort: when it does, abandon it.
pub(super) fn expect() {
    #[cfg(unix)]
    signal::expect();
}

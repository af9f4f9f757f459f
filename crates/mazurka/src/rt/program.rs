//! A closure, to be run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use mazurka_core::model::Program;
use mazurka_core::verdict::Violation;

use super::{RustMachine, Tuning};

/// A closure, and how to run it.
pub(crate) struct RustProgram<F> {
    main: Arc<F>,
    tuning: Tuning,
    wants_ends: Arc<AtomicBool>,
}

impl<F: Fn() + Send + Sync> RustProgram<F> {
    pub(crate) fn new(main: F, tuning: Tuning) -> Self {
        RustProgram { main: Arc::new(main), tuning, wants_ends: Arc::default() }
    }

    /// Whether a process has asked if another one has ended.
    ///
    /// Such a program must be explored anew, from the start: ends of processes are reported only
    /// by machines that were started after somebody had asked. Few programs ever do, and the
    /// others need not pay for it.
    pub(crate) fn asks_for_ends(&self) -> bool {
        self.wants_ends.load(Relaxed)
    }

    /// A machine that records what it does, and whether it could be started.
    pub(super) fn start_recording(&self) -> (RustMachine<F>, Result<(), Box<Violation>>) {
        RustMachine::start(self.main.clone(), self.tuning, self.wants_ends.clone(), true)
    }
}

impl<F: Fn() + Send + Sync> Program for RustProgram<F> {
    type Machine = RustMachine<F>;

    fn start(&self) -> Result<Self::Machine, Box<Violation>> {
        let (machine, result) =
            RustMachine::start(self.main.clone(), self.tuning, self.wants_ends.clone(), false);
        result.map(|()| machine)
    }
}

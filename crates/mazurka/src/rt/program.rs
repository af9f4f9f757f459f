//! A closure, to be run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use mazurka_core::model::Program;
use mazurka_core::verdict::Violation;

use super::{RustMachine, Tuning};

/// The closure that is checked.
pub(crate) type Main<'a> = dyn Fn() + Send + Sync + 'a;

/// A closure, and how to run it.
pub(crate) struct RustProgram<'a> {
    main: &'a Main<'a>,
    tuning: Tuning,
    wants_ends: Arc<AtomicBool>,
}

impl<'a> RustProgram<'a> {
    pub(crate) fn new(main: &'a Main<'a>, tuning: Tuning) -> Self {
        RustProgram { main, tuning, wants_ends: Arc::default() }
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
    pub(super) fn start_recording(&self) -> (RustMachine<'a>, Result<(), Box<Violation>>) {
        RustMachine::start(self.main, self.tuning, self.wants_ends.clone(), true)
    }
}

impl<'a> Program for RustProgram<'a> {
    type Machine = RustMachine<'a>;

    fn start(&self) -> Result<Self::Machine, Box<Violation>> {
        let (machine, result) =
            RustMachine::start(self.main, self.tuning, self.wants_ends.clone(), false);
        result.map(|()| machine)
    }
}

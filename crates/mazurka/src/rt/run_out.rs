//! Letting the processes of an execution that counts for nothing go on to their end.
//!
//! A [teardown](super::teardown) unwinds a process in the middle of an operation. But an atomic operation
//! never panics, so unsafe code is not prepared for that. A list may be half linked, and the destructor of
//! one thread frees what another one still points to. So the processes first go on, one step each in turn,
//! with memory as it is. In this way the program runs as it may run by itself. Only the processes that
//! still wait then are unwound. A process that ends by itself is cheaper, too: unwinding takes about 22,000
//! instructions.

use mazurka_core::model::{ProcessId, Step};

use super::Runtime;
use super::departures::Departures;
use super::machine::RustMachine;

/// How many steps an execution goes on that counts for nothing.
const LONGEST: usize = 10_000;

impl RustMachine<'_> {
    /// Runs the execution to its end in some order, and learns which places create several objects. The
    /// search starts over in any case.
    ///
    /// What processes read then need not fit to what `graphs` has let them read before.
    pub(super) fn run_out_and_learn(&mut self) {
        self.go_on(true);
    }

    /// Runs the execution to its end in some order, and learns nothing from that.
    pub(super) fn run_out(&mut self) {
        let rt = self.runtime_mut();
        let is_done = rt.never_ends || rt.assumption_failed || rt.runs_out;
        // A process may have seen an address of an earlier run.
        if is_done || rt.is_unheard_of || rt.is_unstable() || std::thread::panicking() {
            return;
        }
        let sites = rt.plural_sites.len();
        let has_ended = self.go_on(false);
        let rt = self.runtime_mut();
        rt.never_ends = !has_ended;
        rt.plural_sites.truncate(sites);
        rt.forget_wishes();
    }

    /// Lets each process in turn take a step until none can. Returns whether that moment has come.
    fn go_on(&mut self, learns: bool) -> bool {
        let rt = self.runtime_mut();
        rt.runs_out = true;
        rt.performed = None;
        let mut last = 0;
        for _ in 0..LONGEST {
            let Some(next) = self.runtime().next_in_turn(last) else { return true };
            self.take(Step::of(ProcessId::new(next)));
            if learns {
                self.learn_of_plural_site();
            }
            last = next;
        }
        false
    }
}

impl Runtime {
    /// Returns the first enabled process after `last`, in a circle.
    fn next_in_turn(&self, last: usize) -> Option<usize> {
        let all = self.processes.len();
        (last + 1..all).chain(0..all.min(last + 1)).find(|process| self.is_enabled(*process))
    }

    /// Forgets what the last steps ask the search for, and what was wrong with them.
    fn forget_wishes(&mut self) {
        self.violation = None;
        self.wanted = Departures::default();
        self.resources.wanted = None;
        self.new_plural_site = None;
        self.tells_twins_apart = self.twins_are_apart;
    }
}

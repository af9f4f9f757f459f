//! Livelocks of threads that take back what they change.
//!
//! A thread that [takes back](super::taken_back) its updates in every iteration changes a value for a while.
//! Another thread that waits may see that value, and go on because of it. So if an execution ends with such
//! threads, the machine looks at all states that can be reached if they go on. The execution is a livelock only if no
//! execution ends from there. Otherwise it is dropped.

use std::collections::HashSet;

use mazurka_core::model::{Ending, Machine, Performed, ProcessId, Step};
use mazurka_core::verdict::ViolationKind;

use super::LlvmMachine;
use super::awaits::Await;

/// If there are more states, the execution is a livelock: each thread can be in its loop for ever, as long as no
/// other thread sees what it changes.
const MOST_STATES: usize = 2_000;

impl LlvmMachine {
    /// Finds out whether an execution that ends as a livelock is one.
    #[inline]
    pub(super) fn judge_livelock(&mut self) {
        if self.has_debts
            && !self.is_judging
            && self.options.unroll.is_none()
            && self.first_enabled(ProcessId::MAIN).is_none()
        {
            self.judge();
        }
    }

    #[inline(never)]
    fn judge(&mut self) {
        let is_livelock = |violation: &mazurka_core::verdict::Violation| {
            violation.kind == ViolationKind::Livelock
        };
        if !matches!(self.how_it_ended(), Ending::Stuck(violation) if is_livelock(&violation)) {
            return;
        }
        let (recorder, pc, running) = (self.recorder.take(), self.pc, self.running);
        let (choice, violation) = (self.choice, self.violation.take());
        let performed = std::mem::take(&mut self.performed);
        let guards = std::mem::take(&mut self.guards);
        let runnable = std::mem::take(&mut self.runnable);
        self.is_judging = true;
        let escapes = self.can_end(&mut HashSet::new());
        self.is_judging = false;
        (self.recorder, self.pc, self.running) = (recorder, pc, running);
        (self.choice, self.violation) = (choice, violation);
        (self.performed, self.guards, self.runnable) = (performed, guards, runnable);
        self.ending_state.escapes = escapes;
    }

    /// Returns whether an execution ends that goes on from here, among those through at most [`MOST_STATES`] states
    /// that are not in `seen`.
    fn can_end(&mut self, seen: &mut HashSet<u128>) -> bool {
        self.begin_step();
        self.release_spinning();
        let mut ends = false;
        if seen.len() < MOST_STATES && seen.insert(self.digest(None)) {
            let machine: &dyn Machine = self;
            let choices = |process| (0..machine.alternatives(process)).map(move |c| (process, c));
            let steps: Vec<_> = machine.enabled().flat_map(choices).collect();
            ends = steps.is_empty() && !matches!(self.how_it_ended(), Ending::Stuck(_));
            for (process, choice) in steps {
                let result = self.step(Step { process, choice }, &mut Performed::default());
                ends = result.is_err() || self.can_end(seen);
                self.undo_step();
                if ends {
                    break;
                }
            }
        }
        self.undo_step();
        ends
    }

    /// Lets threads go on that have run, or would run, an iteration that changes nothing.
    fn release_spinning(&mut self) {
        for thread in 0..self.threads.len() {
            // A value at which an iteration ended in vain may be among those that do not end the wait.
            let awaits = self.is_awaiting(thread).is_some();
            if !awaits && !self.has_spun(thread) {
                continue;
            }
            self.save_thread(thread);
            let slot = &mut self.threads[thread];
            slot.watch.go_on();
            match awaits {
                true => slot.state.awaits = Await::New,
                false => slot.watch.progress(),
            }
        }
        self.settle_awaits();
    }
}

//! The limits of a search, and its progress.
//!
//! Limits count from the beginning of the check, even if the search starts over.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::search::Progress;
use crate::search::driver::{Driver, Stop};
use crate::search::strategy::Strategy;
use crate::verdict::Bound;

/// The number of steps between two checks of the clock.
pub(super) const STEPS_BETWEEN_LOOKS: u32 = 1024;
/// The time between two calls of [`Monitor::progress`](crate::search::Monitor::progress).
pub(super) const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

impl Driver<'_> {
    pub(super) fn check_limits(&mut self, strategy: &impl Strategy) -> Result<(), Stop> {
        if self.team.is_stopping() {
            return Err(Stop);
        }
        if let Some(max) = self.options.max_executions {
            let (executions, blocked) = self.runs_of_check();
            if executions + blocked >= max {
                return self.reach(Bound::Executions);
            }
        }
        // Count a short execution as 8 steps.
        self.steps_to_next_look = self.steps_to_next_look.saturating_sub(8).max(1);
        if self.steps_to_next_look == 1 {
            self.look_at_clock(strategy)?;
        }
        Ok(())
    }

    #[cold]
    pub(super) fn look_at_clock(&mut self, strategy: &impl Strategy) -> Result<(), Stop> {
        self.steps_to_next_look = STEPS_BETWEEN_LOOKS;
        if self.team.is_stopping() {
            return Err(Stop);
        }
        let (executions, blocked) = self.runs_of_check();
        if self.options.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return self.reach(Bound::Interrupted);
        }
        let elapsed = self.started.elapsed();
        if self.options.time_limit.is_some_and(|limit| elapsed >= limit) {
            return self.reach(Bound::Time);
        }
        self.team.look_at_clock();
        if self.options.scouts {
            self.scouts.look_at_clock(elapsed);
        }
        if elapsed >= self.next_progress {
            self.next_progress = elapsed + PROGRESS_INTERVAL;
            self.show_progress(strategy, (executions, blocked), elapsed);
        }
        Ok(())
    }

    /// Shows the progress after an execution, if the monitor wants that.
    #[inline]
    pub(super) fn offer_progress(&mut self, strategy: &impl Strategy) {
        if self.machine.wants_progress(self.verdict.executions + self.verdict.blocked) {
            let (runs, elapsed) = (self.runs_of_check(), self.started.elapsed());
            self.show_progress(strategy, runs, elapsed);
        }
    }

    fn show_progress(
        &mut self,
        strategy: &impl Strategy,
        (executions, blocked): (u64, u64),
        elapsed: Duration,
    ) {
        let position = self.execution.schedule();
        let branches = |depth| strategy.branches(depth);
        let estimate = self.estimator.estimate(self.execution.len(), branches);
        let position = position.steps();
        self.machine.progress(&Progress { executions, blocked, elapsed, estimate, position });
    }

    /// Returns the number of executions and the number of executions that ended early, since the
    /// search last started over.
    pub(super) fn runs(&mut self) -> (u64, u64) {
        self.team.runs((self.verdict.executions, self.verdict.blocked))
    }

    /// Returns these numbers since the beginning of the check. Limits apply to them.
    fn runs_of_check(&mut self) -> (u64, u64) {
        let (executions, blocked) = self.runs();
        (self.discarded.0 + executions, self.discarded.1 + blocked)
    }

    /// Stops because of a limit, or lets the team end what it is doing.
    fn reach(&mut self, limit: Bound) -> Result<(), Stop> {
        match self.team.pauses_for(limit) {
            true => Ok(()),
            false => self.stop(limit),
        }
    }

    pub(super) fn stop(&mut self, bound: Bound) -> Result<(), Stop> {
        self.verdict.stopped = Some(bound);
        Err(Stop)
    }
}

//! The interface of a front end for checks and reports.

use mazurka_core::explore::Checkable;
use mazurka_core::verdict::Schedule;

use crate::{Recording, plain};

/// A program that can be checked, and whose executions can be described in the user's terms.
///
/// A front end implements this trait once, and gets checks, replays and reports through
/// [`Run`](crate::Run).
pub trait Subject: Checkable {
    /// Returns the name of the program in reports: that of a test or a file.
    fn name(&self) -> String;

    /// Runs one execution and records it.
    ///
    /// It follows the schedule, and stops at its end, at a failure, or at a step that cannot be
    /// taken, which is the [misfit](Recording::misfit) of the recording. At the end of an
    /// execution, it lists the processes that are blocked.
    ///
    /// By default, it describes the execution in the terms of the core, which few users know.
    fn record(&self, schedule: &Schedule) -> Recording {
        match self.start() {
            Ok(mut machine) => plain::recording(&mut machine, schedule),
            Err(violation) => Recording { violation: Some(*violation), ..Recording::default() },
        }
    }

    /// Returns the shell command that replays this schedule. It is empty if the caller of the check
    /// provides the command.
    fn replay_command(&self, _schedule: &Schedule) -> String {
        String::new()
    }

    /// Assumes another set of lessons that running the program might have taught, because a
    /// schedule does not fit: the check that printed it may have learnt more. Returns `false` once
    /// all sets have been tried, and assumes no lessons then.
    fn suppose(&self) -> bool {
        false
    }
}

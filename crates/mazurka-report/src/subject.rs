//! What can be checked and told about.

use mazurka_core::model::Program;
use mazurka_core::verdict::Schedule;

use crate::{Recording, plain};

/// A program that can be checked, and whose executions can be told in the user's words.
///
/// A front end implements it once, and has checks, replays and reports through
/// [`Run`](crate::Run).
pub trait Subject: Program {
    /// What the program is called in reports: a test's name, a file's.
    fn name(&self) -> String;

    /// Runs one execution, and writes down what happens.
    ///
    /// It follows the schedule as long as that lasts, and stops where it ends, where something
    /// goes wrong, or where a step cannot be taken, which is the recording's
    /// [misfit](Recording::misfit). At the end of an execution it says who cannot go on.
    ///
    /// By default it is told in the core's own words, which few users know.
    fn record(&self, schedule: &Schedule) -> Recording {
        match self.start() {
            Ok(mut machine) => plain::recording(&mut machine, schedule),
            Err(violation) => Recording { violation: Some(*violation), ..Recording::default() },
        }
    }

    /// The line for a shell that runs this schedule again; empty if whoever runs the check knows
    /// better.
    fn replay_command(&self, _schedule: &Schedule) -> String {
        String::new()
    }

    /// Supposes something else that running the program might have taught, since a schedule does not
    /// fit: it may come from a check that had learnt more. Once all has been supposed it supposes
    /// nothing again, and returns `false`.
    fn suppose(&self) -> bool {
        false
    }
}

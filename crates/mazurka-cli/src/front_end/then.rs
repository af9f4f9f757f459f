//! Checks that are followed by something else.

use std::time::Duration;

use mazurka_core::explore::{Explored, Part, PartError};
use mazurka_core::search::Options;
use mazurka_core::verdict::{Schedule, Verdict};
use mazurka_report::page::Details;
use mazurka_report::{CheckpointFile, Report, Subject};

use super::{Checked, Outcome, Workers};
use crate::Complaint;

/// A program, and what to do after a check of it on this machine.
pub(super) struct Then<S, F> {
    pub(super) program: S,
    pub(super) then: F,
    /// Why the program cannot be checked on a cluster, where nothing follows the check.
    pub(super) not_divided: &'static str,
}

impl<S: Subject, F: Fn(&S, &Options<'_>, &mut Outcome)> Checked for Then<S, F> {
    fn check(
        &self,
        options: &Options<'_>,
        workers: Workers,
        checkpoint: Option<&mut CheckpointFile>,
        explain: Duration,
    ) -> Result<Outcome, Complaint> {
        let mut outcome = Checked::check(&self.program, options, workers, checkpoint, explain)?;
        (self.then)(&self.program, options, &mut outcome);
        Ok(outcome)
    }

    fn replay(&self, schedule: &Schedule, options: &Options<'_>) -> Outcome {
        self.program.replay(schedule, options)
    }

    fn details(&self, schedule: &Schedule) -> Details {
        self.program.details(schedule)
    }

    fn passing(&self, schedule: &Schedule) -> Report {
        self.program.passing(schedule)
    }

    fn tree(&self, options: &Options<'_>) -> String {
        self.program.tree(options)
    }

    fn program_digest(&self) -> u64 {
        self.program.program_digest()
    }

    fn must_divide(&self, _options: &Options<'_>) -> Result<(), Complaint> {
        Err(self.not_divided.to_owned())
    }

    fn explore_part(
        &self,
        _part: &Part,
        _options: &Options<'_>,
    ) -> Result<(Explored, Vec<String>), PartError> {
        Err(PartError::Unsupported(self.not_divided.to_owned()))
    }

    fn conclude(&self, verdict: Verdict, explain: Duration) -> Outcome {
        self.program.conclude(verdict, explain)
    }
}

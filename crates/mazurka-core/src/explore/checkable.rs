//! The functions that explore, as methods of a program.

use std::num::NonZeroUsize;

use crate::explore::{self, CheckpointError, Checkpoints, Sharing};
use crate::model::Program;
use crate::search::{Monitor, Options};
use crate::verdict::Verdict;

/// A program that can be explored: every program.
pub trait Checkable: Program + Sized {
    /// Explores the executions of a machine that is in its initial state; see
    /// [`explore`](explore::explore).
    fn explore(
        machine: &mut Self::Machine,
        options: &Options<'_>,
        monitor: &mut dyn Monitor<Self::Machine>,
    ) -> Verdict {
        explore::explore(machine, options, monitor)
    }

    /// Explores the executions of the program; see [`check`](explore::check).
    fn check(&self, options: &Options<'_>, monitor: &mut dyn Monitor<Self::Machine>) -> Verdict {
        explore::check(self, options, monitor)
    }

    /// Explores with several workers; see [`check_with_workers`](explore::check_with_workers).
    fn check_with_workers(
        &self,
        workers: NonZeroUsize,
        sharing: Sharing,
        options: &Options<'_>,
        monitor: &mut (dyn Monitor<Self::Machine> + Send),
    ) -> Verdict {
        explore::check_with_workers(self, workers, sharing, options, monitor)
    }

    /// Explores and saves the search; see
    /// [`check_with_checkpoints`](explore::check_with_checkpoints).
    ///
    /// # Errors
    ///
    /// If the search cannot be saved, or the checkpoint to continue from is damaged.
    fn check_with_checkpoints(
        &self,
        workers: NonZeroUsize,
        options: &Options<'_>,
        monitor: &mut (dyn Monitor<Self::Machine> + Send),
        checkpoints: Checkpoints<'_>,
    ) -> Result<Verdict, CheckpointError> {
        explore::check_with_checkpoints(self, workers, options, monitor, checkpoints)
    }
}

impl<P: Program> Checkable for P {}

//! Explorers that are compiled together with a front end.

use std::num::NonZeroUsize;

use crate::explore::{CheckpointError, Checkpoints, Sharing};
use crate::model::Program;
use crate::search::{Monitor, Options};
use crate::verdict::Verdict;

/// A program that its front end has compiled all explorers for.
///
/// The functions that explore are generic, and each crate that calls them compiles all explorers again.
/// A front end implements this trait with [`checkable!`](crate::checkable): then its users compile none.
pub trait Checkable: Program + Sized {
    /// Explores the executions of a machine that is in its initial state, like
    /// [`explore`](crate::explore::explore).
    fn explore(
        machine: &mut Self::Machine,
        options: &Options<'_>,
        monitor: &mut dyn Monitor<Self::Machine>,
    ) -> Verdict;

    /// Explores the executions of the program, like [`check`](crate::explore::check).
    fn check(&self, options: &Options<'_>, monitor: &mut dyn Monitor<Self::Machine>) -> Verdict;

    /// Explores with several workers, like
    /// [`check_with_workers`](crate::explore::check_with_workers).
    fn check_with_workers(
        &self,
        workers: NonZeroUsize,
        sharing: Sharing,
        options: &Options<'_>,
        monitor: &mut (dyn Monitor<Self::Machine> + Send),
    ) -> Verdict;

    /// Explores and saves the search, like
    /// [`check_with_checkpoints`](crate::explore::check_with_checkpoints).
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
    ) -> Result<Verdict, CheckpointError>;
}

/// Implements [`Checkable`](crate::explore::Checkable) for a program.
#[macro_export]
macro_rules! checkable {
    ($program:ty) => {
        impl $crate::explore::Checkable for $program {
            fn explore(
                machine: &mut Self::Machine,
                options: &$crate::search::Options<'_>,
                monitor: &mut dyn $crate::search::Monitor<Self::Machine>,
            ) -> $crate::verdict::Verdict {
                $crate::explore::explore(machine, options, monitor)
            }

            fn check(
                &self,
                options: &$crate::search::Options<'_>,
                monitor: &mut dyn $crate::search::Monitor<Self::Machine>,
            ) -> $crate::verdict::Verdict {
                $crate::explore::check(self, options, monitor)
            }

            fn check_with_workers(
                &self,
                workers: ::std::num::NonZeroUsize,
                sharing: $crate::explore::Sharing,
                options: &$crate::search::Options<'_>,
                monitor: &mut (dyn $crate::search::Monitor<Self::Machine> + Send),
            ) -> $crate::verdict::Verdict {
                $crate::explore::check_with_workers(self, workers, sharing, options, monitor)
            }

            fn check_with_checkpoints(
                &self,
                workers: ::std::num::NonZeroUsize,
                options: &$crate::search::Options<'_>,
                monitor: &mut (dyn $crate::search::Monitor<Self::Machine> + Send),
                checkpoints: $crate::explore::Checkpoints<'_>,
            ) -> ::std::result::Result<$crate::verdict::Verdict, $crate::explore::CheckpointError>
            {
                $crate::explore::check_with_checkpoints(
                    self,
                    workers,
                    options,
                    monitor,
                    checkpoints,
                )
            }
        }
    };
}

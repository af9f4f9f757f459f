//! The explorers: algorithms that decide which executions to run.
//!
//! [`Algorithm`] lists them. Each is a `Strategy`: the driver asks it for one step at a time until
//! an execution ends, and then for the prefix to backtrack to. A new explorer is one module here,
//! and one row of the table in `algorithm.rs`.

mod auto;
mod bounded;
mod checkable;
pub mod data_centric;
pub mod dpor;
pub mod event_loops;
mod fingerprint;
pub mod graphs;
pub mod naive;
mod parallel;
pub mod sampling;
pub mod unfolding;

pub use checkable::Checkable;
pub use parallel::{
    CheckpointError, Checkpoints, Division, Explored, Part, PartError, Sharing,
    check_with_checkpoints, check_with_workers, explore_part, explore_with_workers, is_divisible,
    sum_up,
};

use std::time::Instant;

use crate::algorithm::{Algorithm, explorers};
use crate::memory::MemoryModel;
use crate::model::{Machine, Program, Violation, ViolationKind};
use crate::search::driver::Driver;
use crate::search::strategy::Explorer;
use crate::search::subject::Watched;
use crate::search::{Monitor, Options, PreemptionBound};
use crate::verdict::{Bound, Note, Verdict};

/// Explores the executions of a program.
///
/// If a machine of the program learns a [lesson](crate::model::Lesson) that it needs from the
/// start, the search starts over with a new machine.
pub fn check<P: Program>(
    program: &P,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<P::Machine>,
) -> Verdict {
    auto::check(program, options, None, |options, switch| {
        if let Some(switch) = switch {
            monitor.started_over(switch.restart());
        }
        start(program, options, |machine| {
            if let Some(refusal) = refuse(machine, options) {
                return refusal;
            }
            let renew = || program.start();
            let mut watched = Watched::with(machine, &mut *monitor, options).renewed_by(&renew);
            run(Driver::new(&mut watched, options), options)
        })
    })
}

/// Runs a program with `naive`, or with `graphs` if the options name that. Unlike [`check`], it compiles
/// no other explorer for the machine: it is meant for machines that follow a schedule.
pub fn rerun<P: Program>(
    program: &P,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<P::Machine>,
) -> Verdict {
    start(program, options, |machine| {
        if let Some(refusal) = refuse(machine, options) {
            return refusal;
        }
        let renew = || program.start();
        let mut watched = Watched::with(machine, monitor, options).renewed_by(&renew);
        let driver = Driver::new(&mut watched, options);
        match options.algorithm {
            Algorithm::Graphs => driver.run(<graphs::Graphs as Explorer>::new),
            _ => driver.run(<naive::Naive as Explorer>::new),
        }
    })
}

/// Explores the executions of a machine that is in its initial state.
///
/// If the machine learns a [lesson](crate::model::Lesson) that it needs from the start, the search
/// starts over with the same machine. If that does not suffice, use [`check`].
pub fn explore<M: Machine>(
    machine: &mut M,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<M>,
) -> Verdict {
    if let Some(refusal) = refuse(machine, options) {
        return refusal;
    }
    run(Driver::new(&mut Watched::with(machine, monitor, options), options), options)
}

/// Returns a verdict that says why a machine cannot be explored in this way, if it cannot.
fn refuse(machine: &dyn Machine, options: &Options<'_>) -> Option<Verdict> {
    let (algorithm, model) = (options.algorithm, options.memory_model);
    let message = if algorithm.samples() && options.preemption_bound == Some(PreemptionBound::Auto)
    {
        format!(
            "`{algorithm}` samples schedules, and cannot raise a bound on preemptions until everything is \
             explored; give a number"
        )
    } else if options.symmetry == Some(true) && !algorithm.may_reduce_symmetry() {
        format!(
            "`{algorithm}` cannot treat executions that differ by a permutation of threads as one; leave out \
             the choice of symmetry, or use `observers`, `graphs`, `optimal`, `source`, `dpor` or `naive`"
        )
    } else if options.symmetry == Some(true) && options.preemption_bound.is_some() {
        "a permutation of threads may change the number of preemptions, so symmetry cannot be combined with \
         a bound on preemptions; leave out one of them"
            .to_owned()
    } else if algorithm != Algorithm::Graphs && options.coherence.is_some() {
        format!(
            "`{algorithm}` explores schedules, and not execution graphs; leave out the choice of coherence, \
             or use the explorer `graphs`"
        )
    } else if algorithm != Algorithm::Graphs {
        if matches!(model, MemoryModel::Sc | MemoryModel::Auto) {
            return None;
        }
        format!(
            "`{algorithm}` explores schedules, which are sequentially consistent; the memory model \
             `{model}` needs the explorer `graphs`"
        )
    } else if !machine.has_memory_orderings() {
        "`graphs` explores accesses to memory under a memory model, and this program has no memory \
         orderings; use another explorer"
            .to_owned()
    } else if options.preemption_bound.is_some() {
        "`graphs` explores execution graphs and not schedules, so it cannot bound preemptions; leave out \
         the bound, or use an explorer of schedules such as `observers`"
            .to_owned()
    } else {
        return None;
    };
    let violation = Violation::new(ViolationKind::Unsupported, message);
    Some(Verdict {
        algorithm,
        violations: vec![violation],
        stopped: Some(Bound::Violation),
        ..Verdict::default()
    })
}

/// Runs a strategy, or another one if it gives up.
macro_rules! run {
    ($driver:ident, $strategy:ident) => {
        $driver.run($strategy)
    };
    ($driver:ident, $strategy:ident, $otherwise:ty, $note:ident) => {
        $driver.run_or($strategy, <$otherwise as Explorer>::new, Note::$note)
    };
}

/// Defines how an explorer of the table is run.
macro_rules! define_run {
    ($(
        $variant:ident, $name:literal, $summary:literal, $strategy:ty
        $(, every $trace:ident)?
        $(, needs $orderings:ident)?
        $(, only $samples:ident)?
        $(, workers share $work:ty)?
        $(, bounded $bounded:ty $(=> $bound:ident)?)?
        $(, otherwise $otherwise:ty => $note:ident)?
    ;)*) => {
        /// Explores with the explorer that the options name, or with its replacement.
        fn run(driver: Driver<'_>, options: &Options<'_>) -> Verdict {
            match options.algorithm {
                Algorithm::Naive if options.preemption_bound == Some(PreemptionBound::Auto) => {
                    driver.run(<bounded::BoundedTraces as Explorer>::new)
                }
                $(
                    $(
                        Algorithm::$variant if options.preemption_bound.is_some() => {
                            #[allow(unused_mut)] // Not every explorer has a note.
                            let mut verdict = driver.run(<$bounded as Explorer>::new);
                            $(verdict.notes.push(Note::$bound);)?
                            verdict
                        }
                    )?
                    Algorithm::$variant => {
                        let strategy = <$strategy as Explorer>::new;
                        run!(driver, strategy $(, $otherwise, $note)?)
                    }
                )*
            }
        }
    };
}

explorers!(define_run);

/// Starts a program and explores its machine. If the program fails before its first step, the
/// verdict has that violation.
fn start<P: Program>(
    program: &P,
    options: &Options<'_>,
    explore: impl FnOnce(&mut P::Machine) -> Verdict,
) -> Verdict {
    let started = Instant::now();
    match program.start() {
        Ok(mut machine) => explore(&mut machine),
        Err(violation) => Verdict {
            algorithm: options.algorithm,
            executions: 1,
            elapsed: started.elapsed(),
            violations: vec![Violation { execution: 1, ..*violation }],
            stopped: Some(Bound::Violation),
            ..Verdict::default()
        },
    }
}

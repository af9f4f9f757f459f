//! Exploration by several workers, each with a machine and an OS thread of its own.
//!
//! Which worker explores what is decided as they go, by who has nothing left to do: see the
//! module `sharing` of [`optimal`](super::optimal).

mod branch;
mod fork;
mod pool;

pub(crate) use branch::Branch;
pub(crate) use fork::{Fork, Planned, Way};
pub(crate) use pool::Pool;

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::execution::Execution;
use crate::execution::shared_cells::CommonCells;
use crate::explore::explore;
use crate::model::{Ending, Machine, Program};
use crate::search::driver::Driver;
use crate::search::{Monitor, Options, Progress};
use crate::verdict::{Bound, Note, Verdict, Violation, ViolationKind};

/// When a worker lets others have some of what it has to explore.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sharing {
    /// When one of them has nothing to do.
    #[default]
    OnDemand,
    /// After every execution, and everything; who takes what is left to chance. That is slow, and meant
    /// for tests: even a single worker then comes upon all that several can do to each other.
    Always {
        /// Where chance starts.
        seed: u64,
    },
}

/// Explores the executions of a program by several workers. One of them is the caller, with a `machine`
/// in its initial state; the others start machines of their own.
///
/// All machines of the program must give the same [ids](crate::model::ObjectId) to the same things.
/// What is explored is the same as by one worker; which violation is found first may differ from time to
/// time. If the [algorithm](crate::search::Algorithm::shares_work) cannot share its work, or preemptions are
/// bounded, so that what is within the bound depends on what was run before, the caller does all of it,
/// and the verdict says so.
pub fn explore_with_workers<P: Program>(
    program: &P,
    machine: &mut P::Machine,
    workers: NonZeroUsize,
    sharing: Sharing,
    options: &Options<'_>,
    monitor: &mut (dyn Monitor<P::Machine> + Send),
) -> Verdict {
    let is_alone = workers.get() == 1 && sharing == Sharing::OnDemand;
    if is_alone {
        return explore(machine, options, monitor);
    }
    if !options.algorithm.shares_work() || options.preemption_bound.is_some() {
        let mut verdict = explore(machine, options, monitor);
        verdict.notes.push(Note::WorksAlone);
        return verdict;
    }
    let (started, initial) = (Instant::now(), machine.processes());
    let cells = Arc::new(CommonCells::default());
    let hears_of_ends = monitor.hears_of_ends();
    let monitor = Mutex::new(monitor);
    let in_turn = |is_first| InTurn { monitor: &monitor, is_first, hears_of_ends };
    loop {
        let pool = Arc::new(Pool::new(workers.get(), sharing, cells.clone(), initial));
        let verdicts = std::thread::scope(|scope| {
            let others: Vec<_> = (1..workers.get())
                .map(|_| scope.spawn(|| help(program, options, &pool, in_turn(false))))
                .collect();
            let mut turn = in_turn(true);
            let mine = {
                let _stop = StopInPanic(&pool);
                Driver::of_pool(machine, options, &mut turn, pool.clone()).work(false)
            };
            let join = |other: std::thread::ScopedJoinHandle<'_, Verdict>| {
                other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            let mut verdicts = vec![mine];
            verdicts.extend(others.into_iter().map(join));
            verdicts
        });
        if pool.must_start_over() && machine.rewind(0).is_ok() {
            continue;
        }
        let mut verdict = sum_up(verdicts, options);
        verdict.elapsed = started.elapsed();
        return verdict;
    }
}

/// Explores what others leave, until nothing is left.
fn help<P: Program>(
    program: &P,
    options: &Options<'_>,
    pool: &Arc<Pool>,
    mut monitor: InTurn<'_, '_, P::Machine>,
) -> Verdict {
    let _stop = StopInPanic(pool);
    match program.start() {
        Ok(mut machine) => {
            Driver::of_pool(&mut machine, options, &mut monitor, pool.clone()).work(true)
        }
        Err(violation) => {
            pool.stop();
            let stopped = Some(Bound::Violation);
            Verdict { violations: vec![*violation], stopped, ..Verdict::default() }
        }
    }
}

/// Has everybody stop if somebody panics: they would wait for it for ever.
struct StopInPanic<'a>(&'a Pool);

impl Drop for StopInPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// A monitor that hears of what all workers do, one after the other; of the progress that they make, it
/// hears from one.
struct InTurn<'a, 'b, M: Machine> {
    monitor: &'a Mutex<&'b mut (dyn Monitor<M> + Send)>,
    is_first: bool,
    hears_of_ends: bool,
}

impl<'b, M: Machine> InTurn<'_, 'b, M> {
    fn lock(&self) -> MutexGuard<'_, &'b mut (dyn Monitor<M> + Send)> {
        self.monitor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: Machine> Monitor<M> for InTurn<'_, '_, M> {
    fn ended(
        &mut self,
        machine: &M,
        execution: &Execution,
        ending: Option<&Ending>,
        violation: Option<&Violation>,
    ) {
        if self.hears_of_ends {
            self.lock().ended(machine, execution, ending, violation);
        }
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        if self.is_first {
            self.lock().progress(progress);
        }
    }
}

/// What all workers have found.
fn sum_up(verdicts: Vec<Verdict>, options: &Options<'_>) -> Verdict {
    let mut sum = Verdict { algorithm: options.algorithm, ..Verdict::default() };
    for verdict in verdicts {
        sum.executions += verdict.executions;
        sum.blocked += verdict.blocked;
        sum.events += verdict.events;
        sum.max_depth = sum.max_depth.max(verdict.max_depth);
        sum.violations.extend(verdict.violations);
        sum.warnings.extend(verdict.warnings);
        sum.stopped = match (sum.stopped, verdict.stopped) {
            (Some(Bound::Violation), _) | (_, Some(Bound::Violation)) => Some(Bound::Violation),
            (first, second) => first.or(second),
        };
    }
    // Not in the order in which they happened to be found.
    let key = |violation: &Violation| {
        let Violation { kind, message, schedule, .. } = violation;
        let is_worst = *kind == ViolationKind::Nondeterminism;
        (Reverse(is_worst), *kind, message.clone(), schedule.steps().to_vec())
    };
    sum.violations.sort_by_cached_key(key);
    sum.warnings.sort_by_cached_key(key);
    let mut told: Vec<Violation> = Vec::new();
    for violation in sum.violations {
        let is_same = |v: &Violation| v.kind == violation.kind && v.message == violation.message;
        // Every data race is one of its own, and was told once.
        if violation.kind == ViolationKind::DataRace || !told.iter().any(is_same) {
            told.push(violation);
        }
    }
    if !options.keep_going {
        told.truncate(1);
    }
    sum.violations = told;
    sum
}

//! Exploration by several workers, each with its own machine and OS thread.
//!
//! Work is distributed dynamically, to workers that run out of it. What they pass on depends on the
//! explorer: [forks](crate::explore::dpor::forks), where one part of the search may find work for
//! another, or [pieces](pieces), which are independent of each other.

mod checkpoint;
mod kept;
mod offers;
mod parts;
pub(crate) mod pieces;
mod pool;
mod samples;
mod staff;
pub(crate) mod weight;

pub use checkpoint::{CheckpointError, Checkpoints, check_with_checkpoints};
pub use parts::{Division, Explored, Part, PartError, explore_part, is_divisible};

pub(crate) use pool::{Known, Member, Offer, Pool};

use checkpoint::Save;
use pieces::Pieces;
use staff::{Staff, with_staff};

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::algorithm::{Algorithm, explorers};
use crate::execution::order::{AllConflicts, ObservedConflicts};
use crate::execution::shared_cells::CommonCells;
use crate::explore::data_centric::division::worker::Children;
use crate::explore::dpor::forks::Forks;
use crate::explore::graphs::Graphs;
use crate::explore::naive::Naive;
use crate::explore::{auto, check, explore, refuse, run, start};
use crate::model::{Program, Violation, ViolationKind};
use crate::search::driver::{Driver, Outcome, Teacher};
use crate::search::subject::Subject;
use crate::search::{Monitor, Options};
use crate::verdict::{Bound, Note, Restart, Verdict};
use crate::wire::{Malformed, Reader};

/// When a worker shares its work with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sharing {
    /// When another worker is idle.
    #[default]
    OnDemand,
    /// After every execution, with all open branches, and in random order. This is slow and meant
    /// for tests: even a single worker then runs through all interactions of several workers.
    Always {
        /// The seed of the random order.
        seed: u64,
    },
}

/// Explores the executions of a program with several workers. The caller is one of them, with a
/// `machine` in its initial state. The others start their own machines.
///
/// All machines of the program must give the same [ids](crate::model::ObjectId) to the same
/// objects. The workers explore the same executions as a single worker. If several violations are found, the
/// verdict has the least one by a fixed order. Which ones are found may differ between runs of long searches.
///
/// The caller does all the work, and the verdict says so, in two cases: the
/// [algorithm](crate::search::Algorithm::shares_work) cannot share its work, or preemptions are
/// bounded, so that the executions within the bound depend on the order of exploration. Samplers share
/// their work with and without a bound, and find the same violation first with any number of workers.
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
    if !is_shared(options) {
        let mut verdict = explore(machine, options, monitor);
        verdict.notes.push(Note::WorksAlone);
        return verdict;
    }
    if let Some(refusal) = refuse(machine, options) {
        return refusal;
    }
    if options.algorithm.samples() {
        return with_staff(program, machine, monitor, options, |staff, first| {
            samples::sample(staff, first, workers, options)
        });
    }
    with_staff(program, machine, monitor, options, |staff, first| {
        share(&Crew { staff, workers, sharing, options }, first, None)
    })
}

/// Explores the executions of a program with several workers. See [`explore_with_workers`].
pub fn check_with_workers<P: Program>(
    program: &P,
    workers: NonZeroUsize,
    sharing: Sharing,
    options: &Options<'_>,
    monitor: &mut (dyn Monitor<P::Machine> + Send),
) -> Verdict {
    if workers.get() == 1 && sharing == Sharing::OnDemand {
        return check(program, options, monitor);
    }
    auto::check(program, options, None, |options, switch| {
        if let Some(switch) = switch {
            monitor.started_over(switch.restart());
        }
        if workers.get() == 1 {
            return start(program, options, |machine| {
                explore_with_workers(program, machine, workers, sharing, options, &mut *monitor)
            });
        }
        let Some(program) = program.for_workers().filter(|_| is_shared(options)) else {
            let mut verdict = check(program, options, &mut *monitor);
            // A check that has switched to `graphs` was not told to use that.
            if switch.is_none() {
                verdict.notes.push(Note::WorksAlone);
            }
            return verdict;
        };
        start(&program, options, |machine| {
            explore_with_workers(&program, machine, workers, sharing, options, &mut *monitor)
        })
    })
}

/// Returns whether several workers can share a search.
fn is_shared(options: &Options<'_>) -> bool {
    let algorithm = options.algorithm;
    algorithm.samples() || (algorithm.shares_work() && options.preemption_bound.is_none())
}

/// Explores with several workers, if the explorer can share its work.
macro_rules! share_work {
    ($crew:ident, $machine:ident, $save:ident, $note:expr, $work:ty) => {
        $crew.explore::<$work>($machine, $save, $note)
    };
    ($crew:ident, $machine:ident, $save:ident, $note:expr) => {
        run(Driver::new($machine, $crew.options), $crew.options)
    };
}

/// Defines how the workers explore, for each explorer of the table that can share its work.
macro_rules! define_share {
    ($(
        $variant:ident, $name:literal, $summary:literal, $strategy:ty
        $(, every $trace:ident)?
        $(, needs $orderings:ident)?
        $(, only $samples:ident)?
        $(, workers share $work:ty)?
        $(, bounded $bounded:ty $(=> $bound:ident)?)?
        $(, otherwise $otherwise:ty => $note:ident)?
    ;)*) => {
        fn share(
            crew: &Crew<'_>,
            machine: &mut dyn Subject,
            save: Option<Save<'_, '_>>,
        ) -> Verdict {
            match crew.options.algorithm {
                $(Algorithm::$variant => {
                    share_work!(crew, machine, save, &[$(Note::$note)?] $(, $work)?)
                })*
            }
        }
    };
}

explorers!(define_share);

/// How the workers share a search.
pub(crate) trait Work: Sized {
    /// What a worker leaves to others.
    type Offer: Offer;
    /// How the workers share the search of another explorer, if they have to give up on this one.
    type Instead: Work;

    /// Explores from the initial state as one of several workers. With `joins`, explores only what
    /// others leave.
    fn explore(
        driver: &mut Driver<'_>,
        pool: &Arc<Pool<Self::Offer>>,
        options: &Options<'_>,
        joins: bool,
    ) -> Outcome;

    /// Appends everything that is left to explore to bytes.
    fn write(pool: &Pool<Self::Offer>, to: &mut Vec<u8>);

    /// Reads what is left to explore into a pool.
    fn read(from: &mut Reader<'_>, pool: &Pool<Self::Offer>) -> Result<(), Malformed>;
}

/// The parameters that all workers share.
struct Crew<'a> {
    staff: &'a dyn Staff,
    workers: NonZeroUsize,
    sharing: Sharing,
    options: &'a Options<'a>,
}

/// What is left of a search on which the workers have given up.
struct Abandoned {
    /// The beginning of the check.
    started: Instant,
    restarts: Vec<Restart>,
    /// The numbers of executions that do not count any more.
    discarded: (u64, u64),
    cells: Arc<CommonCells>,
}

impl Default for Abandoned {
    fn default() -> Self {
        let (restarts, discarded) = (Vec::new(), (0, 0));
        Abandoned { started: Instant::now(), restarts, discarded, cells: Arc::default() }
    }
}

impl Crew<'_> {
    /// Explores until the search is complete or stops. With `save`, pauses now and then to save the
    /// search. If the explorer gives up, another one explores, and the verdict has the notes.
    fn explore<W: Work>(
        &self,
        machine: &mut dyn Subject,
        mut save: Option<Save<'_, '_>>,
        notes: &[Note],
    ) -> Verdict {
        let has_given_up = save.as_ref().is_some_and(Save::has_given_up);
        let before = match has_given_up {
            true => Abandoned::default(),
            false => match self.search::<W>(machine, &mut save, Abandoned::default()) {
                Ok(verdict) => return verdict,
                Err(abandoned) => abandoned,
            },
        };
        save.iter_mut().for_each(Save::give_up);
        let searched = self.search::<W::Instead>(machine, &mut save, before);
        let mut verdict = searched.unwrap_or_else(|_| unreachable!("this explorer never gives up"));
        verdict.notes.extend_from_slice(notes);
        verdict
    }

    /// Explores until the search is complete or stops, or the workers give up.
    fn search<W: Work>(
        &self,
        machine: &mut dyn Subject,
        save: &mut Option<Save<'_, '_>>,
        before: Abandoned,
    ) -> Result<Verdict, Abandoned> {
        let Abandoned { mut started, restarts, mut discarded, mut cells } = before;
        let algorithm = self.options.algorithm;
        let mut so_far = Verdict { algorithm, restarts, ..Verdict::default() };
        let mut continued: Option<Pool<W::Offer>> = None;
        let mut known = None;
        let workers = self.workers.get();
        if let Some((progress, pool)) = save.as_mut().and_then(|save| save.take::<W>(workers)) {
            started = started.checked_sub(progress.verdict.elapsed).unwrap_or(started);
            (so_far, discarded) = (progress.verdict, progress.discarded);
            cells = pool.cells.clone();
            continued = Some(pool);
        }
        loop {
            let joins = continued.is_some();
            let pool = continued.take().unwrap_or_else(|| {
                Pool::new(workers, self.sharing, cells.clone(), machine.processes())
                    .knowing(known.take().unwrap_or_default())
            });
            let pool = Arc::new(match &save {
                Some(save) => pool.until(workers, save.due()),
                None => pool,
            });
            let options = self.options.after(&so_far.restarts);
            let round = Round::<W> { pool: &pool, started, discarded, options: &options };
            let mut verdicts = std::thread::scope(|scope| {
                let others: Vec<_> =
                    (1..workers).map(|_| scope.spawn(|| round.help(self.staff))).collect();
                let mine = round.work(machine, joins);
                let join = |other: std::thread::ScopedJoinHandle<'_, Verdict>| {
                    other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                let mut verdicts = vec![mine];
                verdicts.extend(others.into_iter().map(join));
                verdicts
            });
            let restarts = std::mem::take(&mut so_far.restarts);
            verdicts.insert(0, so_far);
            so_far = sum_up(verdicts, self.options);
            so_far.restarts = restarts;
            so_far.elapsed = started.elapsed();
            if let Some((lesson, teacher)) = pool.lesson() {
                let Verdict { executions, blocked, elapsed, .. } = so_far;
                let restart = Restart { lesson, executions, blocked, elapsed };
                so_far.restarts.push(restart);
                machine.started_over(&restart);
                discarded = (discarded.0 + executions, discarded.1 + blocked);
                if let Err(violation) = renew(machine, &mut cells, teacher) {
                    (so_far.violations, so_far.stopped) =
                        (vec![*violation], Some(Bound::Violation));
                    return Ok(so_far);
                }
                known = pool.with_known(|known| match teacher {
                    Teacher::Execution => Some(std::mem::take(known).after_restart()),
                    // It is about the ids of the old machine.
                    Teacher::Machine => None,
                });
                let (algorithm, restarts) = (so_far.algorithm, so_far.restarts);
                so_far = Verdict { algorithm, restarts, ..Verdict::default() };
                continue;
            }
            if pool.has_given_up() {
                let Verdict { executions, blocked, restarts, .. } = so_far;
                discarded = (discarded.0 + executions, discarded.1 + blocked);
                let _ = machine.rewind(0);
                return Err(Abandoned { started, restarts, discarded, cells });
            }
            let is_over = pool.is_stopping() || so_far.stopped == Some(Bound::Violation);
            let is_paused = pool.is_pausing() && !is_over && pool.has_offers();
            let Some(save) = save.as_mut().filter(|_| is_paused) else { return Ok(so_far) };
            save.keep::<W>(self.staff, &so_far, discarded, &pool);
            if let Some(limit) = pool.limit() {
                so_far.stopped = Some(limit);
                return Ok(so_far);
            }
            continued = Arc::into_inner(pool);
            if let Err(violation) = machine.rewind(0) {
                (so_far.violations, so_far.stopped) = (vec![*violation], Some(Bound::Violation));
                return Ok(so_far);
            }
        }
    }
}

/// After a worker has found a violation, the others look for one that comes earlier in a fixed order. They may
/// take this part of the time so far, and this time at most.
const PART_FOR_OTHERS: u32 = 10;
const MOST_FOR_OTHERS: Duration = Duration::from_secs(1);

/// The search by all workers until it is complete or has to start over.
struct Round<'a, W: Work> {
    pool: &'a Arc<Pool<W::Offer>>,
    /// The beginning of the check, and the numbers of discarded executions.
    started: Instant,
    discarded: (u64, u64),
    options: &'a Options<'a>,
}

impl<W: Work> Round<'_, W> {
    /// Explores the branches that others leave, on a new machine, until none is left.
    fn help(&self, staff: &dyn Staff) -> Verdict {
        let _stop = StopInPanic(self.pool);
        if !self.pool.is_needed() {
            self.pool.leave();
            return Verdict::default();
        }
        let mut verdict = Verdict::default();
        if let Err(violation) =
            staff.start(false, &mut |machine| verdict = self.work(machine, true))
        {
            self.pool.stop();
            (verdict.violations, verdict.stopped) = (vec![*violation], Some(Bound::Violation));
        }
        verdict
    }

    /// Explores from the initial state. With `joins`, explores only branches that others leave.
    fn work(&self, machine: &mut dyn Subject, joins: bool) -> Verdict {
        let _stop = StopInPanic(self.pool);
        let team = Member::new(self.pool.clone());
        let mut driver =
            Driver::of_team(machine, self.options, team).continuing(self.started, self.discarded);
        driver.execution().share_cells(self.pool.cells.clone());
        // Other workers may have created more processes.
        driver.execution().set_initial(self.pool.initial);
        match W::explore(&mut driver, self.pool, self.options, joins) {
            Outcome::StartOver(lesson, teacher) => self.pool.start_over(lesson, teacher),
            Outcome::Done => {}
            Outcome::GaveUp => self.pool.give_up(),
            Outcome::Stopped => {
                let verdict = driver.finish();
                match verdict.stopped {
                    Some(Bound::Violation) => {
                        let part = self.started.elapsed() / PART_FOR_OTHERS;
                        self.pool.stop_within(part.min(MOST_FOR_OTHERS));
                    }
                    _ => self.pool.stop(),
                }
                return verdict;
            }
        }
        driver.finish()
    }
}

/// Stops all workers if one of them panics. Otherwise they would wait for it forever.
struct StopInPanic<'a, O: Offer>(&'a Pool<O>);

impl<O: Offer> Drop for StopInPanic<'_, O> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// Takes the machine back to the start of the program, or starts the program anew if the machine itself has
/// learnt.
fn renew(
    machine: &mut dyn Subject,
    cells: &mut Arc<CommonCells>,
    teacher: Teacher,
) -> Result<(), Box<Violation>> {
    match teacher {
        Teacher::Execution => machine.rewind(0),
        Teacher::Machine => {
            // The ids of the new machine may differ.
            *cells = Arc::default();
            machine.renew()
        }
    }
}

/// Combines the verdicts of several workers, or of several [parts](Part). Without
/// [`keep_going`](Options::keep_going), keeps one violation: the least by a fixed order.
pub fn sum_up(verdicts: Vec<Verdict>, options: &Options<'_>) -> Verdict {
    let mut sum = Verdict { algorithm: options.algorithm, ..Verdict::default() };
    for verdict in verdicts {
        sum.executions += verdict.executions;
        sum.blocked += verdict.blocked;
        sum.events += verdict.events;
        sum.scouts += verdict.scouts;
        sum.twins = sum.twins.max(verdict.twins);
        sum.max_depth = sum.max_depth.max(verdict.max_depth);
        sum.ordered_locations = sum.ordered_locations.max(verdict.ordered_locations);
        sum.violations.extend(verdict.violations);
        sum.warnings.extend(verdict.warnings);
        sum.weak_access = sum.weak_access.or(verdict.weak_access);
        sum.stopped = match (sum.stopped, verdict.stopped) {
            (Some(Bound::Violation), _) | (_, Some(Bound::Violation)) => Some(Bound::Violation),
            (first, second) => first.or(second),
        };
    }
    // Make the order independent of the workers.
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
        // Data races are distinct, and each was reported once.
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

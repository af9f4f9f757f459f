//! Exploring one part of a search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Explored, Part, PartError, is_divisible};
use crate::algorithm::Algorithm;
use crate::execution::order::AllConflicts;
use crate::execution::shared_cells::{CommonCells, KnownCell};
use crate::explore::data_centric::division::piece::OpenChild;
use crate::explore::data_centric::division::worker::Worker;
use crate::explore::dpor::division::Stacks;
use crate::explore::dpor::optimal::Optimal;
use crate::explore::graphs::Graphs;
use crate::explore::naive::Naive;
use crate::explore::parallel::pieces::{Divide, Divided};
use crate::explore::parallel::{Member, Offer, Pool, Sharing};
use crate::explore::{refuse, start};
use crate::model::{Lesson, Machine, Program};
use crate::search::driver::{Driver, Outcome, Teacher};
use crate::search::estimate::Estimator;
use crate::search::strategy::{Explorer, Strategy};
use crate::search::subject::{Subject, Watched};
use crate::search::{Coherence, Monitor, Options};
use crate::verdict::{Bound, Restart, Verdict, ViolationKind};

/// Explores a part of a search until the time limit, the limit on executions, or an interrupt; then the
/// rest is returned. At least one execution is run.
///
/// The verdict is stopped only by a violation or by the limit on the depth. Executions are counted once
/// if every part is explored once, however the search was [divided](super::Division).
///
/// # Errors
///
/// If the part does not belong to the program, or the search cannot be divided.
pub fn explore_part<P: Program>(
    program: &P,
    part: &Part,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<P::Machine>,
) -> Result<Explored, PartError> {
    if !is_divisible(options.algorithm) {
        return Part::whole(program, options).and(Err(PartError::Malformed));
    }
    let is_data_centric = options.algorithm == Algorithm::DataCentric;
    let has_children = is_data_centric && !part.has_given_up;
    let has_stacks = options.algorithm == Algorithm::Optimal || part.has_given_up;
    let has_pieces = !has_stacks && !has_children;
    let is_of_another = (part.has_given_up && !is_data_centric)
        || (!has_pieces && !part.pieces.is_empty())
        || (!has_stacks && !part.stacks.is_empty())
        || (!has_children && !part.children.is_empty());
    if is_of_another || !part.reports.is_empty() || !part.claimed.is_empty() {
        return Err(PartError::Malformed);
    }
    let unsupported = || PartError::Unsupported("this front end cannot divide a search".to_owned());
    let program = program.for_workers().ok_or_else(unsupported)?;
    if part.program.as_ref().is_some_and(|saved| !program.restore(saved)) {
        return Err(PartError::Malformed);
    }
    // Another explorer could not go on with the rest.
    let mut options = Options { may_switch: false, scouts: false, ..options.clone() };
    if part.is_total {
        options.coherence = Some(Coherence::Total);
    }
    options.ordered_arrivals |= part.orders_arrivals;
    let mut result = Err(PartError::Malformed);
    let verdict = start(&program, &options, |machine| {
        if let Some(refusal) = refuse(machine, &options) {
            return refusal;
        }
        let initial = part.initial.unwrap_or(machine.processes());
        let save = || program.save();
        let machine = &mut Watched::with(machine, monitor, &options);
        let mut explorer = Exploration { machine, save: &save, part, initial, options: &options };
        result = match options.algorithm {
            _ if has_stacks => explorer.stacks(),
            Algorithm::Naive => explorer.pieces::<Naive>(),
            Algorithm::DataCentric => explorer.children(),
            _ => explorer.pieces::<Graphs>(),
        };
        Verdict { stopped: None, ..Verdict::default() }
    });
    match verdict.stopped {
        // The program failed before its first step.
        Some(_) => Ok(Explored { verdict, rest: None, starts_over: None }),
        None => result,
    }
}

/// The exploration of a part.
struct Exploration<'a> {
    machine: &'a mut dyn Subject,
    /// Returns what the machines of the program have learnt.
    save: &'a dyn Fn() -> Option<Vec<u8>>,
    part: &'a Part,
    /// The number of processes in the initial state.
    initial: usize,
    options: &'a Options<'a>,
}

/// The end of a search.
enum End {
    /// The search paused.
    Paused,
    /// The search is complete, or was stopped by a violation.
    Over,
    /// The part must be explored again.
    Again,
    /// The whole search must start over.
    StartOver(Lesson),
    /// The whole search must start over with another explorer.
    GaveUp,
}

impl Exploration<'_> {
    /// Explores the pieces of the part.
    fn pieces<S: Strategy + Divide + Explorer>(&mut self) -> Result<Explored, PartError> {
        let part = self.part;
        let cells = Arc::new(CommonCells::default());
        loop {
            let pool = self.pool(&cells);
            let search = S::new(self.options);
            let mut search = Divided::new(search, pool.clone(), part.pieces.clone());
            let joins = !part.pieces.is_empty();
            let (end, verdict) = self.run(&mut search, &pool, &cells, joins, |_, _| {});
            if search.is_lost() {
                return Err(PartError::Malformed);
            }
            match end {
                End::Again => {}
                End::Paused => {
                    let mut pieces = search.into_first();
                    pieces.extend(pool.offers());
                    pieces.sort_by_key(|piece| piece.path.len());
                    let rest =
                        (!pieces.is_empty()).then(|| Part { pieces, ..self.saved(Vec::new()) });
                    return Ok(Explored { verdict, rest, starts_over: None });
                }
                End::Over | End::GaveUp => {
                    return Ok(Explored { verdict, rest: None, starts_over: None });
                }
                End::StartOver(lesson) => return Ok(self.start_over(lesson, Vec::new())),
            }
        }
    }

    /// Explores the stacks of the part.
    fn stacks(&mut self) -> Result<Explored, PartError> {
        let part = self.part;
        let cells = Arc::new(CommonCells::of_part(&part.cells));
        loop {
            let pool = self.pool(&cells);
            let mut search: Optimal<AllConflicts, Stacks> =
                Optimal::by(Stacks::new(pool.clone(), &part.stacks));
            let joins = !part.stacks.is_empty();
            let weigh = |search: &mut Optimal<AllConflicts, Stacks>, estimator: &Estimator| {
                search.workers.weigh(estimator);
            };
            let (end, verdict) = self.run(&mut search, &pool, &cells, joins, weigh);
            if search.workers.is_lost() {
                return Err(PartError::Malformed);
            }
            match end {
                End::Again => {}
                End::Paused | End::Over | End::GaveUp => {
                    let (stacks, reports) = search.workers.into_rest();
                    let is_open = !stacks.is_empty() || !reports.is_empty();
                    let is_open = is_open && verdict.stopped != Some(Bound::Violation);
                    let rest = is_open.then(|| Part {
                        stacks,
                        reports,
                        ..self.saved(cells.overlapping())
                    });
                    return Ok(Explored { verdict, rest, starts_over: None });
                }
                End::StartOver(lesson) => return Ok(self.start_over(lesson, cells.overlapping())),
            }
        }
    }

    /// Explores the open children of the part.
    fn children(&mut self) -> Result<Explored, PartError> {
        let part = self.part;
        let cells = Arc::new(CommonCells::of_part(&part.cells));
        loop {
            let pool: Arc<Pool<OpenChild>> = self.pool(&cells);
            pool.with_known(|known| known.lessons = part.lessons.clone());
            let mut worker = Worker::of_part(pool.clone(), part.children.clone());
            let joins = !part.children.is_empty();
            let (end, mut verdict) = self.run(&mut worker, &pool, &cells, joins, |_, _| {});
            worker.report(&mut verdict);
            match end {
                End::Again => {}
                End::Paused | End::Over => {
                    let (mut children, claimed) = worker.into_rest();
                    children.extend(pool.offers());
                    children.sort_by_key(|open| open.path.len());
                    let is_open = !children.is_empty() || !claimed.is_empty();
                    let is_open = is_open && verdict.stopped != Some(Bound::Violation);
                    let saved =
                        || Part { lessons: part.lessons.clone(), ..self.saved(part.cells.clone()) };
                    let rest = is_open.then(|| Part { children, claimed, ..saved() });
                    return Ok(Explored { verdict, rest, starts_over: None });
                }
                End::GaveUp => {
                    let explored = self.start_over(Lesson::Observations, cells.overlapping());
                    let rest = explored.rest.map(|rest| Part { has_given_up: true, ..rest });
                    return Ok(Explored { rest, ..explored });
                }
                End::StartOver(lesson @ (Lesson::Observations | Lesson::Overlap)) => {
                    let (told, lessons) = worker.lessons().told();
                    let mut known = cells.some(&told);
                    let others = cells.overlapping().into_iter();
                    let others: Vec<_> = others.filter(|cell| !known.contains(cell)).collect();
                    known.extend(others);
                    let explored = self.start_over(lesson, known);
                    let rest = explored.rest.map(|rest| Part { lessons, ..rest });
                    return Ok(Explored { rest, ..explored });
                }
                // The lessons are about the ids of the old machine.
                End::StartOver(lesson) => return Ok(self.start_over(lesson, Vec::new())),
            }
        }
    }

    /// Returns whether the part has open children.
    fn has_children(&self) -> bool {
        self.options.algorithm == Algorithm::DataCentric && !self.part.has_given_up
    }

    /// Returns a pool for one worker, which pauses only for limits.
    fn pool<O: Offer>(&self, cells: &Arc<CommonCells>) -> Arc<Pool<O>> {
        let never = Instant::now() + Duration::from_secs(1 << 30);
        let pool = Pool::new(1, Sharing::OnDemand, cells.clone(), self.initial);
        Arc::new(pool.until(1, never))
    }

    /// Returns a part with the knowledge of the search, but nothing to explore.
    fn saved(&self, cells: Vec<KnownCell>) -> Part {
        Part {
            initial: Some(self.initial),
            program: (self.save)(),
            is_total: self.part.is_total,
            orders_arrivals: self.part.orders_arrivals,
            has_given_up: self.part.has_given_up,
            cells,
            ..Part::start()
        }
    }

    /// Returns the outcome of a part for which the whole search must start over.
    fn start_over(&self, lesson: Lesson, cells: Vec<KnownCell>) -> Explored {
        let is_total = self.part.is_total || matches!(lesson, Lesson::CoherenceOrder(_));
        let orders_arrivals = self.part.orders_arrivals || lesson == Lesson::Arrivals;
        let rest = Part { initial: None, is_total, orders_arrivals, ..self.saved(cells) };
        let verdict = Verdict { algorithm: self.options.algorithm, ..Verdict::default() };
        Explored { verdict, rest: Some(rest), starts_over: Some(lesson) }
    }

    /// Explores from the initial state or, if the search `joins`, only what it was given. Then calls `weigh`.
    fn run<S: Strategy, O: Offer>(
        &mut self,
        search: &mut S,
        pool: &Arc<Pool<O>>,
        cells: &Arc<CommonCells>,
        joins: bool,
        weigh: impl FnOnce(&mut S, &Estimator),
    ) -> (End, Verdict) {
        let member = Member::new(pool.clone());
        let mut driver = Driver::of_team(self.machine, self.options, member);
        driver.execution().share_cells(cells.clone());
        driver.execution().set_initial(self.initial);
        driver.configure::<S>();
        let outcome = driver.search(search, joins);
        weigh(search, driver.estimator());
        let verdict = driver.finish();
        let end = match outcome {
            Outcome::Done if pool.is_pausing() => End::Paused,
            Outcome::Done => End::Over,
            Outcome::GaveUp => End::GaveUp,
            Outcome::Stopped => {
                let is_nondeterministic = |verdict: &Verdict| {
                    verdict.violations.iter().any(|v| v.kind == ViolationKind::Nondeterminism)
                };
                debug_assert!(
                    verdict.stopped == Some(Bound::Violation) || is_nondeterministic(&verdict)
                );
                End::Over
            }
            Outcome::StartOver(lesson, Teacher::Machine)
            | Outcome::StartOver(
                lesson @ (Lesson::Arrivals | Lesson::CoherenceOrder(_) | Lesson::Observations),
                Teacher::Execution,
            ) => End::StartOver(lesson),
            // What an event observes depends on it.
            Outcome::StartOver(Lesson::Overlap, Teacher::Execution) if self.has_children() => {
                End::StartOver(Lesson::Overlap)
            }
            // The machine and its ids stay the same, and so does the search tree.
            Outcome::StartOver(lesson, Teacher::Execution) => match self.machine.rewind(0) {
                Ok(()) => {
                    let Verdict { executions, blocked, elapsed, .. } = verdict;
                    let restart = Restart { lesson, executions, blocked, elapsed };
                    self.machine.started_over(&restart);
                    End::Again
                }
                Err(violation) => {
                    let stopped = Some(Bound::Violation);
                    let violations = vec![*violation];
                    return (End::Over, Verdict { violations, stopped, ..verdict });
                }
            },
        };
        (end, verdict)
    }
}

//! Samples of several workers.
//!
//! A sample depends on its index and on what the samples before its epoch have taught; see
//! [`sampling`](crate::explore::sampling). So workers run the samples of one epoch in any order, in
//! batches. When all batches of an epoch are there, they are added to the verdict in the order of their
//! indices, up to the first one that ends the search. The verdict is thereby that of a single worker.
//!
//! The first samples are those of a single worker. They take little time, and teach most lessons. A later
//! lesson makes all workers start over, like in other searches.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::{InTurn, renew};
use crate::algorithm::Algorithm;
use crate::execution::Execution;
use crate::execution::order::AllConflicts;
use crate::execution::shared_cells::CommonCells;
use crate::explore::sampling::{
    Pct, Pos, Sample, Surw, Tally, Uniform, Walk, end_of_epoch, limit, progress,
};
use crate::model::{Lesson, Machine, Performed, Program, Step, Violation, ViolationKind};
use crate::search::driver::{Driver, MOST_WARNINGS, Outcome, Teacher};
use crate::search::reported_races::{RaceLog, ReportedRaces};
use crate::search::sampling::Policy;
use crate::search::strategy::{Next, Position, Strategy};
use crate::search::team::Team;
use crate::search::{Monitor, Options};
use crate::verdict::{Bound, Restart, Verdict};

/// The number of samples that one worker runs alone.
const ALONE: u64 = 256;
/// The maximum number of samples in a batch.
const LARGEST_BATCH: u64 = 64;

/// Samples with several workers. The options name a sampler.
pub(super) fn sample<P: Program>(
    program: &P,
    machine: &mut P::Machine,
    workers: NonZeroUsize,
    options: &Options<'_>,
    monitor: &mut (dyn Monitor<P::Machine> + Send),
) -> Verdict {
    match options.algorithm {
        Algorithm::Pct => explore::<P, Pct>(program, machine, workers, options, monitor),
        Algorithm::Pos => explore::<P, Pos>(program, machine, workers, options, monitor),
        Algorithm::Surw => explore::<P, Surw>(program, machine, workers, options, monitor),
        _ => explore::<P, Uniform>(program, machine, workers, options, monitor),
    }
}

fn explore<P: Program, Q: Policy>(
    program: &P,
    machine: &mut P::Machine,
    workers: NonZeroUsize,
    options: &Options<'_>,
    monitor: &mut (dyn Monitor<P::Machine> + Send),
) -> Verdict {
    let started = Instant::now();
    let (mut restarts, mut discarded) = (Vec::new(), (0, 0));
    let mut cells = Arc::new(CommonCells::default());
    let hears_of_ends = monitor.hears_of_ends();
    let monitor = Mutex::new(monitor);
    let in_turn = |is_first| InTurn { monitor: &monitor, is_first, hears_of_ends };
    // The limit applies to the sum over all workers.
    let unlimited = Options { max_executions: None, ..options.clone() };
    loop {
        let crew = Crew::<Q> {
            state: Mutex::new(State::new(options, discarded)),
            changed: Condvar::new(),
            stop_after: AtomicU64::new(u64::MAX),
            cells: cells.clone(),
            initial: machine.processes(),
            started,
            discarded,
            options: &unlimited,
        };
        std::thread::scope(|scope| {
            for _ in 1..workers.get() {
                scope.spawn(|| crew.help(program, in_turn(false)));
            }
            crew.work(machine, in_turn(true), 0);
        });
        let mut state = crew.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some((lesson, teacher)) = state.lesson {
            let Verdict { executions, blocked, .. } = state.verdict;
            let restart = Restart { lesson, executions, blocked, elapsed: started.elapsed() };
            restarts.push(restart);
            in_turn(true).lock().started_over(&restart);
            discarded = (discarded.0 + executions, discarded.1 + blocked);
            match renew(program, machine, &mut cells, teacher) {
                Ok(()) => continue,
                Err(violation) => {
                    let (violations, stopped) = (vec![*violation], Some(Bound::Violation));
                    state.verdict = Verdict { violations, stopped, ..Verdict::default() };
                }
            }
        }
        let State { mut verdict, tally, policy, .. } = state;
        verdict.algorithm = options.algorithm;
        verdict.restarts = restarts;
        verdict.elapsed = started.elapsed();
        tally.report(&policy, &options.sampling, &mut verdict);
        return verdict;
    }
}

/// The state that the workers share.
struct Crew<'a, Q: Policy> {
    state: Mutex<State<Q>>,
    /// Signalled when there is a new epoch, or when there will be no more.
    changed: Condvar,
    /// The first sample of the first batch that ends the search. Later batches do not count.
    stop_after: AtomicU64,
    cells: Arc<CommonCells>,
    /// The number of processes in the initial state.
    initial: usize,
    /// The beginning of the check, and the numbers of discarded executions.
    started: Instant,
    discarded: (u64, u64),
    options: &'a Options<'a>,
}

impl<Q: Policy> Crew<'_, Q> {
    fn lock(&self) -> MutexGuard<'_, State<Q>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs batches on a new machine, after the samples of the first worker.
    fn help<P: Program>(&self, program: &P, monitor: InTurn<'_, '_, P::Machine>) {
        let _stop = StopInPanic(self);
        let waits = |state: &mut State<Q>| !state.is_over && state.epoch.start < ALONE;
        let state = self.changed.wait_while(self.lock(), waits);
        if state.unwrap_or_else(PoisonError::into_inner).is_over {
            return;
        }
        match program.start() {
            Ok(mut machine) => self.work(&mut machine, monitor, ALONE),
            Err(violation) => {
                let mut state = self.lock();
                state.verdict.violations = vec![*violation];
                state.verdict.stopped = Some(Bound::Violation);
                self.end(&mut state);
            }
        }
    }

    /// Runs batches of the epochs from `first` on, until the search is over.
    fn work<M: Machine>(&self, machine: &mut M, mut monitor: InTurn<'_, '_, M>, first: u64) {
        let _stop = StopInPanic(self);
        let lane = |first, base| Lane {
            stop_after: &self.stop_after,
            first,
            base,
            races: ReportedRaces::with_log(),
        };
        let mut driver = Driver::of_team(machine, self.options, &mut monitor, lane(0, (0, 0)))
            .continuing(self.started, self.discarded);
        driver.execution().share_cells(self.cells.clone());
        // Other workers may have created more processes.
        driver.execution().set_initial(self.initial);
        driver.configure::<Batches<Q>>();
        let mut search = Batches::<Q>::new(self.options);
        let mut epochs = 0;
        while let Some((range, base)) = self.claim(first, &mut epochs, &mut search) {
            search.begin(&range);
            *driver.team() = lane(range.start, base);
            let outcome = driver.search(&mut search, true);
            let batch = Batch {
                range,
                base: base.0,
                verdict: driver.take_verdict(),
                samples: std::mem::take(&mut search.samples),
                races: driver.team().races.take_log(),
                outcome,
            };
            self.deliver(batch);
        }
    }

    /// Returns the samples that a worker runs next, and about how many executions come before them.
    /// Before that, teaches its policy what the earlier epochs have taught. Returns `None` once the
    /// search is over.
    fn claim(
        &self,
        first: u64,
        epochs: &mut usize,
        search: &mut Batches<Q>,
    ) -> Option<(Range<u64>, (u64, u64))> {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return None;
            }
            if state.epoch.start >= first
                && state.next < state.epoch.end
                && state.next < self.stop_after.load(Relaxed)
            {
                break;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        for gains in &state.learnt[*epochs..] {
            gains.iter().for_each(|gain| search.walk.policy.learn(gain));
        }
        *epochs = state.learnt.len();
        Some(state.claim())
    }

    /// Accepts a batch that has been run. The worker that delivers the last batch of an epoch begins the
    /// next one.
    fn deliver(&self, batch: Batch<Q::Gain>) {
        let mut state = self.lock();
        state.busy -= 1;
        match batch.outcome {
            Outcome::StartOver(lesson, teacher) => {
                match state.lesson {
                    Some((_, Teacher::Machine)) => {}
                    _ => state.lesson = Some((lesson, teacher)),
                }
                state.verdict.executions += batch.verdict.executions;
                state.verdict.blocked += batch.verdict.blocked;
                return self.end(&mut state);
            }
            Outcome::Stopped | Outcome::GaveUp => {
                self.stop_after.fetch_min(batch.range.start + 1, Relaxed);
            }
            Outcome::Done => {}
        }
        state.batches.insert(batch.range.start, batch);
        let is_claimed = state.next >= state.epoch.end.min(self.stop_after.load(Relaxed));
        if !state.is_over && is_claimed && state.busy == 0 {
            if state.end_epoch() {
                self.end(&mut state);
            }
            self.changed.notify_all();
        }
    }

    /// Ends the search.
    fn end(&self, state: &mut State<Q>) {
        state.is_over = true;
        self.stop_after.store(0, Relaxed);
        self.changed.notify_all();
    }
}

/// Stops all workers if one of them panics. Otherwise they would wait for it forever.
struct StopInPanic<'a, 'b, Q: Policy>(&'a Crew<'b, Q>);

impl<Q: Policy> Drop for StopInPanic<'_, '_, Q> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(&mut self.0.lock());
        }
    }
}

struct State<Q: Policy> {
    /// The samples of the current epoch, and the first of them that no worker has claimed.
    epoch: Range<u64>,
    next: u64,
    /// The number of batches that are being run.
    busy: usize,
    /// The batches of the epoch that have been run, by their first samples.
    batches: BTreeMap<u64, Batch<Q::Gain>>,
    is_over: bool,
    /// The lesson for which the search must start over, if there is one.
    lesson: Option<(Lesson, Teacher)>,
    /// What the samples of each epoch have taught, and a policy that has learnt it.
    learnt: Vec<Vec<Q::Gain>>,
    policy: Q,
    /// The sum of all earlier epochs.
    verdict: Verdict,
    tally: Tally,
    races: ReportedRaces,
    /// The maximum number of samples.
    limit: u64,
    /// The maximum number of executions.
    max_executions: u64,
}

impl<Q: Policy> State<Q> {
    fn new(options: &Options<'_>, discarded: (u64, u64)) -> Self {
        let discarded = discarded.0 + discarded.1;
        State {
            epoch: 0..1,
            next: 0,
            busy: 0,
            batches: BTreeMap::new(),
            is_over: false,
            lesson: None,
            learnt: Vec::new(),
            policy: Q::new(&options.sampling),
            verdict: Verdict::default(),
            tally: Tally::default(),
            races: ReportedRaces::default(),
            limit: limit(options),
            max_executions: options
                .max_executions
                .map_or(u64::MAX, |m| m.saturating_sub(discarded)),
        }
    }

    /// Returns the number of executions, including those that ended early.
    fn runs(&self) -> u64 {
        self.verdict.executions + self.verdict.blocked
    }

    /// Claims the next batch of the epoch.
    fn claim(&mut self) -> (Range<u64>, (u64, u64)) {
        let before = self.next - self.epoch.start;
        let size = ((self.epoch.end - self.epoch.start) / 16).clamp(1, LARGEST_BATCH);
        // A batch with one sample does not exceed the limit on executions.
        let exceeds = self.runs().saturating_add(before + size) > self.max_executions;
        let size = if exceeds { 1 } else { size };
        let range = self.next..(self.next + size).min(self.epoch.end);
        self.next = range.end;
        self.busy += 1;
        (range, (self.verdict.executions + before, self.verdict.blocked))
    }

    /// Adds the batches of the epoch to the verdict, and begins the next epoch. Returns whether the search
    /// is over.
    fn end_epoch(&mut self) -> bool {
        let mut gains = Vec::new();
        let mut is_over = false;
        let end = self.epoch.end;
        for batch in std::mem::take(&mut self.batches).into_values() {
            gains.extend(batch.samples.iter().map(|sample| sample.gain.clone()));
            let is_last = batch.range.end == end;
            is_over = batch.outcome != Outcome::Done;
            self.add(batch);
            if self.runs() >= self.max_executions && (!is_last || end < self.limit) && !is_over {
                self.verdict.stopped = Some(Bound::Executions);
                if !is_last {
                    return true;
                }
                is_over = true;
                break;
            }
            if is_over {
                return true;
            }
        }
        gains.iter().for_each(|gain| self.policy.learn(gain));
        self.learnt.push(gains);
        self.epoch = end..end_of_epoch(end).min(self.limit);
        self.next = end;
        is_over || end >= self.limit
    }

    /// Adds a batch to the verdict.
    fn add(&mut self, batch: Batch<Q::Gain>) {
        let (sum, more) = (&mut self.verdict, batch.verdict);
        let before = sum.executions;
        let numbered = |violation: Violation| {
            let execution = violation.execution - batch.base + before;
            Violation { execution, ..violation }
        };
        let mut races = batch.races.races.into_iter();
        for violation in more.violations {
            let is_race = violation.kind == ViolationKind::DataRace;
            let is_same =
                |v: &Violation| v.kind == violation.kind && v.message == violation.message;
            // A data race that ends the search is not in the log.
            let race = if is_race { races.next() } else { None };
            let is_new = match race {
                Some(race) => self.races.add(race),
                None => !sum.violations.iter().any(is_same),
            };
            if is_new {
                sum.violations.push(numbered(violation));
            }
        }
        for (warning, cell) in more.warnings.into_iter().zip(batch.races.locations) {
            if sum.warnings.len() < MOST_WARNINGS && self.races.note_location(cell) {
                sum.warnings.push(numbered(warning));
            }
        }
        sum.executions += more.executions;
        sum.blocked += more.blocked;
        sum.events += more.events;
        sum.max_depth = sum.max_depth.max(more.max_depth);
        sum.weak_access = sum.weak_access.take().or(more.weak_access);
        sum.stopped = match batch.outcome {
            Outcome::Done => sum.stopped.or(more.stopped),
            _ => more.stopped,
        };
        batch.samples.iter().for_each(|sample| self.tally.add(sample));
    }
}

/// A batch that has been run.
struct Batch<G> {
    range: Range<u64>,
    /// The number of executions that its violations are counted from.
    base: u64,
    verdict: Verdict,
    samples: Vec<Sample<G>>,
    races: RaceLog,
    outcome: Outcome,
}

/// A worker's view of the others, for its driver.
struct Lane<'a> {
    stop_after: &'a AtomicU64,
    /// The first sample of the batch.
    first: u64,
    /// About how many executions come before the batch.
    base: (u64, u64),
    /// The data races of the batch.
    races: ReportedRaces,
}

impl Team for Lane<'_> {
    fn is_stopping(&self) -> bool {
        self.first >= self.stop_after.load(Relaxed)
    }

    fn runs(&mut self, mine: (u64, u64)) -> (u64, u64) {
        (self.base.0 + mine.0, self.base.1 + mine.1)
    }

    fn with_races<R>(&mut self, look: impl FnOnce(&mut ReportedRaces) -> R) -> R {
        look(&mut self.races)
    }
}

/// The strategy of a worker: runs one batch after the other.
struct Batches<Q: Policy> {
    walk: Walk<Q>,
    /// The current sample, and the end of its batch.
    current: u64,
    end: u64,
    has_begun: bool,
    /// The samples of the batch that have ended.
    samples: Vec<Sample<Q::Gain>>,
    /// The maximum number of samples.
    limit: u64,
}

impl<Q: Policy> Batches<Q> {
    fn new(options: &Options<'_>) -> Self {
        let walk = Walk::new(&options.sampling);
        let limit = limit(options);
        Batches { walk, current: 0, end: 0, has_begun: true, samples: Vec::new(), limit }
    }

    /// Begins a batch.
    fn begin(&mut self, range: &Range<u64>) {
        (self.current, self.end, self.has_begun) = (range.start, range.end, false);
    }
}

impl<M: Machine, Q: Policy> Strategy<M> for Batches<Q> {
    type Relation = AllConflicts;

    fn next(&mut self, at: &Position<'_, M>) -> Next {
        self.walk.next(self.current, at)
    }

    fn performed(&mut self, machine: &M, performed: &Performed) {
        self.walk.performed(machine, performed);
    }

    fn took(&mut self, _machine: &M, _execution: &mut Execution) {}

    fn ended(&mut self, _machine: &M, execution: &mut Execution) {
        self.samples.push(self.walk.ended(execution));
    }

    fn backtrack(&mut self, _execution: &Execution) -> Option<usize> {
        self.current += 1;
        (self.current < self.end).then_some(0)
    }

    fn elsewhere(&mut self, _execution: &Execution) -> Option<Vec<Step>> {
        // The batch starts in the initial state.
        (!std::mem::replace(&mut self.has_begun, true)).then(Vec::new)
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        progress(depth, self.current, self.limit)
    }
}

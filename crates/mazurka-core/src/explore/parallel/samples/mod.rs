//! Samples of several workers.
//!
//! A sample depends on its index and on what the samples before its epoch have taught; see
//! [`sampling`](crate::explore::sampling). So workers run the samples of one epoch in any order, in
//! batches. When all batches of an epoch are there, they are added to the verdict in the order of their
//! indices, up to the first one that ends the search. The verdict is thereby that of a single worker.
//!
//! # Lessons
//!
//! The first samples are those of a single worker. They take little time, and teach most lessons. The
//! workers run later samples on machines of a [program apart](crate::model::Program::apart), so that what they learn is
//! not known to the program itself. If one of these samples teaches a lesson, the samples of the workers
//! are discarded, and a single worker runs all samples up to the one that teaches the first lesson. So
//! every lesson is learnt at the same sample as by a single worker, and the verdict is the same even then.

mod batches;
mod state;

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use self::batches::{Batches, Lane};
use self::state::{Batch, State};
use super::{Staff, renew};
use crate::algorithm::Algorithm;
use crate::execution::shared_cells::CommonCells;
use crate::explore::sampling::{Pct, Pos, Surw, Uniform};
use crate::search::Options;
use crate::search::driver::{Driver, Outcome, Teacher};
use crate::search::reported_races::ReportedRaces;
use crate::search::sampling::Policy;
use crate::search::subject::Subject;
use crate::verdict::{Bound, Restart, Verdict};

/// The number of samples that one worker runs alone. An epoch ends there.
const ALONE: u64 = 256;

/// Samples with several workers. The options name a sampler.
pub(super) fn sample(
    staff: &dyn Staff,
    machine: &mut dyn Subject,
    workers: NonZeroUsize,
    options: &Options<'_>,
) -> Verdict {
    match options.algorithm {
        Algorithm::Pct => explore::<Pct>(staff, machine, workers, options),
        Algorithm::Pos => explore::<Pos>(staff, machine, workers, options),
        Algorithm::Surw => explore::<Surw>(staff, machine, workers, options),
        _ => explore::<Uniform>(staff, machine, workers, options),
    }
}

fn explore<Q: Policy>(
    staff: &dyn Staff,
    machine: &mut dyn Subject,
    workers: NonZeroUsize,
    options: &Options<'_>,
) -> Verdict {
    let started = Instant::now();
    let (mut restarts, mut discarded) = (Vec::new(), (0, 0));
    let mut cells = Arc::new(CommonCells::default());
    // The limit applies to the sum over all workers.
    let unlimited = Options { max_executions: None, ..options.clone() };
    let mut initial = machine.processes();
    // Whether a single worker runs all samples.
    let mut is_alone = workers.get() == 1;
    loop {
        let crew = Crew::<Q> {
            state: Mutex::new(State::new(options, discarded)),
            changed: Condvar::new(),
            stop_after: AtomicU64::new(u64::MAX),
            started,
            discarded,
            options: &unlimited,
        };
        let alone = if is_alone { u64::MAX } else { ALONE };
        crew.work(machine, 0..alone, &cells, initial);
        let is_shared = !is_alone && !crew.lock().is_over;
        if is_shared {
            let cells = cells.apart();
            staff.apart(&mut |staff| {
                std::thread::scope(|scope| {
                    for _ in 1..workers.get() {
                        scope.spawn(|| crew.help(staff, false, &cells, initial));
                    }
                    crew.help(staff, true, &cells, initial);
                });
            });
        }
        let mut state = crew.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let lesson = state.lesson.take();
        is_alone = workers.get() == 1 || lesson.is_some() && is_shared;
        if let Some((lesson, teacher)) = lesson {
            let Verdict { executions, blocked, .. } = state.verdict;
            let restart = Restart { lesson, executions, blocked, elapsed: started.elapsed() };
            if !is_shared || staff.hears_of_ends() {
                machine.started_over(&restart);
            }
            if is_shared {
                continue;
            }
            restarts.push(restart);
            discarded = (discarded.0 + executions, discarded.1 + blocked);
            if let Err(violation) = renew(machine, &mut cells, teacher) {
                let (violations, stopped) = (vec![*violation], Some(Bound::Violation));
                state.verdict = Verdict { violations, stopped, ..Verdict::default() };
            } else {
                if teacher == Teacher::Machine {
                    initial = machine.processes();
                }
                continue;
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
    fn help(&self, staff: &dyn Staff, is_first: bool, cells: &Arc<CommonCells>, initial: usize) {
        let _stop = StopInPanic(self);
        let mut work =
            |machine: &mut dyn Subject| self.work(machine, ALONE..u64::MAX, cells, initial);
        if let Err(violation) = staff.start(is_first, &mut work) {
            let mut state = self.lock();
            state.verdict.violations = vec![*violation];
            state.verdict.stopped = Some(Bound::Violation);
            self.end(&mut state);
        }
    }

    /// Runs batches of the epochs that begin in a range, until the search is over. `initial` is the number
    /// of processes in the initial state.
    fn work(
        &self,
        machine: &mut dyn Subject,
        samples: Range<u64>,
        cells: &Arc<CommonCells>,
        initial: usize,
    ) {
        let _stop = StopInPanic(self);
        let lane = |first, base| Lane {
            stop_after: &self.stop_after,
            first,
            base,
            races: ReportedRaces::with_log(),
        };
        let mut driver = Driver::of_team(machine, self.options, lane(0, (0, 0)))
            .continuing(self.started, self.discarded);
        driver.execution().share_cells(cells.clone());
        // Other workers may have created more processes.
        driver.execution().set_initial(initial);
        driver.configure::<Batches<Q>>();
        let mut search = Batches::<Q>::new(self.options);
        let mut epochs = 0;
        while let Some((range, base)) = self.claim(&samples, &mut epochs, &mut search) {
            search.begin(&range);
            *driver.team() = Box::new(lane(range.start, base));
            let outcome = driver.search(&mut search, true);
            let mut races = Default::default();
            driver.team().with_races(&mut |reported| {
                races = reported.take_log();
                false
            });
            let batch = Batch {
                range,
                base: base.0,
                verdict: driver.take_verdict(),
                samples: std::mem::take(&mut search.samples),
                races,
                outcome,
            };
            self.deliver(batch);
        }
    }

    /// Returns the samples that a worker runs next, and about how many executions come before them.
    /// Before that, teaches its policy what the earlier epochs have taught. Returns `None` once the
    /// search is over, or has left the range of samples.
    fn claim(
        &self,
        samples: &Range<u64>,
        epochs: &mut usize,
        search: &mut Batches<Q>,
    ) -> Option<(Range<u64>, (u64, u64))> {
        let mut state = self.lock();
        loop {
            if state.is_over || state.epoch.start >= samples.end {
                return None;
            }
            if state.next < state.epoch.end && state.next < self.stop_after.load(Relaxed) {
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
                // The batches before it are those of the same worker, or do not count.
                let earlier = std::mem::take(&mut state.batches).into_values();
                for Verdict { executions, blocked, .. } in
                    earlier.map(|batch| batch.verdict).chain([batch.verdict])
                {
                    state.verdict.executions += executions;
                    state.verdict.blocked += blocked;
                }
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

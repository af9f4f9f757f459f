//! The loop that every explorer shares.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::cells::CellId;
use super::execution::{Declared, Execution, Race, renumber};
use super::known_races::KnownRaces;
use super::optimal::Optimal;
use super::spare::{FEW, Reuse, Spare};
use super::strategy::{Next, Position, Standing, Strategy};
use super::workers::Pool;
use super::{Algorithm, DataRaces, Monitor, Options, Progress};
use crate::model::{Ending, Machine, Performed, ProcessId, Step};
use crate::verdict::{Bound, Note, Schedule, Verdict, Violation, ViolationKind};

/// How many steps pass between two looks at the clock.
const STEPS_BETWEEN_LOOKS: u32 = 1024;
/// How long the monitor is left alone.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// So many data races are noted where they are not violations.
const MOST_WARNINGS: usize = 64;

/// Runs the executions that a strategy asks for, and keeps the books.
pub(crate) struct Driver<'a, M: Machine> {
    machine: &'a mut M,
    options: &'a Options<'a>,
    monitor: &'a mut dyn Monitor<M>,
    execution: Box<Execution>,
    performed: Performed,
    verdict: Verdict,
    started: Instant,
    steps_to_next_look: u32,
    next_progress: Duration,
    /// How many preemptions there were up to each depth, if they are bounded.
    preemptions: Vec<u32>,
    /// What went wrong first in the current execution, and after how many steps.
    failure: Option<(usize, Box<Violation>)>,
    /// The first data race of the current execution likewise, if there may be more to come.
    race: Option<(usize, Box<Violation>)>,
    known_races: KnownRaces,
    position: Vec<Step>,
    /// What it has in common with other workers, if there are any.
    pool: Option<Arc<Pool>>,
}

thread_local! {
    static SPARE: Spare<Performed> = const { Spare::new(None) };
}

impl Reuse for Performed {
    fn is_large(&self) -> bool {
        self.actions.capacity().max(self.edges.capacity()).max(self.rivals.capacity()) > FEW
    }

    fn clear(&mut self) {
        Performed::clear(self);
    }
}

/// That the whole exploration stops.
struct Stop;

/// How an exploration ended by itself.
enum Outcome {
    /// Everything has been explored.
    Done,
    /// Something became known that makes it necessary to start over.
    StartOver,
    /// The strategy cannot cope with the program.
    GaveUp,
}

impl<'a, M: Machine> Driver<'a, M> {
    pub(crate) fn new(
        machine: &'a mut M,
        options: &'a Options<'a>,
        monitor: &'a mut dyn Monitor<M>,
    ) -> Self {
        let has_plain_memory = machine.has_plain_memory();
        let processes = machine.processes();
        let mut driver = Driver {
            machine,
            options,
            monitor,
            execution: match options.algorithm {
                Algorithm::EmDpor | Algorithm::EventDriven => Execution::of_tasks(has_plain_memory),
                Algorithm::Unfolding => Execution::with_parts_together(),
                algorithm => Execution::with_observers(algorithm == Algorithm::Observers),
            },
            performed: SPARE.take().unwrap_or_default(),
            verdict: Verdict { algorithm: options.algorithm, ..Verdict::default() },
            started: Instant::now(),
            steps_to_next_look: STEPS_BETWEEN_LOOKS,
            next_progress: PROGRESS_INTERVAL,
            preemptions: options.preemption_bound.map_or_else(Vec::new, |_| vec![0]),
            failure: None,
            race: None,
            known_races: KnownRaces::default(),
            position: Vec::new(),
            pool: None,
        };
        driver.execution.set_initial(processes);
        driver
    }

    /// The driver of one of several workers.
    pub(crate) fn of_pool(
        machine: &'a mut M,
        options: &'a Options<'a>,
        monitor: &'a mut dyn Monitor<M>,
        pool: Arc<Pool>,
    ) -> Self {
        let mut driver = Driver::new(machine, options, monitor);
        driver.execution.share_cells(pool.cells.clone());
        // Others may have come upon more of them.
        driver.execution.set_initial(pool.initial);
        driver.pool = Some(pool);
        driver
    }

    /// Explores as one of several workers, who may `join` the others later or be the first.
    pub(crate) fn work(mut self, joins: bool) -> Verdict {
        let Some(pool) = self.pool.clone() else { return self.run(Optimal::new) };
        let mut strategy = Optimal::of_pool(pool.clone());
        let outcome = match joins {
            true => self.join(&mut strategy),
            false => self.explore(&mut strategy),
        };
        match outcome {
            Ok(Outcome::StartOver) => pool.start_over(),
            Ok(Outcome::Done | Outcome::GaveUp) => {}
            Err(Stop) => pool.stop(),
        }
        Strategy::<M>::retire(strategy);
        self.finish()
    }

    /// Explores what others leave to it.
    fn join(&mut self, strategy: &mut impl Strategy<M>) -> Result<Outcome, Stop> {
        match self.take_over(strategy)? {
            true => self.explore(strategy),
            false => Ok(Outcome::Done),
        }
    }

    /// Goes to where others have left something to explore, if there is anything.
    fn take_over(&mut self, strategy: &mut impl Strategy<M>) -> Result<bool, Stop> {
        let Some(steps) = strategy.take_over(&self.execution) else { return Ok(false) };
        self.check_limits(strategy)?;
        let same = self.execution.steps().zip(&steps).take_while(|(mine, step)| mine == *step);
        let len = same.count();
        self.truncate(len);
        self.machine.rewind(len).or_else(|violation| self.lose(*violation))?;
        for step in &steps[len..] {
            self.repeat(*step)?;
        }
        Ok(true)
    }

    /// Takes a step that another worker has taken, and told of.
    fn repeat(&mut self, step: Step) -> Result<(), Stop> {
        let result = self.perform(step);
        let steps = self.execution.len();
        match result {
            Err(violation) if violation.kind == ViolationKind::Nondeterminism => {
                return self.lose(*violation);
            }
            Err(violation) => {
                self.failure.get_or_insert((steps, violation));
            }
            Ok(()) => {}
        }
        if let Some(race) = self.execution.take_data_race()
            && self.options.data_races == DataRaces::Report
        {
            self.race.get_or_insert_with(|| (steps, Box::new(data_race(race))));
        }
        Ok(())
    }

    /// Explores, and says what was found.
    pub(crate) fn run<S: Strategy<M>>(mut self, strategy: impl Fn() -> S) -> Verdict {
        self.attempt(strategy);
        self.finish()
    }

    /// The same, with another strategy `instead` if the first one gives up, which `note` explains.
    pub(crate) fn run_or<S: Strategy<M>, T: Strategy<M>>(
        mut self,
        strategy: impl Fn() -> S,
        instead: impl Fn() -> T,
        note: Note,
    ) -> Verdict {
        if !self.attempt(strategy) {
            self.start_over();
            self.execution.order_all();
            self.verdict.notes.push(note);
            self.attempt(instead);
        }
        self.finish()
    }

    fn finish(mut self) -> Verdict {
        self.verdict.elapsed = self.started.elapsed();
        self.execution.retire();
        Reuse::retire(self.performed, &SPARE);
        self.verdict
    }

    /// Explores, unless the strategy gives up.
    fn attempt<S: Strategy<M>>(&mut self, strategy: impl Fn() -> S) -> bool {
        loop {
            let mut strategy = strategy();
            match self.explore(&mut strategy) {
                Ok(Outcome::StartOver) => self.start_over(),
                Ok(Outcome::GaveUp) => return false,
                Ok(Outcome::Done) | Err(Stop) => {
                    strategy.report(&mut self.verdict);
                    strategy.retire();
                    return true;
                }
            }
        }
    }

    /// Forgets everything but what was learnt about the program's locations.
    fn start_over(&mut self) {
        self.truncate(0);
        let warnings = std::mem::take(&mut self.verdict.warnings);
        let notes = std::mem::take(&mut self.verdict.notes);
        let algorithm = self.options.algorithm;
        self.verdict = Verdict { algorithm, warnings, notes, ..Verdict::default() };
        self.failure = None;
        self.race = None;
        self.known_races = KnownRaces::default();
    }

    fn explore(&mut self, strategy: &mut impl Strategy<M>) -> Result<Outcome, Stop> {
        loop {
            let end = self.extend(strategy)?;
            strategy.ended(self.machine, &mut self.execution);
            self.account(end)?;
            if self.execution.take_restart() | self.machine.must_start_over() {
                let _ = self.machine.rewind(0);
                return Ok(Outcome::StartOver);
            }
            let intact = strategy.extend(self.machine, &mut self.execution);
            let mut intact = intact.or_else(|violation| self.lose(*violation))?;
            let outcome = match strategy.standing(&self.execution) {
                Standing::Reliable => None,
                Standing::StartsOver => Some(Outcome::StartOver),
                Standing::GivesUp => Some(Outcome::GaveUp),
            };
            if let Some(outcome) = outcome {
                let _ = self.machine.rewind(0);
                return Ok(outcome);
            }
            if let Some((cell, violation)) = strategy.take_data_race() {
                self.account_for_race(cell, violation)?;
                let _ = self.machine.rewind(0);
                intact = 0;
            }
            let Some(len) = strategy.backtrack(&self.execution) else {
                match self.take_over(strategy)? {
                    true => continue,
                    false => return Ok(Outcome::Done),
                }
            };
            self.check_limits(strategy)?;
            self.truncate(len);
            self.go_back(intact, len).or_else(|violation| self.lose(*violation))?;
        }
    }

    /// Brings the machine, which is still at the first `intact` steps of the execution, to the end
    /// of the first `len`.
    fn go_back(&mut self, intact: usize, len: usize) -> Result<(), Box<Violation>> {
        self.machine.rewind(intact.min(len))?;
        for depth in intact..len {
            self.performed.clear();
            let result = self.machine.step(self.execution.event(depth).step, &mut self.performed);
            // Whatever else may go wrong there has been seen.
            match result {
                Err(violation) if violation.kind == ViolationKind::Nondeterminism => {
                    return Err(violation);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Stops because the machine could not be brought to where it had been.
    fn lose<T>(&mut self, violation: Violation) -> Result<T, Stop> {
        self.record(violation);
        self.verdict.stopped = Some(Bound::Violation);
        Err(Stop)
    }

    /// Forgets all but the first `len` steps.
    fn truncate(&mut self, len: usize) {
        self.execution.truncate(len);
        self.preemptions.truncate(len + 1);
        self.failure.take_if(|(steps, _)| *steps > len);
        self.race.take_if(|(steps, _)| *steps > len);
    }

    /// Takes the last step back.
    fn take_back(&mut self) -> Result<(), Stop> {
        let len = self.execution.len() - 1;
        self.truncate(len);
        self.verdict.events -= 1;
        self.machine.rewind(len).or_else(|violation| self.lose(*violation))
    }

    /// Takes steps until the execution ends.
    fn extend(&mut self, strategy: &mut impl Strategy<M>) -> Result<Next, Stop> {
        loop {
            if self.options.max_depth.is_some_and(|max| self.execution.len() >= max) {
                self.verdict.stopped.get_or_insert(Bound::Depth);
                return Ok(Next::Cut);
            }
            let position = Position {
                machine: &*self.machine,
                execution: &self.execution,
                bounded: self.options.preemption_bound.is_some(),
                confined_to: self.confinement(),
                left_out: Cell::new(false),
                favourite: self.favourite(),
            };
            let next = strategy.next(&position);
            if position.left_out.get() {
                self.verdict.stopped.get_or_insert(Bound::Preemptions);
            }
            match next {
                Next::Step(step) => {
                    let failed = self.take(step)?;
                    strategy.took(self.machine, &mut self.execution);
                    if let Some(race) = self.execution.take_data_race() {
                        self.note_data_race(race)?;
                    }
                    let looked = strategy.look(self.machine, &mut self.execution, failed);
                    looked.or_else(|violation| self.lose(*violation))?;
                    self.steps_to_next_look -= 1;
                    if self.steps_to_next_look == 0 {
                        self.look_at_clock(strategy)?;
                    }
                }
                Next::TakeBack => self.take_back()?,
                end => return Ok(end),
            }
        }
    }

    /// Takes a step, and says whether it failed.
    #[inline(always)]
    fn take(&mut self, step: Step) -> Result<bool, Stop> {
        let result = self.perform(step);
        self.verdict.events += 1;
        let failed = result.is_err();
        if let Err(violation) = result {
            self.fail(violation)?;
        }
        Ok(failed)
    }

    /// Has the machine take a step, and makes an event of it.
    #[inline(always)]
    fn perform(&mut self, step: Step) -> Result<(), Box<Violation>> {
        let preemptions = self.preemptions_with(step.process);
        let alternatives = self.machine.alternatives(step.process);
        let declared = self.machine.next(step.process).map(Declared::of);
        self.performed.clear();
        let result = self.machine.step(step, &mut self.performed);
        self.execution.push(self.machine, step, alternatives, declared, &self.performed);
        if let Some(preemptions) = preemptions {
            self.preemptions.push(preemptions);
        }
        result
    }

    /// Deals with the data race that the last step was found to be in.
    fn note_data_race(&mut self, race: Race) -> Result<(), Stop> {
        match self.options.data_races {
            DataRaces::Report if self.options.keep_going => self.report(race),
            DataRaces::Report => self.fail(Box::new(data_race(race)))?,
            DataRaces::Warn => self.warn(race),
            DataRaces::Ignore => {}
        }
        Ok(())
    }

    /// Reports a data race, unless it is known, and goes on.
    fn report(&mut self, race: Race) {
        let steps = self.execution.len();
        self.race.get_or_insert_with(|| (steps, Box::new(data_race(race))));
        let is_new = match &self.pool {
            Some(pool) => pool.known_races().note(&self.execution, race),
            None => self.known_races.note(&self.execution, race),
        };
        if is_new {
            let schedule = self.execution.schedule();
            let execution = self.runs().0 + 1;
            let violation = Violation { schedule, execution, ..data_race(race) };
            self.verdict.violations.push(violation);
        }
    }

    /// Notes a data race that is no violation, if it is the first one on its location: a program
    /// that races on purpose does so in every execution.
    fn warn(&mut self, race: Race) {
        let is_first = |driver: &mut Self| match &driver.pool {
            Some(pool) => pool.is_first_data_race(&driver.execution, race),
            None => driver.execution.is_first_data_race(race),
        };
        if self.verdict.warnings.len() < MOST_WARNINGS && is_first(self) {
            let schedule = self.execution.schedule();
            let execution = self.runs().0 + 1;
            self.verdict.warnings.push(Violation { schedule, execution, ..data_race(race) });
        }
    }

    /// Notes what went wrong first in the current execution.
    fn fail(&mut self, violation: Box<Violation>) -> Result<(), Stop> {
        if self.options.keep_going && !violation.kind.ends_exploration() {
            self.failure.get_or_insert((self.execution.len(), violation));
            return Ok(());
        }
        self.verdict.executions += 1;
        self.pool.iter().for_each(|pool| pool.count(1, 0));
        self.verdict.max_depth = self.verdict.max_depth.max(self.execution.len());
        self.monitor.ended(self.machine, &self.execution, None, Some(&violation));
        self.record(*violation);
        self.verdict.stopped = Some(Bound::Violation);
        Err(Stop)
    }

    /// Reports, or notes, a data race that was found without running into it.
    fn account_for_race(&mut self, cell: CellId, violation: Violation) -> Result<(), Stop> {
        match self.options.data_races {
            DataRaces::Report => {
                let execution = self.runs().0.max(1);
                if !self.is_known_race(cell, &violation) {
                    let schedule = self.schedule_of(&violation.schedule);
                    self.verdict.violations.push(Violation { execution, schedule, ..violation });
                }
            }
            DataRaces::Warn if self.execution.is_first_data_race_on(cell) => {
                let schedule = self.schedule_of(&violation.schedule);
                self.verdict.warnings.push(Violation { schedule, ..violation });
            }
            DataRaces::Warn | DataRaces::Ignore => {}
        }
        if self.options.data_races == DataRaces::Report && !self.options.keep_going {
            return self.stop(Bound::Violation);
        }
        Ok(())
    }

    /// Steps of this machine as they are for one that has run nothing else. Afterwards this one is
    /// wherever they lead.
    fn schedule_of(&mut self, steps: &Schedule) -> Schedule {
        let mut created: Vec<ProcessId> = Vec::new();
        let initial = self.execution.initial();
        let _ = self.machine.rewind(0);
        for step in steps.steps() {
            self.performed.clear();
            // Whatever goes wrong there is not what this is about.
            let _ = self.machine.step(*step, &mut self.performed);
            let edges = self.performed.edges.iter().map(|edge| edge.to);
            for process in edges.filter(|process| process.index() >= initial) {
                if !created.contains(&process) {
                    created.push(process);
                }
            }
        }
        steps.steps().iter().map(|step| renumber(*step, initial, &created)).collect()
    }

    /// Whether a data race that was found without running into it has been reported.
    fn is_known_race(&mut self, cell: CellId, race: &Violation) -> bool {
        let process = |step: usize| race.schedule.steps()[step].process;
        race.accesses.is_some_and(|(first, second)| {
            !self.known_races.note_on(cell, process(first), process(second))
        })
    }

    /// Adds a violation of the current execution to the verdict, unless one like it is there.
    fn record(&mut self, mut violation: Violation) {
        violation.schedule = self.execution.schedule();
        self.add(violation);
    }

    /// Adds a violation to the verdict, unless one like it is there.
    fn add(&mut self, mut violation: Violation) {
        violation.execution = self.runs().0.max(1);
        let known = &mut self.verdict.violations;
        if !known.iter().any(|v| v.kind == violation.kind && v.message == violation.message) {
            known.push(violation);
        }
    }

    fn account(&mut self, end: Next) -> Result<(), Stop> {
        self.verdict.max_depth = self.verdict.max_depth.max(self.execution.len());
        let failed = self.failure.as_ref().or(self.race.as_ref());
        let failure = failed.map(|(_, violation)| &**violation);
        let ending = (end == Next::End).then(|| self.machine.ending());
        self.monitor.ended(self.machine, &self.execution, ending.as_ref(), failure);
        // A data race was reported when it was found.
        let failure = self.failure.as_ref().map(|(_, violation)| (**violation).clone());
        let (executions, blocked) = (self.verdict.executions, self.verdict.blocked);
        match ending {
            None if end == Next::CutOff => self.verdict.executions += 1,
            None => self.verdict.blocked += u64::from(end == Next::Asleep),
            Some(Ending::AssumptionFailed) => self.verdict.blocked += 1,
            Some(_) => self.verdict.executions += 1,
        }
        if let Some(pool) = &self.pool {
            let Verdict { executions: now, blocked: now_blocked, .. } = self.verdict;
            pool.count(now - executions, now_blocked - blocked);
        }
        match (failure, ending) {
            (Some(violation), _) => self.record(violation),
            (None, Some(Ending::Stuck(violation))) => {
                self.record(*violation);
                if !self.options.keep_going {
                    self.verdict.stopped = Some(Bound::Violation);
                    return Err(Stop);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn check_limits(&mut self, strategy: &impl Strategy<M>) -> Result<(), Stop> {
        if self.pool.as_ref().is_some_and(|pool| pool.is_stopping()) {
            return Err(Stop);
        }
        let (executions, blocked) = self.runs();
        if self.options.max_executions.is_some_and(|max| executions + blocked >= max) {
            return self.stop(Bound::Executions);
        }
        // An execution may be short: count it as a few steps.
        self.steps_to_next_look = self.steps_to_next_look.saturating_sub(8).max(1);
        if self.steps_to_next_look == 1 {
            self.look_at_clock(strategy)?;
        }
        Ok(())
    }

    #[cold]
    fn look_at_clock(&mut self, strategy: &impl Strategy<M>) -> Result<(), Stop> {
        self.steps_to_next_look = STEPS_BETWEEN_LOOKS;
        if self.pool.as_ref().is_some_and(|pool| pool.is_stopping()) {
            return Err(Stop);
        }
        if self.options.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return self.stop(Bound::Interrupted);
        }
        let elapsed = self.started.elapsed();
        if self.options.time_limit.is_some_and(|limit| elapsed >= limit) {
            return self.stop(Bound::Time);
        }
        if elapsed >= self.next_progress {
            self.next_progress = elapsed + PROGRESS_INTERVAL;
            self.position.clear();
            self.position.extend(self.execution.steps());
            let (executions, blocked) = self.runs();
            self.monitor.progress(&Progress {
                executions,
                blocked,
                elapsed,
                fraction: fraction(strategy, self.execution.len()),
                position: &self.position,
            });
        }
        Ok(())
    }

    /// How many executions there have been, and how many of these that ended early, by all workers.
    fn runs(&self) -> (u64, u64) {
        match &self.pool {
            Some(pool) => pool.runs(),
            None => (self.verdict.executions, self.verdict.blocked),
        }
    }

    fn stop(&mut self, bound: Bound) -> Result<(), Stop> {
        self.verdict.stopped = Some(bound);
        Err(Stop)
    }

    fn favourite(&self) -> Option<ProcessId> {
        self.options.preemption_bound.and_then(|_| self.execution.last_process())
    }

    /// The process that must go on, if it can and no more preemptions are allowed.
    fn confinement(&self) -> Option<ProcessId> {
        let bound = self.options.preemption_bound?;
        let so_far = *self.preemptions.last()?;
        let last = self.execution.last_process()?;
        (so_far >= bound && self.machine.is_enabled(last)).then_some(last)
    }

    /// How many preemptions there are once a process has moved, if they are bounded.
    fn preemptions_with(&self, process: ProcessId) -> Option<u32> {
        self.options.preemption_bound?;
        let so_far = *self.preemptions.last()?;
        let last = self.execution.last_process();
        let preempts = last.is_some_and(|last| last != process && self.machine.is_enabled(last));
        Some(so_far + u32::from(preempts))
    }
}

fn data_race(race: Race) -> Violation {
    Violation::data_race(race.first as usize, race.second as usize)
}

/// Which part of the search tree is explored, if all branches at a node are of one size.
fn fraction<M: Machine>(strategy: &impl Strategy<M>, depth: usize) -> f64 {
    let (mut explored, mut weight) = (0.0, 1.0);
    for depth in 0..depth {
        let (done, open) = strategy.branches(depth);
        let all = (done + 1 + open) as f64;
        weight /= all;
        explored += done as f64 * weight;
        if weight < 1e-12 {
            break;
        }
    }
    explored
}

//! The loop that every explorer shares.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::execution::Execution;
use super::strategy::{Next, Position, Strategy};
use super::{Algorithm, DataRaces, Monitor, Options, Progress};
use crate::model::{Ending, Machine, Performed, ProcessId, Step};
use crate::verdict::{Bound, Schedule, Verdict, Violation, ViolationKind};

/// How many steps pass between two looks at the clock.
const STEPS_BETWEEN_LOOKS: u32 = 1024;
/// How long the monitor is left alone.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Runs the executions that a strategy asks for, and keeps the books.
pub(crate) struct Driver<'a, M: Machine> {
    machine: &'a mut M,
    options: &'a Options<'a>,
    monitor: &'a mut dyn Monitor<M>,
    execution: Execution,
    performed: Performed,
    verdict: Verdict,
    started: Instant,
    steps_to_next_look: u32,
    next_progress: Duration,
    /// How many preemptions there were up to each depth, if they are bounded.
    preemptions: Vec<u32>,
    /// What went wrong first in the current execution, and after how many steps.
    failure: Option<(usize, Box<Violation>)>,
    position: Vec<Step>,
}

/// That the whole exploration stops.
struct Stop;

/// How an exploration ended by itself.
enum Outcome {
    /// Everything has been explored.
    Done,
    /// Something became known that makes it necessary to start over.
    StartOver,
}

impl<'a, M: Machine> Driver<'a, M> {
    pub(crate) fn new(
        machine: &'a mut M,
        options: &'a Options<'a>,
        monitor: &'a mut dyn Monitor<M>,
    ) -> Self {
        Driver {
            machine,
            options,
            monitor,
            execution: Execution::with_observers(options.algorithm == Algorithm::Observers),
            performed: Performed::default(),
            verdict: Verdict { algorithm: options.algorithm, ..Verdict::default() },
            started: Instant::now(),
            steps_to_next_look: STEPS_BETWEEN_LOOKS,
            next_progress: PROGRESS_INTERVAL,
            preemptions: vec![0],
            failure: None,
            position: Vec::new(),
        }
    }

    /// Explores, and says what was found.
    pub(crate) fn run<S: Strategy<M>>(mut self, strategy: impl Fn() -> S) -> Verdict {
        while let Ok(Outcome::StartOver) = self.explore(&mut strategy()) {
            self.start_over();
        }
        self.verdict.elapsed = self.started.elapsed();
        self.verdict
    }

    /// Forgets everything but what was learnt about the program's locations.
    fn start_over(&mut self) {
        self.execution.truncate(0);
        self.preemptions.truncate(1);
        self.verdict = Verdict { algorithm: self.options.algorithm, ..Verdict::default() };
        self.failure = None;
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
            let Some(len) = strategy.backtrack(&self.execution) else { return Ok(Outcome::Done) };
            self.check_limits(strategy)?;
            self.execution.truncate(len);
            self.preemptions.truncate(len + 1);
            self.failure.take_if(|(steps, _)| *steps > len);
            if let Err(violation) = self.machine.rewind(len) {
                self.record(*violation);
                self.verdict.stopped = Some(Bound::Violation);
                return Err(Stop);
            }
        }
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
                    self.take(step)?;
                    strategy.took(self.machine, &mut self.execution);
                    self.steps_to_next_look -= 1;
                    if self.steps_to_next_look == 0 {
                        self.look_at_clock(strategy)?;
                    }
                }
                end => return Ok(end),
            }
        }
    }

    fn take(&mut self, step: Step) -> Result<(), Stop> {
        let preemptions = self.preemptions_with(step.process);
        let alternatives = self.machine.alternatives(step.process);
        let declared = self.machine.next(step.process).copied();
        self.performed.clear();
        let result = self.machine.step(step, &mut self.performed);
        self.execution.push(self.machine, step, alternatives, declared, &self.performed);
        self.verdict.events += 1;
        if let Some(preemptions) = preemptions {
            self.preemptions.push(preemptions);
        }
        if let Err(violation) = result {
            self.fail(violation)?;
        }
        if let Some(race) = self.execution.take_data_race()
            && self.options.data_races == DataRaces::Report
        {
            let mut violation = Violation::new(
                ViolationKind::DataRace,
                "two threads access the same plain memory at once, and one of them writes",
            );
            violation.accesses = Some((race.first as usize, race.second as usize));
            self.fail(Box::new(violation))?;
        }
        Ok(())
    }

    /// Notes what went wrong first in the current execution.
    fn fail(&mut self, violation: Box<Violation>) -> Result<(), Stop> {
        if self.options.keep_going && violation.kind != ViolationKind::Nondeterminism {
            self.failure.get_or_insert((self.execution.len(), violation));
            return Ok(());
        }
        self.verdict.executions += 1;
        self.verdict.max_depth = self.verdict.max_depth.max(self.execution.len());
        self.monitor.ended(self.machine, &self.execution, None, Some(&violation));
        self.record(*violation);
        self.verdict.stopped = Some(Bound::Violation);
        Err(Stop)
    }

    /// Adds a violation to the verdict, unless one like it is there.
    fn record(&mut self, mut violation: Violation) {
        violation.schedule = self.execution.steps().collect::<Schedule>();
        violation.execution = self.verdict.executions.max(1);
        let known = &mut self.verdict.violations;
        if !known.iter().any(|v| v.kind == violation.kind && v.message == violation.message) {
            known.push(violation);
        }
    }

    fn account(&mut self, end: Next) -> Result<(), Stop> {
        self.verdict.max_depth = self.verdict.max_depth.max(self.execution.len());
        let failure = self.failure.as_ref().map(|(_, violation)| &**violation);
        let ending = (end == Next::End).then(|| self.machine.ending());
        self.monitor.ended(self.machine, &self.execution, ending.as_ref(), failure);
        let failure = failure.cloned();
        match ending {
            None => self.verdict.blocked += u64::from(end == Next::Asleep),
            Some(Ending::AssumptionFailed) => self.verdict.blocked += 1,
            Some(_) => self.verdict.executions += 1,
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
        let runs = self.verdict.executions + self.verdict.blocked;
        if self.options.max_executions.is_some_and(|max| runs >= max) {
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
            self.monitor.progress(&Progress {
                executions: self.verdict.executions,
                blocked: self.verdict.blocked,
                elapsed,
                fraction: fraction(strategy, self.execution.len()),
                position: &self.position,
            });
        }
        Ok(())
    }

    fn stop(&mut self, bound: Bound) -> Result<(), Stop> {
        self.verdict.stopped = Some(bound);
        Err(Stop)
    }

    fn last_process(&self) -> Option<ProcessId> {
        let last = self.execution.len().checked_sub(1)?;
        Some(self.execution.event(last).step.process)
    }

    fn favourite(&self) -> Option<ProcessId> {
        self.options.preemption_bound.and_then(|_| self.last_process())
    }

    /// The process that must go on, if it can and no more preemptions are allowed.
    fn confinement(&self) -> Option<ProcessId> {
        let bound = self.options.preemption_bound?;
        let so_far = *self.preemptions.last()?;
        let last = self.last_process()?;
        (so_far >= bound && self.machine.is_enabled(last)).then_some(last)
    }

    /// How many preemptions there are once a process has moved, if they are bounded.
    fn preemptions_with(&self, process: ProcessId) -> Option<u32> {
        self.options.preemption_bound?;
        let so_far = *self.preemptions.last()?;
        let preempts =
            self.last_process().is_some_and(|p| p != process && self.machine.is_enabled(p));
        Some(so_far + u32::from(preempts))
    }
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

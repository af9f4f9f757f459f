//! The loop that every explorer shares.

mod findings;
mod limits;
mod worker;

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::limits::{PROGRESS_INTERVAL, STEPS_BETWEEN_LOOKS};
use crate::execution::{Declared, Execution};
use crate::explore::dpor::parallel::Pool;
use crate::model::{Ending, Machine, Performed, ProcessId, Step};
use crate::reuse::{FEW, Reuse, Spare};
use crate::search::reported_races::KnownRaces;
use crate::search::strategy::{Next, Position, Standing, Strategy};
use crate::search::{Algorithm, Monitor, Options};
use crate::verdict::{Bound, Note, Verdict, Violation, ViolationKind};

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
    /// What it has in common with other workers, if there are any.
    pool: Option<Arc<Pool>>,
    /// How many executions they have been told of, and how many that ended early.
    told: (u64, u64),
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
        let (processes, names_late) = (machine.processes(), machine.names_late());
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
            pool: None,
            told: (0, 0),
        };
        driver.execution.set_initial(processes);
        driver.execution.set_names_late(names_late);
        driver
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
        self.execution.push(self.machine, step, alternatives, declared.as_ref(), &self.performed);
        if let Some(preemptions) = preemptions {
            self.preemptions.push(preemptions);
        }
        result
    }

    fn account(&mut self, end: Next) -> Result<(), Stop> {
        self.verdict.max_depth = self.verdict.max_depth.max(self.execution.len());
        let failed = self.failure.as_ref().or(self.race.as_ref());
        let failure = failed.map(|(_, violation)| &**violation);
        let ending = (end == Next::End).then(|| self.machine.ending());
        self.monitor.ended(self.machine, &self.execution, ending.as_ref(), failure);
        // A data race was reported when it was found.
        let failure = self.failure.as_ref().map(|(_, violation)| (**violation).clone());
        match ending {
            None if end == Next::CutOff => self.verdict.executions += 1,
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

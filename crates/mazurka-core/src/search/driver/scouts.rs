//! Scouts: samples that an exhaustive search runs besides its own executions.
//!
//! An explorer that enumerates executions in order may take hours to reach an execution that differs
//! from the first one in an early step. Scouts are not confined to the neighbourhood of the last
//! execution. They run if [`Options::scouts`](crate::search::Options::scouts) is set, for two reasons:
//!
//! * To learn lessons early. A [lesson](crate::model::Lesson) invalidates everything that the search
//!   has explored before. The driver runs one scout for every 100 executions. If one of `n` samples
//!   teaches a lesson, the search learns it after about `100 n` executions.
//! * To find violations early. From the second second on, the driver spends a tenth of its time on
//!   scouts.
//!
//! Scouts alternate between the policies `pos` and `pct`, with a fixed seed.

use std::time::{Duration, Instant};

use crate::execution::order::{AllConflicts, Relation};
use crate::execution::{Declared, Execution};
use crate::model::{Ending, Machine, ProcessId, Step, Violation, ViolationKind};
use crate::search::DataRaces;
use crate::search::driver::{Driver, Stop};
use crate::search::sampling::{Pct, Policy, Pos, Random, SamplingOptions};
use crate::verdict::Bound;

/// The number of executions before the first scouts. Scouts run again whenever this number has
/// grown tenfold.
const FIRST_SCOUTS: u64 = 1_000;
/// The number of executions for each scout that looks for lessons.
const EXECUTIONS_PER_SCOUT: u64 = 100;
/// The maximum number of steps of a scout.
const LONGEST_WAY: usize = 10_000;
/// The time after which scouts look for violations.
const GRACE: Duration = Duration::from_secs(1);
/// The search spends one in this many seconds on scouts.
const SHARE: u32 = 10;
/// The maximum time that scouts take before the search continues.
const LONGEST_ABSENCE: Duration = Duration::from_millis(50);

/// The scouts of one driver.
#[derive(Debug)]
pub(super) struct Scouts {
    /// The number of executions after which the next scouts look for lessons.
    next: u64,
    /// Whether scouts are to look for violations now.
    is_due: bool,
    /// The number of scouts so far.
    sent: u64,
    /// The time that they took.
    taken: Duration,
    pos: Pos,
    pct: Pct,
    execution: Execution,
    enabled: Vec<ProcessId>,
}

impl Scouts {
    /// Creates the scouts of a machine in its initial state.
    pub(super) fn new(machine: &dyn Machine) -> Self {
        let options = SamplingOptions::default();
        let mut execution = Execution::new();
        execution.set_names_late(machine.names_late());
        Scouts {
            next: FIRST_SCOUTS,
            is_due: false,
            sent: 0,
            taken: Duration::ZERO,
            pos: Pos::new(&options),
            pct: Pct::new(&options),
            execution,
            enabled: Vec::new(),
        }
    }

    /// Restarts the count of executions, because the search starts over.
    pub(super) fn start_over(&mut self) {
        self.next = FIRST_SCOUTS;
    }

    /// Decides whether scouts are to look for violations.
    pub(super) fn look_at_clock(&mut self, elapsed: Duration) {
        self.is_due = elapsed >= GRACE && self.taken * SHARE < elapsed;
    }

    /// Chooses the next step of the current scout.
    fn choose(&mut self, machine: &dyn Machine, random: &mut Random) -> Option<Step> {
        self.enabled.clear();
        let processes = (0..machine.processes()).map(ProcessId::new);
        self.enabled.extend(processes.filter(|process| machine.is_enabled(*process)));
        if self.enabled.is_empty() {
            return None;
        }
        let process = match self.sent % 2 {
            0 => self.pos.choose(machine, &self.enabled, random),
            _ => self.pct.choose(machine, &self.enabled, random),
        };
        let choice = random.below(machine.alternatives(process).into()) as u32;
        Some(Step { process, choice })
    }
}

impl Driver<'_> {
    /// Runs scouts if they are due, and rewinds the machine to its initial state. Returns whether
    /// it ran scouts.
    #[inline]
    pub(super) fn send_scouts<R: Relation>(&mut self) -> Result<bool, Stop> {
        let executions = self.verdict.executions + self.verdict.blocked;
        if executions < self.scouts.next && !self.scouts.is_due {
            return Ok(false);
        }
        self.send_due_scouts::<R>(executions)
    }

    #[cold]
    fn send_due_scouts<R: Relation>(&mut self, executions: u64) -> Result<bool, Stop> {
        let is_due = std::mem::take(&mut self.scouts.is_due);
        let algorithm = self.options.algorithm;
        // No lesson changes what `graphs` explores, and a sampler does not need more samples.
        if !self.options.scouts || !algorithm.explores_schedules() || algorithm.samples() {
            self.scouts.next = u64::MAX;
            return Ok(false);
        }
        let mut for_lessons = 0;
        if executions >= self.scouts.next {
            self.scouts.next *= 10;
            for_lessons = executions / EXECUTIONS_PER_SCOUT;
        }
        let started = Instant::now();
        let mut sent = 0;
        while sent < for_lessons || (is_due && started.elapsed() < LONGEST_ABSENCE) {
            sent += 1;
            self.machine.rewind(0).or_else(|violation| self.lose(*violation))?;
            let found = self.scout::<R>();
            if self.lesson.is_some() || self.execution.has_lesson() {
                break;
            }
            if let Some(violation) = found {
                self.account_for_scout(violation)?;
            }
            let elapsed = self.started.elapsed();
            if self.options.time_limit.is_some_and(|limit| elapsed >= limit) {
                break;
            }
        }
        self.scouts.taken += started.elapsed();
        self.machine.rewind(0).or_else(|violation| self.lose(*violation))?;
        Ok(true)
    }

    /// Runs one scout. Returns the violation that it found, with its schedule.
    fn scout<R: Relation>(&mut self) -> Option<Violation> {
        let mut random = Random::new(self.team.number(), self.scouts.sent);
        self.verdict.scouts += 1;
        self.scouts.execution.truncate(0);
        self.scouts.execution.set_initial(self.execution.initial());
        match self.scouts.sent % 2 {
            0 => self.scouts.pos.begin(self.execution.initial(), &mut random),
            _ => self.scouts.pct.begin(self.execution.initial(), &mut random),
        }
        let found = self.run_scout::<R>(&mut random);
        if self.scouts.sent % 2 == 1 {
            let steps = self.scouts.pct.ended(self.scouts.execution.len());
            self.scouts.pct.learn(&steps);
        }
        self.scouts.sent += 1;
        found
    }

    /// Runs a scout to its end, or to a violation that ends the search. Returns the first violation.
    fn run_scout<R: Relation>(&mut self, random: &mut Random) -> Option<Violation> {
        let mut found = None;
        let longest = self.options.max_depth.map_or(LONGEST_WAY, |max| max.min(LONGEST_WAY));
        for _ in 0..longest {
            let Some(step) = self.scouts.choose(self.machine, random) else {
                self.look_at_pending::<R>();
                return match self.machine.ending() {
                    Ending::Stuck(violation) if found.is_none() => Some(self.found(*violation)),
                    _ => found,
                };
            };
            let alternatives = self.machine.alternatives(step.process);
            let declared = self.machine.next(step.process).map(Declared::of);
            self.performed.clear();
            let result = self.machine.step(step, &mut self.performed);
            let (declared, performed) = (declared.as_ref(), &self.performed);
            let scouts = &mut self.scouts;
            let execution = &mut scouts.execution;
            execution.push::<AllConflicts>(self.machine, step, alternatives, declared, performed);
            if scouts.sent.is_multiple_of(2) {
                scouts.pos.took(self.machine, step.process, performed);
            }
            let alone = self.performed.actions.len() == 1;
            for action in &self.performed.actions {
                let cell = self.execution.cell(self.machine, action.on);
                R::op(&mut self.execution, cell, action, alone);
            }
            self.lesson = self.lesson.or(self.performed.lesson);
            if self.lesson.is_some() {
                return None;
            }
            if let Err(violation) = result {
                let goes_on = self.options.keep_going && !violation.kind.ends_exploration();
                let violation = self.found(*violation);
                let first = found.get_or_insert(violation);
                if !goes_on {
                    return Some(first.clone());
                }
            }
            // With `keep_going`, the explorer finds the same data races, and continues after them.
            let race = self.scouts.execution.take_data_race();
            if self.options.data_races == DataRaces::Report
                && !self.options.keep_going
                && let Some(race) = race
            {
                let race = Violation::data_race(race.first as usize, race.second as usize);
                return Some(self.found(race));
            }
        }
        self.look_at_pending::<R>();
        found
    }

    /// Returns a violation with the schedule of the current scout.
    fn found(&self, violation: Violation) -> Violation {
        Violation { schedule: self.scouts.execution.schedule(), ..violation }
    }

    /// Shows the pending actions of all processes to the relation, which may learn from them.
    fn look_at_pending<R: Relation>(&mut self) {
        for process in (0..self.machine.processes()).map(ProcessId::new) {
            let guards = self.machine.guards(process).iter();
            let others = guards.chain(self.machine.others(process));
            for action in self.machine.next(process).into_iter().chain(others) {
                let cell = self.execution.cell(self.machine, action.on);
                R::op(&mut self.execution, cell, action, false);
            }
        }
    }

    /// Adds a violation that a scout found to the verdict.
    fn account_for_scout(&mut self, violation: Violation) -> Result<(), Stop> {
        // A schedule with too many preemptions is none that the user has asked for. A program that
        // behaves differently each time is reported with the history of the explorer.
        if self.options.preemption_bound.is_some_and(|bound| bound.number().is_some())
            || violation.kind == ViolationKind::Nondeterminism
        {
            return Ok(());
        }
        let ends = !self.options.keep_going || violation.kind.ends_exploration();
        self.add(violation);
        match ends {
            true => self.stop(Bound::Violation),
            false => Ok(()),
        }
    }
}

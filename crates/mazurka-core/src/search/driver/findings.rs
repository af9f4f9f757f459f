//! Collects the violations and warnings of an exploration.

use crate::execution::cells::CellId;
use crate::execution::{Race, renumber};
use crate::model::{ProcessId, Schedule, Violation};
use crate::search::DataRaces;
use crate::search::driver::{Driver, Stop};
use crate::verdict::Bound;

/// The maximum number of data races that are reported as warnings.
pub(crate) const MOST_WARNINGS: usize = 64;

impl Driver<'_> {
    /// Handles a data race of the last step according to [`DataRaces`].
    pub(super) fn note_data_race(&mut self, race: Race) -> Result<(), Stop> {
        match self.options.data_races() {
            DataRaces::Report if self.options.keep_going => self.report(race),
            DataRaces::Report => {
                let race = self.data_race(race);
                self.fail(Box::new(race))?;
            }
            DataRaces::Warn => self.warn(race),
            DataRaces::Ignore | DataRaces::Undefined => {}
        }
        Ok(())
    }

    /// Records a data race of the current execution that another driver has handled.
    pub(super) fn note_known_race(&mut self, race: Race) {
        if self.options.data_races() == DataRaces::Report {
            let steps = self.execution.len();
            self.race.get_or_insert_with(|| (steps, Box::new(data_race(race))));
        }
    }

    /// Reports a data race unless it is known, and continues.
    fn report(&mut self, race: Race) {
        let steps = self.execution.len();
        let found = self.data_race(race);
        self.race.get_or_insert_with(|| (steps, Box::new(found.clone())));
        let execution = &self.execution;
        if self.team.with_races(&mut |races| races.note(execution, race)) {
            let schedule = self.execution.schedule();
            let execution = self.runs().0 + 1;
            let violation = Violation { schedule, execution, ..found };
            self.verdict.violations.push(violation);
        }
    }

    /// Records a data race as a warning if it is the first one on its location. A program that
    /// races on purpose does so in every execution.
    fn warn(&mut self, race: Race) {
        let cell = self.execution.cell_of_race(race);
        if self.verdict.warnings.len() < MOST_WARNINGS
            && cell.is_none_or(|cell| self.team.with_races(&mut |races| races.note_location(cell)))
        {
            let schedule = self.execution.schedule();
            let execution = self.runs().0 + 1;
            let race = self.data_race(race);
            self.verdict.warnings.push(Violation { schedule, execution, ..race });
        }
    }

    /// Returns the violation that a data race is.
    fn data_race(&mut self, race: Race) -> Violation {
        Violation { missing: self.execution.missing.take(), ..data_race(race) }
    }

    /// Records a failure of the current execution. Without `keep_going`, it ends the search.
    pub(super) fn fail(&mut self, violation: Box<Violation>) -> Result<(), Stop> {
        if self.options.keep_going && !violation.kind.ends_exploration() {
            self.failures.push((self.execution.len(), violation));
            return Ok(());
        }
        self.verdict.executions += 1;
        self.verdict.max_depth = self.verdict.max_depth.max(self.execution.len());
        self.machine.ended(&self.execution, None, Some(&violation));
        self.record(*violation);
        self.verdict.stopped = Some(Bound::Violation);
        Err(Stop)
    }

    /// Handles a data race that was predicted without being executed, according to [`DataRaces`].
    pub(super) fn account_for_race(
        &mut self,
        cell: CellId,
        violation: Violation,
    ) -> Result<(), Stop> {
        match self.options.data_races() {
            DataRaces::Report => {
                let execution = self.runs().0.max(1);
                if !self.is_known_race(cell, &violation) {
                    let schedule = self.schedule_of(&violation.schedule);
                    self.verdict.violations.push(Violation { execution, schedule, ..violation });
                }
            }
            DataRaces::Warn if self.team.with_races(&mut |races| races.note_location(cell)) => {
                let schedule = self.schedule_of(&violation.schedule);
                self.verdict.warnings.push(Violation { schedule, ..violation });
            }
            DataRaces::Warn | DataRaces::Ignore | DataRaces::Undefined => {}
        }
        if self.options.data_races() == DataRaces::Report && !self.options.keep_going {
            return self.stop(Bound::Violation);
        }
        Ok(())
    }

    /// Renumbers the processes of a schedule for a machine that has run nothing else. Leaves the
    /// machine in the state at the end of the schedule.
    pub(super) fn schedule_of(&mut self, steps: &Schedule) -> Schedule {
        let mut created: Vec<ProcessId> = Vec::new();
        let initial = self.execution.initial();
        let _ = self.machine.rewind(0);
        for step in steps.steps() {
            self.performed.clear();
            // Ignore failures: only the edges matter here.
            let _ = self.machine.step(*step, &mut self.performed);
            self.note_created(&mut created);
        }
        steps.steps().iter().map(|step| renumber(*step, initial, &created)).collect()
    }

    /// Adds the processes that the last step has created.
    pub(super) fn note_created(&self, created: &mut Vec<ProcessId>) {
        let initial = self.execution.initial();
        let edges = self.performed.edges.iter().map(|edge| edge.to);
        for process in edges.filter(|process| process.index() >= initial) {
            if !created.contains(&process) {
                created.push(process);
            }
        }
    }

    /// Returns whether a data race that was predicted without being executed has already been
    /// reported.
    fn is_known_race(&mut self, cell: CellId, race: &Violation) -> bool {
        let process = |step: usize| race.schedule.steps()[step].process;
        race.accesses.is_some_and(|(first, second)| {
            let (first, second) = (process(first), process(second));
            !self.team.with_races(&mut |races| races.note_between(cell, first, second))
        })
    }

    /// Adds a violation of the current execution to the verdict, unless the verdict has one with
    /// the same kind and message.
    pub(super) fn record(&mut self, mut violation: Violation) {
        violation.schedule = self.execution.schedule();
        self.add(violation);
    }

    /// Adds a violation to the verdict, unless the verdict has one with the same kind and message.
    pub(super) fn add(&mut self, mut violation: Violation) {
        violation.execution = self.runs().0.max(1);
        if !self.is_known(&violation) {
            self.verdict.violations.push(violation);
        }
    }

    /// Returns whether the verdict has a violation with the same kind and message.
    pub(super) fn is_known(&self, violation: &Violation) -> bool {
        let mut known = self.verdict.violations.iter();
        known.any(|v| v.kind == violation.kind && v.message == violation.message)
    }
}

fn data_race(race: Race) -> Violation {
    Violation::data_race(race.first as usize, race.second as usize)
}

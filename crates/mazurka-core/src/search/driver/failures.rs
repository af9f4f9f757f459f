//! Decides which failures of an execution are violations of the program.
//!
//! With `keep_going`, a failed step ends its process, and the other processes continue so that the
//! explorer sees their races. Further steps may fail then, although the program would have ended at
//! the first failure: a C program aborts. A later failure is therefore a violation only if the
//! program can reach it without an earlier failure.
//!
//! For explorers that run an execution of every trace, this suffices. Take a schedule that leads to
//! a failure without an earlier one. Some explored execution starts with an equivalent schedule,
//! possibly interleaved with other failures on which the failure does not depend. The schedule
//! without these failures is feasible, and [`Driver::record_failures`] finds it by running it. In a graph, it has
//! the steps that do not depend on these failures ([`remainder`](super::remainder)).

use crate::execution::Access;
use crate::memory::Graph;
use crate::model::{Action, Op, ProcessId, Schedule, Violation};
use crate::search::driver::{Driver, Stop};

/// A violation, and the length of the execution when it occurred.
pub(super) type Failure = (usize, Box<Violation>);

impl Driver<'_> {
    /// Adds the failures of the current execution, which may have a graph, that are violations to the verdict.
    pub(super) fn record_failures(&mut self, graph: Option<&Graph>) -> Result<(), Stop> {
        if self.failures.is_empty() {
            return Ok(());
        }
        let failures = std::mem::take(&mut self.failures);
        for (index, (steps, violation)) in failures.iter().enumerate() {
            if self.is_known(violation) {
                continue;
            }
            let earlier = &failures[..index];
            let schedule = match graph {
                _ if index == 0 => Some(self.execution.schedule().first(*steps)),
                Some(graph) => self.schedule_of_remainder(graph, earlier, *steps, violation)?,
                None => self.schedule_without(earlier, *steps, violation)?,
            };
            if let Some(schedule) = schedule {
                self.add(Violation { schedule, ..(**violation).clone() });
            }
        }
        self.failures = failures;
        Ok(())
    }

    /// Returns a schedule that leads to the failure after the first `steps` steps without the
    /// `earlier` failures, if the execution contains one.
    fn schedule_without(
        &mut self,
        earlier: &[Failure],
        steps: usize,
        violation: &Violation,
    ) -> Result<Option<Schedule>, Stop> {
        let fails = |event: usize| earlier.iter().any(|(steps, _)| steps - 1 == event);
        let last = steps - 1;
        let depends = |(steps, _): &Failure| self.execution.happens_before(steps - 1, last);
        // If a failure depends on an earlier failure in this execution, then either it always does, or
        // another execution shows it without the earlier failure.
        if self.options.algorithm.runs_every_trace() && earlier.iter().any(depends) {
            return Ok(None);
        }
        let len = self.execution.len();
        self.machine.rewind(0).or_else(|violation| self.lose(*violation))?;
        let mut taken = Vec::new();
        let mut stopped: Vec<ProcessId> = Vec::new();
        let mut found = false;
        for event in 0..steps {
            let step = self.execution.event(event).step;
            if stopped.contains(&step.process) {
                continue;
            }
            match !fails(event) && self.repeats(event, (event == last).then_some(violation)) {
                true => taken.push(step),
                false => stopped.push(step.process),
            }
            found =
                event == last && taken.last() == Some(&step) && !stopped.contains(&step.process);
            self.machine.rewind(taken.len()).or_else(|violation| self.lose(*violation))?;
        }
        let schedule = found.then(|| self.schedule_of(&taken.into_iter().collect()));
        self.machine.rewind(0).or_else(|violation| self.lose(*violation))?;
        self.go_back(0, len).or_else(|violation| self.lose(*violation))?;
        Ok(schedule)
    }

    /// Takes the step of an event if it is possible in the current state. Returns whether the step
    /// repeats its actions from the execution and ends with `expected`.
    fn repeats(&mut self, event: usize, expected: Option<&Violation>) -> bool {
        let step = self.execution.event(event).step;
        let is_possible = self.machine.is_enabled(step.process)
            && step.choice < self.machine.alternatives(step.process);
        if !is_possible {
            return false;
        }
        self.performed.clear();
        let result = self.machine.step(step, &mut self.performed);
        let accesses = self.execution.accesses_of(event);
        let sees_the_same = |action: &Action, access: &Access| match action.op {
            Op::Write | Op::Add => true,
            op if op.is_memory() => action.before == access.before,
            op => op == access.op,
        };
        let same = self.performed.actions.iter().all(|action| {
            let cell = self.execution.cell_of(action);
            // A step may perform several actions on one cell, and forgo others.
            let mut on_cell = accesses.iter().filter(|access| Some(access.cell) == cell);
            on_cell.any(|access| sees_the_same(action, access))
        });
        let same_end = match (result, expected) {
            (Ok(()), None) => true,
            (Err(violation), Some(expected)) => {
                (violation.kind, &violation.message) == (expected.kind, &expected.message)
            }
            _ => false,
        };
        same && same_end
    }
}

//! Trials: sequences that the machine runs before they are planned.
//!
//! A step may perform different actions if it comes earlier. If these cannot be predicted exactly, the
//! machine runs the sequence first, which gives the exact footprint of its last step.
//!
//! In most such cases, the predicted footprint is larger than the exact one. The search would plan
//! redundant sequences, and run executions that end blocked. A sequence that is redundant or covered
//! with the larger footprint is also redundant or covered with the exact one. So the machine runs only
//! sequences that would otherwise become new branches.
//!
//! If nothing can be predicted, as for an atomic section in which a value that it reads decides what it
//! accesses, the machine runs every sequence.

use crate::execution::cells::NO_EVENT;
use crate::execution::without::Certainty;
use crate::execution::{Execution, Race};
use crate::explore::dpor::optimal::{Optimal, Plan, Workers};
use crate::explore::dpor::parts::reversal::Reversal;
use crate::explore::dpor::parts::weak_initials::WeakInitials;
use crate::model::{Lesson, Machine, Performed, Step, Violation, ViolationKind};

/// A sequence to run.
#[derive(Debug)]
enum PutOff {
    /// It reverses a race, which has this index in the execution.
    Race(Race, u32),
    /// It runs a process that waits before an event. What the process declares is not known later.
    Pending(u32, Box<Reversal>),
}

impl PutOff {
    /// Returns the event before which the sequence is run, and its place among those that are run there.
    fn place(&self) -> (u32, u32) {
        match self {
            PutOff::Race(race, index) => (race.first, *index),
            PutOff::Pending(first, _) => (*first, NO_EVENT),
        }
    }
}

/// The sequences to run, and the buffers for running them.
#[derive(Debug, Default)]
pub(super) struct Trial {
    sequences: Vec<PutOff>,
    performed: Performed,
    lesson: Option<Lesson>,
}

impl Trial {
    /// Puts off the reversal of a race until the machine has tried it out.
    pub(super) fn put_off(&mut self, race: Race, index: u32) {
        self.sequences.push(PutOff::Race(race, index));
    }

    /// Puts off a sequence that runs a process that waits before an event.
    pub(super) fn put_off_pending(&mut self, first: u32, reversal: Reversal) {
        self.sequences.push(PutOff::Pending(first, Box::new(reversal)));
    }

    /// Takes the lesson that the machine has learnt, if there is one.
    pub(super) fn take_lesson(&mut self) -> Option<Lesson> {
        self.lesson.take()
    }

    /// Takes a step if it is enabled. Returns whether it was.
    fn take(&mut self, machine: &mut dyn Machine, step: Step) -> Result<bool, Box<Violation>> {
        if !machine.is_enabled(step.process) || step.choice >= machine.alternatives(step.process) {
            return Ok(false);
        }
        self.performed.clear();
        let result = machine.step(step, &mut self.performed);
        self.lesson = self.lesson.or(self.performed.lesson);
        match result {
            Err(violation) if violation.kind == ViolationKind::Nondeterminism => Err(violation),
            // Other violations are reported if the sequence is explored.
            _ => Ok(true),
        }
    }
}

impl<R: WeakInitials, W: Workers<R>> Optimal<R, W> {
    /// Returns whether the footprint of the last step of `self.reversal` is not known, and matters: the
    /// sequence would become a new branch after the first `depth` events, or that is not known either.
    #[inline]
    pub(super) fn must_try_out(&mut self, depth: usize, execution: &Execution) -> bool {
        match self.reversal.certainty() {
            Certainty::Exact => false,
            Certainty::AtMost => self.can_tell(execution) && self.is_new(depth, execution),
            Certainty::None if self.can_tell(execution) => true,
            Certainty::None => {
                self.reversal.set_last_footprint(execution.footprint_of_anything());
                false
            }
        }
    }

    /// Returns whether the machine can tell the footprint of the last step of `self.reversal`.
    fn can_tell(&self, execution: &Execution) -> bool {
        !execution.names_late() && self.reversal.ways() == 1
    }

    #[inline(never)]
    fn is_new(&mut self, depth: usize, execution: &Execution) -> bool {
        self.reversal.lay_out(execution);
        let prefix = &self.prefixes[depth];
        if self.makes_redundant(depth, execution, prefix.is_loose) {
            return false;
        }
        depth < self.workers.forks()
            || !self.forest.covers::<R>(prefix.tree, depth, execution, &self.reversal)
    }

    /// Runs and plans the reversals that have been put off. Returns the number of steps of the
    /// execution that the machine is still at.
    #[inline]
    pub(super) fn try_out_all(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
    ) -> Result<usize, Box<Violation>> {
        let mut intact = execution.len();
        // Deepest first, so that the machine only goes back.
        self.trial.sequences.sort_by_key(PutOff::place);
        while let Some(sequence) = self.trial.sequences.pop() {
            let (race, index) = match sequence {
                PutOff::Race(race, index) => (race, index),
                PutOff::Pending(first, reversal) => {
                    self.reversal = *reversal;
                    self.try_out(machine, execution, first, &mut intact)?;
                    continue;
                }
            };
            self.reversal.of_race(execution, race);
            let is_short = self.reversal.is_short();
            let plan = self.try_out(machine, execution, race.first, &mut intact)?;
            if plan == Plan::Redundant && is_short {
                self.reversal.whole_again(execution, race);
                self.try_out(machine, execution, race.first, &mut intact)?;
            }
            let is_done = plan == Plan::Certain && (race.observer == NO_EVENT || is_short);
            execution.note_done(index, is_done);
        }
        Ok(intact)
    }

    /// Runs `self.reversal` after the first `first` events, unless it is covered by now, and plans
    /// it. The machine is still at the first `intact` steps of the execution.
    fn try_out(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        first: u32,
        intact: &mut usize,
    ) -> Result<Plan, Box<Violation>> {
        let depth = first as usize;
        if self.must_try_out(depth, execution) {
            machine.rewind((*intact).min(depth))?;
            let (events, last) = self.reversal.events();
            let again = (*intact as u32..first).chain(events.iter().copied());
            let steps = again.map(|event| execution.event(event as usize).step).chain(last);
            *intact = depth;
            let mut is_possible = true;
            for step in steps {
                is_possible = is_possible && self.trial.take(machine, step)?;
            }
            if is_possible {
                let performed = &self.trial.performed;
                let footprint = execution.footprint_elsewhere::<R>(machine, performed);
                self.reversal.set_last_footprint(footprint);
                let rivalries = execution.messages.rivalries();
                execution.messages.begin_trial(performed);
                let plan = self.plan(depth, execution);
                execution.messages.end_trial(rivalries);
                return Ok(plan);
            }
        }
        Ok(self.plan(depth, execution))
    }
}

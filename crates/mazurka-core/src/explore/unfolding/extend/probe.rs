//! What a step does after a history other than the one in which it was taken.
//!
//! In most cases this is known without a trial. A single read or write does the same after every
//! history, and whether a lock is free or a compare-exchange succeeds follows from the values that the
//! events of the history leave. Otherwise, or if the state is needed for cut-offs, the machine travels to
//! the end of the history and takes the step. The latter is also needed for a step that waits for one of
//! several values and does different things with each, such as `Once::call_once`, and for a step with
//! several accesses, such as an atomic section, in which a value may decide on the next access.

use smallvec::SmallVec;

use super::history::{Slot, has_failed, is_fixed, may_branch};
use crate::execution::cells::CellId;
use crate::execution::value::CellPart;
use crate::execution::{Access, Execution};
use crate::explore::unfolding::cutoffs::states::{StateId, States};
use crate::explore::unfolding::events::configuration::Configuration;
use crate::explore::unfolding::names::Names;
use crate::model::{Lesson, Machine, Op, Performed, ProcessId, Step, Ways, When};
use crate::verdict::{Violation, ViolationKind};

/// What one alternative of a step does.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Its accesses: cell, operation, and whether the cell is plain memory.
    pub(crate) touches: SmallVec<[(CellId, Op, bool); 2]>,
    /// The state that it leads to, if that is known. A step that fails has none.
    pub(crate) state: Option<StateId>,
}

/// The configuration within which steps are tried, and the names of objects in it.
#[derive(Clone, Copy)]
pub(crate) struct Whereabouts<'a> {
    pub(crate) configuration: &'a Configuration,
    pub(crate) names: &'a Names,
}

/// Finds out what steps do after other histories.
#[derive(Debug, Default)]
pub(crate) struct Probe {
    /// How many steps of the current execution the machine still has in common with it.
    pub(crate) intact: usize,
    /// The alternatives of the step that was tried last; empty if it was not enabled.
    pub(crate) outcomes: Vec<Outcome>,
    /// Whether a step accessed an object that cannot be identified.
    pub(crate) is_lost: bool,
    /// What the machine has learnt.
    pub(crate) lesson: Option<Lesson>,
    performed: Performed,
    /// Names of objects where the machine has travelled that differ from those of the current execution.
    heard: Vec<(CellId, CellId)>,
}

impl Probe {
    /// Returns whether the known values determine the actions of an event after other histories.
    pub(crate) fn is_predictable(configuration: &Configuration, index: usize) -> bool {
        let accesses = configuration.accesses_of(index);
        if may_branch(accesses) {
            return false;
        }
        if accesses.iter().all(is_fixed) {
            return true;
        }
        // Whether the first action takes effect may decide the other actions, unless it waits for that.
        // A cell that overlaps with others has accesses to parts, and its value is not computed.
        let is_alone = accesses.iter().skip(1).all(|access| access.guard);
        let is_certain = accesses.iter().all(|access| is_fixed(access) || access.waits);
        (is_alone || is_certain)
            && accesses.iter().all(|access| {
                (access.op.is_memory() || is_fixed(access))
                    && access.part == CellPart::Whole
                    && !has_failed(access)
            })
    }

    /// Predicts what an event would do after another history. Returns `false` if that is not known.
    pub(crate) fn predict(
        &mut self,
        configuration: &Configuration,
        index: usize,
        history: &[u32],
    ) -> bool {
        self.outcomes.clear();
        let accesses = configuration.accesses_of(index);
        let value = |access: &Access| value(configuration, access, history);
        let holds = |access: &Access| access.when.holds(value(access));
        let mut guards = accesses.iter().filter(|access| access.guard).peekable();
        let is_released = guards.peek().is_none() || guards.any(holds);
        let mut waits = accesses.iter().filter(|access| access.waits && !access.guard);
        if !is_released || !waits.all(holds) {
            return true;
        }
        let may_differ = |access: &Access| looks_further(access) && value(access) != access.before;
        if accesses.iter().any(may_differ) {
            return false;
        }
        let alternatives = match accesses.first() {
            Some(first) if first.ways != Ways::One => first.ways.count(value(first), holds(first)),
            _ => configuration.member(index).alternatives,
        };
        for choice in 0..alternatives {
            let touch = |(i, access): (usize, &Access)| {
                let op = match () {
                    () if is_fixed(access) || access.waits => access.op,
                    () if i == 0 && access.ways == Ways::MayFail && choice > 0 => Op::Read,
                    () if holds(access) => access.declared_op(),
                    () => Op::Read,
                };
                (access.cell, op, access.plain)
            };
            let touches = accesses.iter().enumerate().map(touch).collect();
            self.outcomes.push(Outcome { touches, state: None });
        }
        true
    }

    /// Sends the machine to the end of a history, and takes every alternative of a process's next step
    /// there. Also determines the states that these lead to, if `states` is given.
    pub(crate) fn try_out(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        at: Whereabouts<'_>,
        (slot, history): (Slot<'_>, &[u32]),
        mut states: Option<&mut States>,
    ) -> Result<(), Box<Violation>> {
        self.outcomes.clear();
        let process = slot.process;
        let steps = self.travel(machine, execution, at, history)?;
        if !machine.is_enabled(process) {
            return Ok(());
        }
        self.hear(machine, execution, at, (process, slot.past));
        for choice in 0..machine.alternatives(process) {
            if choice > 0 {
                machine.rewind(steps)?;
            }
            self.performed.clear();
            let result = machine.step(Step { process, choice }, &mut self.performed);
            self.lesson = self.lesson.or(self.performed.lesson);
            let state = match result {
                Ok(()) => states.as_deref_mut().and_then(|states| states.of(machine)),
                Err(violation) if violation.kind == ViolationKind::Nondeterminism => {
                    return Err(violation);
                }
                Err(_) => None,
            };
            let mut touches = SmallVec::new();
            for action in &self.performed.actions {
                let whole = execution.cell(machine, action.on);
                let part = |part: &CellId| (*part, execution.part_op(action.op, whole, *part));
                let parts = execution.overlapping(whole).iter().map(part);
                for (name, op) in std::iter::once((whole, action.op)).chain(parts) {
                    let object =
                        at.names.object_elsewhere(execution, name, self.intact, &self.heard);
                    self.is_lost |= object.is_none();
                    touches.push((object.unwrap_or(name), op, action.plain));
                }
            }
            self.outcomes.push(Outcome { touches, state });
        }
        Ok(())
    }

    /// Returns the state at the end of a history.
    pub(crate) fn state_after(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        at: Whereabouts<'_>,
        history: &[u32],
        states: &mut States,
    ) -> Result<Option<StateId>, Box<Violation>> {
        self.travel(machine, execution, at, history)?;
        Ok(states.of(machine))
    }

    /// Sends the machine to the end of a history. Returns the number of steps of the history.
    fn travel(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        at: Whereabouts<'_>,
        history: &[u32],
    ) -> Result<usize, Box<Violation>> {
        let configuration = at.configuration;
        let members = configuration.members().iter();
        let belongs = |index: usize| configuration.is_in(index, history);
        let common = (0..members.len()).take_while(|index| belongs(*index)).count();
        self.intact = self.intact.min(common);
        machine.rewind(self.intact)?;
        self.heard.clear();
        let mut steps = self.intact;
        for index in (self.intact..members.len()).filter(|index| belongs(*index)) {
            let step = configuration.member(index).step;
            self.hear(machine, execution, at, (step.process, configuration.past(index)));
            self.repeat(machine, step)?;
            steps += 1;
        }
        Ok(steps)
    }

    /// Notes the names of the objects that a process announces.
    fn hear(
        &mut self,
        machine: &dyn Machine,
        execution: &mut Execution,
        at: Whereabouts<'_>,
        (process, past): (ProcessId, &[u32]),
    ) {
        if !at.names.is_empty() {
            let past = at.configuration.maximal(past);
            at.names.hear(machine, execution, (process, &past), &mut self.heard);
        }
    }

    /// Brings the machine back to the end of the current configuration.
    pub(crate) fn return_to_end(
        &mut self,
        machine: &mut dyn Machine,
        configuration: &Configuration,
    ) -> Result<(), Box<Violation>> {
        machine.rewind(self.intact)?;
        for member in &configuration.members()[self.intact..] {
            self.repeat(machine, member.step)?;
        }
        self.intact = configuration.len();
        Ok(())
    }

    /// Takes a step again.
    fn repeat(&mut self, machine: &mut dyn Machine, step: Step) -> Result<(), Box<Violation>> {
        let Step { process, choice } = step;
        if !machine.is_enabled(process) || choice >= machine.alternatives(process) {
            let message = format!(
                "step {step} was possible before, and is not any more after an equivalent execution"
            );
            return Err(Box::new(Violation::new(ViolationKind::Nondeterminism, message)));
        }
        self.performed.clear();
        let result = machine.step(step, &mut self.performed);
        self.lesson = self.lesson.or(self.performed.lesson);
        match result {
            Err(violation) if violation.kind == ViolationKind::Nondeterminism => Err(violation),
            // Other violations have been reported when the step was first taken.
            _ => Ok(()),
        }
    }
}

/// Returns whether a step waits for one of several values and may do different things with each. Then
/// it is unknown what it does with another value.
fn looks_further(access: &Access) -> bool {
    access.waits && access.declared == Op::Update && !matches!(access.when, When::Equals(_))
}

/// Returns the value of the cell of an access at the end of a history.
fn value(configuration: &Configuration, access: &Access, history: &[u32]) -> u64 {
    let mut sum = 0u64;
    let mut earliest = access.before;
    for other in configuration.accesses_to(access.cell) {
        earliest = other.before;
        if !configuration.is_in(other.event as usize, history) {
            continue;
        }
        match other.op {
            Op::Write | Op::Update => return other.after.wrapping_add(sum),
            Op::Add => sum = sum.wrapping_add(other.after.wrapping_sub(other.before)),
            _ => {}
        }
    }
    earliest.wrapping_add(sum)
}

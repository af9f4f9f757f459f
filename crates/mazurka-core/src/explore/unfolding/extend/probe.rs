//! What a step does after a history that is not the one in which it was taken.
//!
//! Mostly that is known without trying: a read or a write does the same whatever came before, and
//! whether a lock is free or a compare-exchange succeeds follows from the values that the events of
//! the history left behind. Otherwise, or if the state is needed, the machine is sent there. So it is
//! where a step waits for one of several values and goes on differently with each: to call something
//! once is to run it, or, once that has been done, to look.

use smallvec::SmallVec;

use super::history::{Slot, is_fixed};
use crate::execution::cells::CellId;
use crate::execution::{Access, Execution};
use crate::explore::unfolding::cutoffs::states::{StateId, States};
use crate::explore::unfolding::events::configuration::Configuration;
use crate::explore::unfolding::names::Names;
use crate::model::{Machine, Op, Performed, ProcessId, Step, Ways, When};
use crate::verdict::{Violation, ViolationKind};

/// What one alternative of a step does.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Which cells it touches, how, and whether they are plain memory.
    pub(crate) touches: SmallVec<[(CellId, Op, bool); 2]>,
    /// The state that it leads to, if that is known. A step that fails is never taken for the same
    /// as one that does not.
    pub(crate) state: Option<StateId>,
}

/// Where the machine is when steps are tried out: at a part of this configuration.
#[derive(Clone, Copy)]
pub(crate) struct Whereabouts<'a> {
    pub(crate) configuration: &'a Configuration,
    pub(crate) names: &'a Names,
}

/// Finds out what steps do.
#[derive(Debug, Default)]
pub(crate) struct Probe {
    /// How many steps of the current execution the machine has taken before it went elsewhere.
    pub(crate) intact: usize,
    /// All alternatives of the step that was looked at last; none if it was not enabled.
    pub(crate) outcomes: Vec<Outcome>,
    /// Whether something was touched of which it is not known what it is.
    pub(crate) is_lost: bool,
    performed: Performed,
    /// What objects are called where the machine was sent, as far as that is not what the current
    /// execution calls them.
    heard: Vec<(CellId, CellId)>,
}

impl Probe {
    /// Whether what an event would do after other histories can be told from the values that
    /// are known.
    pub(crate) fn is_predictable(
        configuration: &Configuration,
        execution: &Execution,
        index: usize,
    ) -> bool {
        let accesses = configuration.accesses_of(index);
        if accesses.iter().all(is_fixed) {
            return true;
        }
        // Whether the first action takes effect may decide what the others are, unless it waits
        // until it does.
        let is_alone = accesses.iter().skip(1).all(|access| access.guard);
        let is_certain = accesses.iter().all(|access| is_fixed(access) || access.waits);
        (is_alone || is_certain)
            && accesses.iter().all(|access| {
                (access.op.is_memory() || is_fixed(access))
                    && execution.overlapping(access.cell).is_empty()
            })
    }

    /// Predicts what an event would do after another history, unless that cannot be told.
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

    /// Sends the machine to the end of a history, and lets a process take its step there, in all
    /// ways. Tells which states these lead to if that is asked for.
    pub(crate) fn try_out<M: Machine>(
        &mut self,
        machine: &mut M,
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
            let state = match result {
                Ok(()) => states.as_deref_mut().and_then(|states| states.of(machine)),
                Err(violation) if violation.kind == ViolationKind::Nondeterminism => {
                    return Err(violation);
                }
                Err(_) => None,
            };
            let mut touches = SmallVec::new();
            for action in &self.performed.actions {
                let name = execution.cell(machine, action.on);
                let object = at.names.object_elsewhere(execution, name, self.intact, &self.heard);
                self.is_lost |= object.is_none();
                let cell = object.unwrap_or(name);
                touches.push((cell, action.op, action.plain));
                let op = if action.op == Op::Read { Op::Read } else { Op::Update };
                let others = execution.overlapping(cell).iter();
                touches.extend(others.map(|other| (*other, op, action.plain)));
            }
            self.outcomes.push(Outcome { touches, state });
        }
        Ok(())
    }

    /// The state at the end of a history.
    pub(crate) fn state_after<M: Machine>(
        &mut self,
        machine: &mut M,
        execution: &mut Execution,
        at: Whereabouts<'_>,
        history: &[u32],
        states: &mut States,
    ) -> Result<Option<StateId>, Box<Violation>> {
        self.travel(machine, execution, at, history)?;
        Ok(states.of(machine))
    }

    /// Sends the machine to the end of a history, and returns how many steps that took.
    fn travel<M: Machine>(
        &mut self,
        machine: &mut M,
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

    /// Takes note of what a process that is about to take a step calls what it touches.
    fn hear<M: Machine>(
        &mut self,
        machine: &M,
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
    pub(crate) fn return_to_end<M: Machine>(
        &mut self,
        machine: &mut M,
        configuration: &Configuration,
    ) -> Result<(), Box<Violation>> {
        machine.rewind(self.intact)?;
        for member in &configuration.members()[self.intact..] {
            self.repeat(machine, member.step)?;
        }
        self.intact = configuration.len();
        Ok(())
    }

    /// Takes a step again that was taken before.
    fn repeat<M: Machine>(&mut self, machine: &mut M, step: Step) -> Result<(), Box<Violation>> {
        let Step { process, choice } = step;
        if !machine.is_enabled(process) || choice >= machine.alternatives(process) {
            let message = format!(
                "step {step} was possible before, and is not any more after an equivalent execution"
            );
            return Err(Box::new(Violation::new(ViolationKind::Nondeterminism, message)));
        }
        self.performed.clear();
        match machine.step(step, &mut self.performed) {
            Err(violation) if violation.kind == ViolationKind::Nondeterminism => Err(violation),
            // Whatever else goes wrong there has been seen.
            _ => Ok(()),
        }
    }
}

/// Whether a step waits for one of several values, and may then do this or that depending on which it
/// is: what it does with a value that it was not seen with is not known.
fn looks_further(access: &Access) -> bool {
    access.waits && access.declared == Op::Update && !matches!(access.when, When::Equals(_))
}

/// The value of the cell of an access at the end of a history.
fn value(configuration: &Configuration, access: &Access, history: &[u32]) -> u64 {
    let mut sum = 0u64;
    let mut earliest = access.before;
    for other in configuration.accesses_to(access.cell) {
        earliest = other.before;
        if !configuration.is_in(other.event as usize, history) {
            continue;
        }
        match other.op {
            Op::Write | Op::Update | Op::WritePart => return other.after.wrapping_add(sum),
            Op::Add => sum = sum.wrapping_add(other.after.wrapping_sub(other.before)),
            _ => {}
        }
    }
    earliest.wrapping_add(sum)
}

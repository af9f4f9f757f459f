//! Probes: steps that the machine takes at a prefix only to learn what they touch.

use crate::execution::footprint::Footprint;
use crate::execution::order::AllConflicts;
use crate::execution::{Declared, Execution};
use crate::explore::dpor::division::plan::Plan;
use crate::explore::dpor::parts::wakeup_tree::{Forest, Tree};
use crate::model::{Lesson, Machine, Performed, ProcessId, Step, Violation, ViolationKind};

/// A step that is enabled at a prefix, and what it touches there.
#[derive(Debug)]
pub(super) struct Probe {
    pub(super) step: Step,
    pub(super) footprint: Footprint,
    pub(super) is_failure: bool,
}

/// Returns whether a step is possible. It may come from anywhere.
pub(super) fn is_possible(machine: &dyn Machine, step: Step) -> bool {
    step.process.index() < machine.processes()
        && machine.is_enabled(step.process)
        && step.choice < machine.alternatives(step.process)
}

/// Takes steps and undoes them. Other violations than nondeterminism are reported if the step is
/// explored.
#[derive(Debug, Default)]
pub(super) struct Prober {
    performed: Performed,
    pub(super) lesson: Option<Lesson>,
}

impl Prober {
    /// Takes a step, which becomes the last event of the execution. Returns whether it was possible.
    fn take(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        step: Step,
    ) -> Result<bool, Box<Violation>> {
        if !is_possible(machine, step) {
            return Ok(false);
        }
        let alternatives = machine.alternatives(step.process);
        let declared = machine.next(step.process).map(Declared::of);
        self.performed.clear();
        match machine.step(step, &mut self.performed) {
            Err(violation) if violation.kind == ViolationKind::Nondeterminism => {
                return Err(violation);
            }
            _ => {}
        }
        self.lesson = self.lesson.or(self.performed.lesson);
        execution.push::<AllConflicts>(
            machine,
            step,
            alternatives,
            declared.as_ref(),
            &self.performed,
        );
        Ok(true)
    }

    /// Goes back to a prefix.
    fn undo(
        machine: &mut dyn Machine,
        execution: &mut Execution,
        depth: usize,
    ) -> Result<(), Box<Violation>> {
        execution.truncate(depth);
        machine.rewind(depth)
    }

    /// Takes a step after the execution, calls `look` with it, and undoes the step. Returns `None` if the
    /// step is not possible.
    pub(super) fn probe<T>(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        step: Step,
        look: impl FnOnce(&Execution) -> T,
    ) -> Result<Option<T>, Box<Violation>> {
        let depth = execution.len();
        if !self.take(machine, execution, step)? {
            return Ok(None);
        }
        let seen = look(execution);
        Self::undo(machine, execution, depth)?;
        Ok(Some(seen))
    }

    /// Probes the enabled steps except for some. Leaves out steps of a process with very many
    /// alternatives, which are then not known to be weak initials.
    pub(super) fn enabled(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        is_known: impl Fn(Step) -> bool,
    ) -> Result<Vec<Probe>, Box<Violation>> {
        const MOST_ALTERNATIVES: u32 = 16;
        let depth = execution.len();
        let processes: Vec<ProcessId> = machine.enabled().collect();
        let mut probes = Vec::new();
        for process in processes {
            let alternatives = machine.alternatives(process).min(MOST_ALTERNATIVES);
            let steps = (0..alternatives).map(|choice| Step { process, choice });
            for step in steps.filter(|step| !is_known(*step)) {
                let look = |execution: &Execution| Probe {
                    step,
                    footprint: execution.footprint(depth),
                    is_failure: execution.is_failure(depth),
                };
                probes.extend(self.probe(machine, execution, step, look)?);
            }
        }
        Ok(probes)
    }

    /// Returns the wakeup tree of a plan, which begins after the execution. Leaves out steps that are not
    /// possible, and all that follow them.
    pub(super) fn tree(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        plan: &Plan,
        forest: &mut Forest,
    ) -> Result<Tree, Box<Violation>> {
        let depth = execution.len();
        let mut tree = Tree::EMPTY;
        let mut path = Vec::new();
        let mut left_out = u32::MAX;
        for (step, level) in plan.nodes() {
            if *level > left_out {
                continue;
            }
            left_out = u32::MAX;
            let here = depth + *level as usize;
            Self::undo(machine, execution, here)?;
            if !self.take(machine, execution, *step)? {
                left_out = *level;
                continue;
            }
            let footprint = (Some(execution.footprint(here)), execution.is_failure(here));
            forest.graft(&mut tree, &mut path, *level as usize, (*step, footprint), depth);
        }
        Self::undo(machine, execution, depth)?;
        Ok(tree)
    }
}

//! A generic description of executions, for front ends that have no better one.

use mazurka_core::model::{Action, Ending, Machine, Op, Performed, ProcessId, Step};
use mazurka_core::verdict::{Schedule, Violation};

use crate::{Line, LineKind, Misfit, Recording};

/// The result of running a machine along a schedule.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// The violation at the end of the execution, if there is one, with the steps that led to it.
    pub violation: Option<Violation>,
    /// The step of the schedule that could not be taken, if there is one.
    pub misfit: Option<Misfit>,
}

/// Runs a machine from its initial state along a schedule. Calls `tell` after each step with the
/// machine, the number of the step, counted from 0, the step, and its effects.
pub fn follow<M: Machine>(
    machine: &mut M,
    schedule: &Schedule,
    mut tell: impl FnMut(&M, usize, Step, &Performed),
) -> Followed {
    let mut performed = Performed::default();
    let steps = schedule.steps();
    let fails = |violation: Violation, steps: &[Step]| {
        let schedule = steps.iter().copied().collect();
        Followed { violation: Some(Violation { schedule, ..violation }), misfit: None }
    };
    for (index, step) in steps.iter().enumerate() {
        let process = step.process;
        let exists = process.index() < machine.processes();
        if !exists || !machine.is_enabled(process) || step.choice >= machine.alternatives(process) {
            let instead = match exists {
                true => format!("process {process} cannot take this step"),
                false => format!("there is no process {process}"),
            };
            return Followed { violation: None, misfit: Some(Misfit { step: index, instead }) };
        }
        performed.clear();
        let result = machine.step(*step, &mut performed);
        tell(machine, index, *step, &performed);
        if let Err(violation) = result {
            return fails(*violation, &steps[..=index]);
        }
    }
    let can_go_on = (0..machine.processes()).any(|p| machine.is_enabled(ProcessId::new(p)));
    match machine.ending() {
        Ending::Stuck(violation) if !can_go_on => fails(*violation, steps),
        _ => Followed::default(),
    }
}

/// Returns a recording that describes actions in the terms of the core.
pub(crate) fn recording<M: Machine>(machine: &mut M, schedule: &Schedule) -> Recording {
    let mut lines = Vec::new();
    let followed = follow(machine, schedule, |_, index, step, performed| {
        let texts: Vec<_> = performed.actions.iter().map(describe).collect();
        lines.push(Line {
            process: step.process,
            place: None,
            text: if texts.is_empty() {
                format!("choice {}", step.choice)
            } else {
                texts.join(", ")
            },
            kind: LineKind::Operation,
            step: index,
            object: None,
        });
    });
    let names = (0..machine.processes()).map(|p| format!("'process {p}'")).collect();
    let Followed { violation, misfit } = followed;
    Recording { lines, names, violation, misfit, ..Recording::default() }
}

fn describe(action: &Action) -> String {
    let on = format!("o{}[{}]", action.on.object.0, action.on.start);
    match action.op {
        Op::Read => format!("{on} → {}", action.before),
        Op::Write => format!("{on} = {}", action.after),
        Op::Update | Op::Add => format!("{on}: {} → {}", action.before, action.after),
        other => format!("{other:?} on {on}"),
    }
}

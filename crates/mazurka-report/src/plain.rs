//! Executions in the core's own words, for front ends that have no better ones.

use mazurka_core::model::{Action, Ending, Machine, Op, Performed, ProcessId, Step};
use mazurka_core::verdict::{Schedule, Violation};

use crate::{Line, LineKind, Misfit, Recording};

/// How a machine followed a schedule.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// What went wrong, if it did on the way or at the end, and after which steps.
    pub violation: Option<Violation>,
    /// Where the schedule could not be followed.
    pub misfit: Option<Misfit>,
}

/// Takes a machine that is in its initial state through a schedule, and tells what each step did:
/// its number, counted from 0, and the machine after it.
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
                true => format!("process {process} cannot do that there"),
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

/// A recording that tells actions as the explorers see them.
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

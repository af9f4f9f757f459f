//! Checks that independent steps of a machine commute.
//!
//! The reduction of the explorers and the traces of the oracle rely on this. The checks validate
//! [`dependence`](mazurka_core::model::dependence) and the machine together.

use mazurka_core::model::{Action, Machine, Performed, Program, Step};

use super::Trace;
use super::trace::are_dependent;
use crate::script::{ScriptMachine, ScriptProgram};

/// Walks at random through a program, and checks two properties. The error describes a broken one.
///
/// * Two enabled independent steps do not disable or change each other.
/// * Two adjacent events of an execution can be swapped if the first does not happen before the
///   second: the rest of the execution is still possible, and ends in the same state and in the
///   same trace.
pub fn check(program: &ScriptProgram, random: &mut fastrand::Rng) -> Result<(), String> {
    let Ok(mut machine) = program.start() else { return Ok(()) };
    let mut trace = Trace::new(machine.processes());
    let mut steps = Vec::new();
    loop {
        let enabled = machine.enabled_steps();
        check_enabled(&mut machine, &enabled)?;
        let Some(step) = random.choice(enabled) else { break };
        if trace.push(step, &perform(&mut machine, step)).is_err() {
            break;
        }
        steps.push(step);
    }
    for position in 1..steps.len() {
        if !trace.happens_before(position - 1, position) {
            let mut swapped = steps.clone();
            swapped.swap(position - 1, position);
            let what = || format!("steps {} and {} of {}", position - 1, position, shown(&steps));
            let (other, other_trace) =
                replay(program, &swapped).map_err(|error| format!("{}: {error}", what()))?;
            if other.state() != machine.state() {
                return Err(format!("{} do not commute", what()));
            }
            if other_trace.canonical() != trace.canonical() {
                return Err(format!("{}, swapped, are another trace", what()));
            }
        }
    }
    Ok(())
}

fn check_enabled(machine: &mut ScriptMachine, enabled: &[Step]) -> Result<(), String> {
    let len = machine.len();
    for first in enabled {
        for second in enabled.iter().filter(|second| second.process != first.process) {
            let alone = perform(machine, *second).actions;
            machine.rewind(len).expect("scripts can always go back");
            let edges = perform(machine, *first);
            let ordered = edges.edges.iter().any(|edge| edge.to == second.process);
            let independent = !ordered && !are_dependent(&edges.actions, &alone);
            let result = match independent && !machine.enabled_steps().contains(second) {
                true => Err(format!("{first} disables {second}, which is independent")),
                false if independent && !same(&perform(machine, *second).actions, &alone) => {
                    Err(format!("{first} changes what {second} does, which is independent"))
                }
                false => Ok(()),
            };
            machine.rewind(len).expect("scripts can always go back");
            result?;
        }
    }
    Ok(())
}

/// Returns whether two steps had the same effects. The values may differ, since two additions
/// commute.
fn same(a: &[Action], b: &[Action]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a.on, a.op) == (b.on, b.op))
}

fn perform(machine: &mut ScriptMachine, step: Step) -> Performed {
    let mut performed = Performed::default();
    let _ = machine.step(step, &mut performed);
    performed
}

fn replay(program: &ScriptProgram, steps: &[Step]) -> Result<(ScriptMachine, Trace), String> {
    let mut machine = program.start().map_err(|violation| violation.to_string())?;
    let mut trace = Trace::new(machine.processes());
    for step in steps {
        if !machine.enabled_steps().contains(step) {
            return Err(format!("once they are swapped, step {step} is not possible"));
        }
        let performed = perform(&mut machine, *step);
        trace.push(*step, &performed).map_err(|_| "it is too long".to_owned())?;
    }
    Ok((machine, trace))
}

fn shown(steps: &[Step]) -> String {
    steps.iter().map(Step::to_string).collect::<Vec<_>>().join("-")
}

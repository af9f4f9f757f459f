//! Checks the classes of executions that no observer distinguishes.
//!
//! By property 4 of a valid happens-before relation, every linearisation of the relation is an
//! execution, and has the same relation. Since no observer distinguishes them, the processes must
//! also end in the same way.

use std::collections::HashSet;

use mazurka_core::model::{Machine, Performed, Program, Step};

use super::{Behaviour, Class, Observed, Outcome, Refused, Trace, enumerate};
use crate::script::{ScriptMachine, ScriptProgram};

/// Runs all linearisations of every class of a program that has at most `limit` interleavings. The
/// error describes an inconsistency.
///
/// Larger programs pass.
pub fn check(program: &ScriptProgram, limit: u64) -> Result<(), String> {
    let behaviour = match enumerate(program, limit) {
        Ok(behaviour) => behaviour,
        Err(Refused::Inconsistent(error)) => return Err(error),
        Err(_) => return Ok(()),
    };
    let Ok(mut machine) = program.start() else { return Ok(()) };
    let mut seen = HashSet::new();
    let mut linearisations = 0;
    for class in behaviour.traces.values().filter(|class| seen.insert(class.observed)) {
        machine.rewind(0).expect("scripts can always go back");
        let trace = replay(&mut machine, class)?;
        let order = Observed::of(&trace, &machine, &behaviour.awaited);
        machine.rewind(0).expect("scripts can always go back");
        let mut all = Linearisations {
            behaviour: &behaviour,
            class,
            steps: trace.steps().collect(),
            order: &order,
            trace: Trace::new(machine.processes()),
            machine: &mut machine,
            taken: HashSet::new(),
            count: 0,
        };
        all.run().map_err(|error| format!("{}: {error}", class.example))?;
        linearisations += all.count;
    }
    match linearisations == behaviour.interleavings {
        true => Ok(()),
        false => Err(format!(
            "there are {} interleavings, and {linearisations} linearisations",
            behaviour.interleavings
        )),
    }
}

fn replay(machine: &mut ScriptMachine, class: &Class) -> Result<Trace, String> {
    let mut trace = Trace::new(machine.processes());
    for step in class.example.steps() {
        push(machine, &mut trace, *step)?;
    }
    Ok(trace)
}

fn push(machine: &mut ScriptMachine, trace: &mut Trace, step: Step) -> Result<(), String> {
    if !machine.enabled_steps().contains(&step) {
        let before: Vec<_> = trace.steps().map(|step| step.to_string()).collect();
        return Err(format!("step {step} is not possible after {}", before.join("-")));
    }
    let mut performed = Performed::default();
    let _ = machine.step(step, &mut performed);
    trace.push(step, &performed).map_err(|_| "it is too long".to_owned())
}

struct Linearisations<'a> {
    behaviour: &'a Behaviour,
    class: &'a Class,
    steps: Vec<Step>,
    order: &'a Observed<'a>,
    machine: &'a mut ScriptMachine,
    trace: Trace,
    /// The steps that have been taken.
    taken: HashSet<usize>,
    count: u64,
}

impl Linearisations<'_> {
    fn run(&mut self) -> Result<(), String> {
        let len = self.taken.len();
        if len == self.steps.len() {
            self.count += 1;
            return self.check_end();
        }
        for next in 0..self.steps.len() {
            let is_first = !self.taken.contains(&next)
                && (0..next)
                    .all(|e| self.taken.contains(&e) || !self.order.happens_before(e, next));
            if is_first {
                push(self.machine, &mut self.trace, self.steps[next])?;
                self.taken.insert(next);
                self.run()?;
                self.taken.remove(&next);
                self.machine.rewind(len).expect("scripts can always go back");
                self.trace.truncate(len);
            }
        }
        Ok(())
    }

    fn check_end(&self) -> Result<(), String> {
        let steps = || self.trace.steps().map(|step| step.to_string()).collect::<Vec<_>>();
        if !self.machine.enabled_steps().is_empty() {
            return Err(format!("{} could go on", steps().join("-")));
        }
        let ending = Outcome::of(self.machine, &self.trace).ending();
        if ending != self.class.outcome.ending() {
            return Err(format!("{} ends in another way", steps().join("-")));
        }
        let order = Observed::of(&self.trace, self.machine, &self.behaviour.awaited);
        match order.canonical() == self.class.observed {
            true => Ok(()),
            false => Err(format!("{} has another relation", steps().join("-"))),
        }
    }
}

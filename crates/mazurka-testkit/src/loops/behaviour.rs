//! The whole behaviour of a program with event loops, found by brute force.

use std::collections::HashMap;

use mazurka_core::model::{Machine, Performed, ProcessId, Program, Step};
use mazurka_core::verdict::Schedule;

use super::class::{ClassKey, TaskTrace};
use super::machine::{LoopMachine, LoopProgram};
use crate::oracle::Trace;

/// The end of the executions of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// The local states of the threads and handlers.
    pub locals: Vec<u64>,
    /// Whether there is a deadlock.
    pub is_stuck: bool,
    /// The positions of the waiting threads, in a deadlock.
    pub deadlock: Vec<(usize, usize)>,
    /// One of the executions.
    pub example: Schedule,
}

/// The behaviour of a program.
#[derive(Clone, Default, Debug)]
pub struct Behaviour {
    /// The number of interleavings.
    pub interleavings: u64,
    /// The Mazurkiewicz traces, in which two posts to one queue are dependent.
    pub traces: HashMap<u128, Schedule>,
    /// The classes if the order of posts does not matter.
    pub classes: HashMap<ClassKey, End>,
}

/// Runs every interleaving, if there are at most `limit`. The error describes an inconsistency of
/// the classes, or is `None` if the program is too large.
pub fn enumerate(program: &LoopProgram, limit: u64) -> Result<Behaviour, Option<String>> {
    let machine = program.start().map_err(|violation| Some(violation.message))?;
    let trace = Trace::new(machine.processes());
    let mut search = Search {
        machine,
        trace,
        tasks: TaskTrace::new(),
        limit,
        performed: Performed::default(),
        found: Behaviour::default(),
    };
    search.run(0)?;
    Ok(search.found)
}

struct Search {
    machine: LoopMachine,
    trace: Trace,
    tasks: TaskTrace,
    limit: u64,
    performed: Performed,
    found: Behaviour,
}

impl Search {
    fn run(&mut self, len: usize) -> Result<(), Option<String>> {
        let processes = (0..self.machine.processes()).map(ProcessId::new);
        let enabled: Vec<_> = processes.filter(|p| self.machine.is_enabled(*p)).collect();
        if enabled.is_empty() {
            return self.end();
        }
        for step in enabled.into_iter().map(Step::of) {
            self.performed.clear();
            let _ = self.machine.step(step, &mut self.performed);
            self.trace.push(step, &self.performed).map_err(|_| None)?;
            self.tasks.push(step, &self.performed);
            self.run(len + 1)?;
            self.machine.rewind(len).map_err(|violation| Some(violation.message))?;
            self.trace.truncate(len);
            self.tasks.truncate(len);
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Option<String>> {
        self.found.interleavings += 1;
        if self.found.interleavings > self.limit {
            return Err(None);
        }
        let schedule = || self.tasks.steps().collect::<Schedule>();
        self.found.traces.entry(self.trace.canonical()).or_insert_with(schedule);
        let (locals, is_stuck) = (self.machine.locals(), self.machine.is_stuck());
        let class = self.tasks.class();
        let known = self.found.classes.entry(class).or_insert_with(|| End {
            locals: locals.clone(),
            is_stuck,
            deadlock: self.machine.deadlock(),
            example: schedule(),
        });
        match known.locals == locals && known.is_stuck == is_stuck {
            true => Ok(()),
            false => Err(Some(format!(
                "{} and {} are in one class, but end differently",
                schedule(),
                known.example
            ))),
        }
    }
}

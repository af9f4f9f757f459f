//! Comparison of the explorers with brute force on programs with event loops.

use std::collections::{HashMap, HashSet};

use mazurka_core::execution::Execution;
use mazurka_core::explore::explore;
use mazurka_core::model::{Ending, Performed, Program, Step};
use mazurka_core::search::{Algorithm, Monitor, Options};
use mazurka_core::verdict::{Schedule, Verdict, Violation};

use super::behaviour::{Behaviour, enumerate};
use super::class::{ClassKey, TaskTrace};
use super::machine::{LoopMachine, LoopProgram};
use super::smaller::shrink;
use super::syntax::Loops;
use crate::oracle::{Observations, Trace};

/// The outcome of a comparison.
#[derive(Clone, Debug)]
pub enum Compared {
    /// All explorers agree with brute force.
    Agreed {
        /// The number of Mazurkiewicz traces.
        traces: usize,
        /// The number of classes if the order of posts does not matter.
        classes: usize,
        /// The number of classes with a deadlock.
        stuck: usize,
    },
    /// The program has too many interleavings.
    Skipped,
    /// The differences, one per line.
    Disagreed(Vec<String>),
}

/// Runs explorers on a program that has at most `limit` interleavings.
pub fn compare(loops: &Loops, limit: u64, algorithms: &[Algorithm]) -> Compared {
    let program = LoopProgram::new(loops);
    let behaviour = match enumerate(&program, limit) {
        Ok(behaviour) => behaviour,
        Err(None) => return Compared::Skipped,
        Err(Some(error)) => return Compared::Disagreed(vec![error]),
    };
    let mut differences = Vec::new();
    for algorithm in algorithms {
        let found = match algorithm {
            Algorithm::DataCentric => run_by_observation(&program, &behaviour, limit),
            algorithm => run(&program, &behaviour, *algorithm),
        };
        differences.extend(found.into_iter().map(|line| format!("{algorithm}: {line}")));
    }
    match differences.is_empty() {
        true => Compared::Agreed {
            traces: behaviour.traces.len(),
            classes: behaviour.classes.len(),
            stuck: behaviour.classes.values().filter(|end| end.is_stuck).count(),
        },
        false => Compared::Disagreed(differences),
    }
}

/// The executions that an explorer must run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cover {
    /// Every trace exactly once.
    TracesOnce,
    /// Every class at least once. Of classes with a deadlock, only every deadlock.
    Classes,
    /// Every class exactly once, and no redundant execution.
    ClassesOnce,
    /// All final local states, in at most as many executions as there are traces.
    Observed,
    /// All final local states.
    Ends,
}

fn what_to_cover(algorithm: Algorithm) -> Cover {
    match algorithm {
        Algorithm::Naive | Algorithm::EmDpor => Cover::Classes,
        Algorithm::EventDriven => Cover::ClassesOnce,
        Algorithm::Observers => Cover::Observed,
        // `data-centric` is compared in another way.
        Algorithm::DataCentric
        | Algorithm::Unfolding
        | Algorithm::Graphs
        | Algorithm::Random
        | Algorithm::Pct
        | Algorithm::Pos
        | Algorithm::Surw => Cover::Ends,
        Algorithm::Dpor | Algorithm::Source | Algorithm::Optimal => Cover::TracesOnce,
    }
}

#[derive(Default)]
struct Watcher {
    traces: HashMap<u128, u64>,
    /// All executions, in order.
    all: Vec<Trace>,
    classes: HashMap<ClassKey, u64>,
    ends: HashMap<Vec<u64>, u64>,
    deadlocks: HashSet<Vec<(usize, usize)>>,
    unknown: Vec<String>,
    program: Option<LoopProgram>,
}

impl Monitor<LoopMachine> for Watcher {
    fn ended(
        &mut self,
        machine: &LoopMachine,
        execution: &Execution,
        ending: Option<&Ending>,
        _violation: Option<&Violation>,
    ) {
        let Some(program) = self.program.as_ref().filter(|_| ending.is_some()) else { return };
        let steps: Vec<Step> = execution.steps().collect();
        let Ok(mut replay) = program.start() else { return };
        let tasks = TaskTrace::of_schedule(&mut replay, steps.iter().copied());
        *self.classes.entry(tasks.class()).or_default() += 1;
        *self.ends.entry(machine.locals()).or_default() += 1;
        self.deadlocks.insert(machine.deadlock());
        if replay.locals() != machine.locals() {
            let schedule: Schedule = steps.iter().copied().collect();
            self.unknown.push(format!("{schedule} does not end like that if it is run again"));
        }
        let Ok(mut replay) = program.start() else { return };
        let mut trace = Trace::new(mazurka_core::model::Machine::processes(machine));
        let mut performed = Performed::default();
        for step in steps {
            performed.clear();
            let _ = mazurka_core::model::Machine::step(&mut replay, step, &mut performed);
            let _ = trace.push(step, &performed);
        }
        *self.traces.entry(trace.canonical()).or_default() += 1;
        self.all.push(trace);
    }
}

fn explore_all(
    program: &LoopProgram,
    behaviour: &Behaviour,
    algorithm: Algorithm,
    watcher: &mut Watcher,
) -> Verdict {
    let options = Options {
        algorithm,
        keep_going: true,
        max_executions: Some(100 * behaviour.interleavings + 100),
        ..Options::default()
    };
    let mut machine = program.start().expect("brute force has started it, too");
    explore(&mut machine, &options, watcher)
}

fn run(program: &LoopProgram, behaviour: &Behaviour, algorithm: Algorithm) -> Vec<String> {
    let mut watcher = Watcher { program: Some(program.clone()), ..Watcher::default() };
    let verdict = explore_all(program, behaviour, algorithm, &mut watcher);
    let mut found = std::mem::take(&mut watcher.unknown);
    if !verdict.is_complete() {
        found.push(format!("it did not end: {:?}", verdict.stopped));
    }
    let cover = what_to_cover(algorithm);
    if cover == Cover::TracesOnce {
        for (trace, example) in &behaviour.traces {
            match watcher.traces.get(trace).copied().unwrap_or(0) {
                1 => {}
                times => found.push(format!("the trace of {example} was run {times} times")),
            }
        }
        return found;
    }
    if matches!(cover, Cover::Observed | Cover::Ends) {
        for end in behaviour.classes.values() {
            if !watcher.ends.contains_key(&end.locals) {
                found.push(format!("the end of {} was missed", end.example));
            }
        }
        let most = behaviour.traces.len();
        if cover == Cover::Observed && verdict.executions as usize > most {
            found.push(format!("{} executions are too many", verdict.executions));
        }
        return found;
    }
    for (class, end) in &behaviour.classes {
        match watcher.classes.get(class).copied().unwrap_or(0) {
            // A dependence-covering sequence may continue where this one has a deadlock.
            0 if cover == Cover::Classes
                && end.is_stuck
                && watcher.deadlocks.contains(&end.deadlock) => {}
            0 => found.push(format!("the class of {} was missed", end.example)),
            1 => {}
            times if cover == Cover::ClassesOnce => {
                found.push(format!("the class of {} was run {times} times", end.example));
            }
            _ => {}
        }
    }
    if cover == Cover::ClassesOnce && verdict.blocked > 0 {
        found.push(format!("{} executions were in vain", verdict.blocked));
    }
    found
}

/// Compares `data-centric` with all observation functions.
fn run_by_observation(program: &LoopProgram, behaviour: &Behaviour, limit: u64) -> Vec<String> {
    let Ok(machine) = program.start() else { return Vec::new() };
    let ending = |machine: &LoopMachine, _: &Trace| (machine.locals(), machine.deadlock());
    let functions = match Observations::of_machine(machine, limit, ending) {
        Ok(functions) => functions,
        Err(refused) => return vec![format!("there are no observation functions: {refused:?}")],
    };
    let mut watcher = Watcher { program: Some(program.clone()), ..Watcher::default() };
    let verdict = explore_all(program, behaviour, Algorithm::DataCentric, &mut watcher);
    let mut found = std::mem::take(&mut watcher.unknown);
    if !verdict.is_complete() {
        found.push(format!("it did not end: {:?}", verdict.stopped));
    }
    if verdict.blocked > 0 {
        found.push(format!("{} executions were in vain", verdict.blocked));
    }
    // After a restart, only the later executions count.
    let before = watcher.all.len().saturating_sub(verdict.executions as usize);
    let mut met: HashMap<u128, u64> = HashMap::new();
    for trace in &watcher.all[before..] {
        *met.entry(functions.digest(trace)).or_default() += 1;
    }
    for (digest, function) in &functions.functions {
        match met.get(digest).copied().unwrap_or(0) {
            1 => {}
            times => {
                found.push(format!("what {} observes was met {times} times", function.example));
            }
        }
    }
    if verdict.executions as usize > behaviour.traces.len() {
        found.push(format!("{} executions are too many", verdict.executions));
    }
    found
}

/// Describes a disagreement for people: the differences, and the smallest program that shows them.
pub fn report(loops: &Loops, limit: u64, algorithms: &[Algorithm]) -> String {
    let fails = |loops: &Loops| matches!(compare(loops, limit, algorithms), Compared::Disagreed(_));
    let smallest = shrink(loops, fails);
    match compare(&smallest, limit, algorithms) {
        Compared::Disagreed(differences) => format!("{}\n\n{smallest}", differences.join("\n")),
        other => format!("it does not always disagree: {other:?}"),
    }
}

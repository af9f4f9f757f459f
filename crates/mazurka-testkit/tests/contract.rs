//! The machines of the test kit keep the contract, and the contract test detects machines that
//! break a rule.

use std::cell::RefCell;
use std::collections::HashMap;

use mazurka_core::model::{Action, Ending, Location, Machine, ObjectId, Op, Performed};
use mazurka_core::model::{ProcessId, Program, Step};
use mazurka_core::verdict::Violation;
use mazurka_testkit::contract::{self, Walks};
use mazurka_testkit::looping;
use mazurka_testkit::loops::{self, LoopProgram};
use mazurka_testkit::random;
use mazurka_testkit::script::{LatelyNamed, ScriptMachine, ScriptProgram};

#[test]
fn scripts_keep_the_contract() {
    for seed in 0..400 {
        let script = random::script(seed);
        let program = ScriptProgram::new(&script).unwrap();
        let result = contract::check(|| program.start(), Walks::default(), seed);
        assert_eq!(result, Ok(()), "seed {seed}:\n{script}");
    }
}

#[test]
fn scripts_that_loop_keep_the_contract() {
    for seed in 0..100 {
        let script = looping::script(seed);
        let program = ScriptProgram::new(&script).unwrap();
        let result = contract::check(|| program.start(), Walks::default(), seed);
        assert_eq!(result, Ok(()), "seed {seed}:\n{script}");
    }
}

#[test]
fn programs_with_event_loops_keep_the_contract() {
    for seed in 0..100 {
        let program = LoopProgram::new(&loops::random(seed));
        let result = contract::check(|| program.start(), Walks::default(), seed);
        assert_eq!(result, Ok(()), "seed {seed}");
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mutation {
    /// `guards` returns nothing.
    ForgetsGuards,
    /// No pending action waits.
    ForgetsToWait,
    /// A write is reported as an addition, so that two writes are called independent.
    CallsWritesAdditions,
    /// `rewind` undoes one step too many.
    GoesBackTooFar,
    /// Objects are numbered in the order of first accesses.
    NamesInOrder,
    /// A step that fails reports no action.
    FailsSilently,
    /// A read of zero is not reported.
    ForgetsReads,
    /// A step that reads zero also writes to another object, and a step that reads another value does not say
    /// so.
    Branches,
}

struct Mutant {
    script: ScriptMachine,
    mutation: Mutation,
    pending: Vec<Option<Action>>,
    names: RefCell<HashMap<ObjectId, ObjectId>>,
}

impl Mutant {
    fn new(script: ScriptMachine, mutation: Mutation) -> Self {
        let mut mutant =
            Mutant { script, mutation, pending: Vec::new(), names: RefCell::default() };
        mutant.renew();
        mutant
    }

    fn renew(&mut self) {
        let processes = (0..self.script.processes()).map(ProcessId::new);
        let pending: Vec<_> = processes.map(|p| self.script.next(p).copied()).collect();
        self.pending = pending.into_iter().map(|action| action.map(|a| self.change(a))).collect();
    }

    fn change(&self, action: Action) -> Action {
        match self.mutation {
            Mutation::ForgetsToWait => Action { waits: false, ..action },
            Mutation::CallsWritesAdditions if action.op == Op::Write => {
                Action { op: Op::Add, ..action }
            }
            Mutation::NamesInOrder => {
                let mut names = self.names.borrow_mut();
                let next = ObjectId(names.len() as u32);
                let object = *names.entry(action.on.object).or_insert(next);
                Action { on: Location { object, ..action.on }, ..action }
            }
            _ => action,
        }
    }
}

impl Machine for Mutant {
    fn processes(&self) -> usize {
        self.script.processes()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.pending[process.index()].as_ref()
    }

    fn guards(&self, process: ProcessId) -> &[Action] {
        match self.mutation {
            Mutation::ForgetsGuards => &[],
            _ => self.script.guards(process),
        }
    }

    fn others(&self, process: ProcessId) -> &[Action] {
        self.script.others(process)
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        self.script.is_enabled(process)
    }

    fn alternatives(&self, process: ProcessId) -> u32 {
        self.script.alternatives(process)
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let result = self.script.step(step, performed);
        let actions = std::mem::take(&mut performed.actions);
        performed.actions.extend(actions.into_iter().map(|action| self.change(action)));
        match self.mutation {
            Mutation::FailsSilently if result.is_err() => performed.actions.clear(),
            Mutation::ForgetsReads => {
                performed.actions.retain(|action| action.op != Op::Read || action.before != 0);
            }
            Mutation::Branches => {
                let reads_zero = |action: &Action| action.op == Op::Read && action.before == 0;
                if performed.actions.iter().any(reads_zero) {
                    let on = Location::whole(ObjectId(1000));
                    performed.actions.push(Action::new(Op::Add, on));
                }
            }
            _ => {}
        }
        self.renew();
        result
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        let len = match self.mutation {
            Mutation::GoesBackTooFar => len.saturating_sub(1),
            _ => len,
        };
        self.script.rewind(len)?;
        if self.mutation == Mutation::NamesInOrder {
            self.names.borrow_mut().clear();
        }
        self.renew();
        Ok(())
    }

    fn ending(&self) -> Ending {
        self.script.ending()
    }
}

/// Every mutation is found within the first hundred programs.
#[test]
fn machines_that_break_a_rule_are_found_out() {
    for mutation in [
        Mutation::ForgetsGuards,
        Mutation::ForgetsToWait,
        Mutation::CallsWritesAdditions,
        Mutation::GoesBackTooFar,
        Mutation::NamesInOrder,
        Mutation::FailsSilently,
        Mutation::ForgetsReads,
        Mutation::Branches,
    ] {
        let found = (0..100).find_map(|seed| {
            let program = ScriptProgram::new(&random::script(seed)).unwrap();
            let start = || program.start().map(|script| Mutant::new(script, mutation));
            let result = contract::check(start, Walks::default(), seed);
            result.err().map(|error| (seed, error))
        });
        let (seed, error) = found.unwrap_or_else(|| panic!("{mutation:?} is not found"));
        println!("{mutation:?} is found by seed {seed}: {error}");
    }
}

#[test]
fn scripts_with_late_names_keep_the_contract() {
    for seed in 0..100 {
        let script = random::script(seed);
        let program = ScriptProgram::new(&script).unwrap();
        let named = LatelyNamed { script: &script, program: &program };
        let result = contract::check(|| named.start(), Walks::default(), seed);
        assert_eq!(result, Ok(()), "seed {seed}:\n{script}");
    }
}

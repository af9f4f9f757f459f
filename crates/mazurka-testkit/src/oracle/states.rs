//! All reachable states of a program, found by breadth-first search.
//!
//! Programs that loop forever are compared with this: they have infinitely many executions, but
//! finitely many states.

use std::collections::{BTreeSet, HashSet, VecDeque};

use mazurka_core::model::{Ending, Machine, Performed, ProcessId, Program, dependence};
use mazurka_core::verdict::{Violation, ViolationKind};

use crate::script::{REGISTERS, ScriptMachine, ScriptProgram, State, Status};

/// A process, its status, its position in the code, and its registers.
pub type LocalState = (usize, Status, usize, [i64; REGISTERS + 1]);

/// The reachable states and endings of a program.
#[derive(Clone, Default, Debug)]
pub struct Reachable {
    /// The number of states.
    pub states: usize,
    /// Whether some state can be reached from itself.
    pub has_cycle: bool,
    /// The reachable local states of all processes.
    pub locals: HashSet<LocalState>,
    /// The reachable endings: their violation, and the local state of each process.
    pub ends: HashSet<End>,
    /// All violations, including those after a failure.
    pub violations: BTreeSet<ViolationKind>,
    /// The violations except for data races before which no step has failed.
    pub first_violations: BTreeSet<(ViolationKind, String)>,
}

/// The end of an execution.
pub type End = (Option<ViolationKind>, Vec<(Status, usize, [i64; REGISTERS + 1])>);

impl Reachable {
    /// Adds a state.
    ///
    /// In a sequence of joins, the process that is currently awaited depends on the order of
    /// independent steps, and no action is performed there. Such local states are ignored.
    pub fn add(&mut self, state: &State) {
        let locals = state.locals().into_iter().enumerate();
        let locals = locals.filter(|(_, local)| !matches!(local.0, Status::AwaitsEnd(_)));
        self.locals.extend(locals.map(|(p, (status, at, registers))| (p, status, at, registers)));
    }

    /// Adds a violation in, or right after, a state in which no step has failed.
    fn add_first(&mut self, state: &State, violation: &Violation) {
        let failed = |process| matches!(state.status(process), Status::Failed(_));
        if !(0..state.processes()).any(failed) {
            self.first_violations.insert((violation.kind, violation.message.clone()));
        }
    }

    /// Adds the ending of a machine in which no process is enabled.
    pub fn add_end(&mut self, machine: &ScriptMachine) {
        let kind = match machine.ending() {
            Ending::Stuck(violation) => {
                self.add_first(machine.state(), &violation);
                Some(violation.kind)
            }
            _ => None,
        };
        self.violations.extend(kind);
        self.ends.insert((kind, machine.state().locals()));
    }
}

/// The reason why the states could not be enumerated.
#[derive(Clone, Debug)]
pub enum Refused {
    /// There are more than the limit.
    TooMany,
    /// A process fails before its first visible action.
    FailsAtStart(Box<Violation>),
}

/// Returns whether two processes are about to access the same plain memory, and one of them writes.
fn has_data_race(machine: &ScriptMachine) -> bool {
    let processes = (0..machine.processes()).map(ProcessId::new);
    let enabled = processes.filter(|process| machine.is_enabled(*process));
    let pending: Vec<_> = enabled.filter_map(|process| machine.next(process)).collect();
    pending.iter().enumerate().any(|(i, a)| {
        pending[..i]
            .iter()
            .any(|b| a.on == b.on && (a.plain || b.plain) && dependence::dependent(a.op, b.op))
    })
}

/// Finds all states, if there are at most `limit`.
pub fn search(program: &ScriptProgram, limit: usize) -> Result<Reachable, Refused> {
    let start = program.start().map_err(Refused::FailsAtStart)?;
    let mut found = Reachable::default();
    let mut known = HashSet::from([start.state().fingerprint()]);
    let mut open = VecDeque::from([start]);
    let mut performed = Performed::default();
    while let Some(mut machine) = open.pop_front() {
        found.add(machine.state());
        if has_data_race(&machine) {
            found.violations.insert(ViolationKind::DataRace);
        }
        let steps = machine.enabled_steps();
        if steps.is_empty() {
            found.add_end(&machine);
        }
        for step in steps {
            performed.clear();
            let before = machine.state().clone();
            if let Err(violation) = machine.step(step, &mut performed) {
                found.violations.insert(violation.kind);
                found.add_first(&before, &violation);
            }
            if known.insert(machine.state().fingerprint()) {
                if known.len() > limit {
                    return Err(Refused::TooMany);
                }
                open.push_back(machine.fork());
            } else {
                found.has_cycle = true;
            }
            machine.rewind(0).expect("scripts can always go back");
        }
    }
    found.states = known.len();
    Ok(found)
}

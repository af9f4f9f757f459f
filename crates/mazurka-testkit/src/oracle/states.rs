//! Every state that a program can reach, found by breadth-first search.
//!
//! This is what programs that loop for ever are compared with: they have no end that could be
//! enumerated, but finitely many states.

use std::collections::{BTreeSet, HashSet, VecDeque};

use mazurka_core::model::{Ending, Machine, Performed, ProcessId, Program, dependence};
use mazurka_core::verdict::{Violation, ViolationKind};

use crate::script::{REGISTERS, ScriptMachine, ScriptProgram, State, Status};

/// How a process is, where it is in its code, and its registers.
pub type LocalState = (usize, Status, usize, [i64; REGISTERS + 1]);

/// All that a program can come to.
#[derive(Clone, Default, Debug)]
pub struct Reachable {
    /// How many states there are.
    pub states: usize,
    /// Whether some state can be reached from itself.
    pub has_cycle: bool,
    /// The states that each process can be in.
    pub locals: HashSet<LocalState>,
    /// What each way to end is like: what is wrong with it, and how each process has ended.
    pub ends: HashSet<End>,
    /// What goes wrong on the way.
    pub violations: BTreeSet<ViolationKind>,
    /// The violations, without data races, before which no step has failed.
    pub first_violations: BTreeSet<(ViolationKind, String)>,
}

/// How an execution can end.
pub type End = (Option<ViolationKind>, Vec<(Status, usize, [i64; REGISTERS + 1])>);

impl Reachable {
    /// Notes a state.
    ///
    /// For whom a process waits in the middle of several joins depends on the order of independent
    /// steps, and it does nothing there: that does not count.
    pub fn add(&mut self, state: &State) {
        let locals = state.locals().into_iter().enumerate();
        let locals = locals.filter(|(_, local)| !matches!(local.0, Status::AwaitsEnd(_)));
        self.locals.extend(locals.map(|(p, (status, at, registers))| (p, status, at, registers)));
    }

    /// Notes a violation in, or right after, a state in which no step has failed.
    fn add_first(&mut self, state: &State, violation: &Violation) {
        let failed = |process| matches!(state.status(process), Status::Failed(_));
        if !(0..state.processes()).any(failed) {
            self.first_violations.insert((violation.kind, violation.message.clone()));
        }
    }

    /// Notes that the machine can go on no more.
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

/// Why the states could not be found.
#[derive(Clone, Debug)]
pub enum Refused {
    /// There are more than the limit.
    TooMany,
    /// A process fails before its first visible action.
    FailsAtStart(Box<Violation>),
}

/// Whether two processes are about to access the same plain memory, and one of them writes.
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

/// Finds every state, if there are no more than `limit`.
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

//! The whole behaviour of a program, found by brute force.
//!
//! [`enumerate`] runs every interleaving, and records its Mazurkiewicz trace and its end. It prunes
//! nothing and remembers no states: it is slow, but obviously correct. It shares no code with the
//! explorers except for [`dependence`](mazurka_core::model::dependence), whose soundness
//! [`commutation`] checks on the machine itself. It also computes which traces no observer
//! distinguishes, for `observers`; [`linearisation`] checks that these classes are consistent. For
//! `data-centric`, [`Observations`] has all observation functions.

pub mod commutation;
pub mod linearisation;
mod observation;
mod observed;
mod shared;
pub mod states;
mod trace;

use std::collections::{BTreeSet, HashMap, HashSet};

use mazurka_core::model::{Ending, Location, Machine, Performed, ProcessId, Program};
use mazurka_core::verdict::{Schedule, Violation, ViolationKind};

use crate::script::{REGISTERS, ScriptMachine, ScriptProgram, State, Status};

pub use observation::{Awaited, Observation, Observations};
pub use observed::Observed;
pub use trace::{TooLong, Trace};

/// A violation of an execution, without its position. Equivalent executions have the same
/// violations, but not in the same order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Finding {
    /// The kind of violation.
    pub kind: ViolationKind,
    /// The process that failed, if there is one.
    pub process: Option<usize>,
}

impl Finding {
    /// A data race.
    pub const DATA_RACE: Finding = Finding { kind: ViolationKind::DataRace, process: None };

    /// Returns whether processes wait forever.
    pub fn is_deadlock(&self) -> bool {
        matches!(self.kind, ViolationKind::Deadlock | ViolationKind::Livelock)
    }
}

/// The end of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The final state of the machine.
    pub state: State,
    /// Whether an assumption failed, so that the execution does not count.
    pub assumption_failed: bool,
    /// All violations.
    pub findings: BTreeSet<Finding>,
}

impl Outcome {
    /// Returns the outcome of `machine`, in which no process is enabled, after the execution
    /// `trace`.
    pub fn of(machine: &ScriptMachine, trace: &Trace) -> Self {
        let state = machine.state().clone();
        let mut findings = BTreeSet::new();
        for process in 0..state.processes() {
            if let Status::Failed(kind) = state.status(process) {
                findings.insert(Finding { kind, process: Some(process) });
            }
        }
        if trace.has_data_race() {
            findings.insert(Finding::DATA_RACE);
        }
        let ending = machine.ending();
        if let Ending::Stuck(violation) = &ending {
            findings.insert(Finding { kind: violation.kind, process: None });
        }
        Outcome { state, assumption_failed: ending == Ending::AssumptionFailed, findings }
    }

    /// Returns the part of the outcome that is observable.
    pub fn ending(&self) -> LocalOutcome {
        let mut findings = self.findings.clone();
        findings.remove(&Finding::DATA_RACE);
        let (locals, assumption_failed) = (self.state.locals(), self.assumption_failed);
        LocalOutcome { locals, assumption_failed, findings }
    }
}

/// The observable end of an execution: the local states of its processes, and its violations. Two
/// executions with the same end may leave behind different values that no process reads.
///
/// It does not include data races: unobserved writes race only in some executions of a class.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LocalOutcome {
    locals: Vec<(Status, usize, [i64; REGISTERS + 1])>,
    assumption_failed: bool,
    findings: BTreeSet<Finding>,
}

/// A trace: equivalent executions, which all end in the same way.
#[derive(Clone, Debug)]
pub struct Class {
    /// The end of these executions.
    pub outcome: Outcome,
    /// One of these executions.
    pub example: Schedule,
    /// The minimum number of preemptions of these executions: of switches away from an enabled process.
    pub preemptions: u32,
    /// The canonical form of the class of executions that no observer distinguishes from these; see
    /// [`Observed`].
    pub observed: u128,
    /// The canonical form if locations where processes wait in vain count as awaited. These classes
    /// are at least as fine.
    pub observed_with_vain_waits: u128,
    /// The canonical form if no location counts as awaited. These classes are at least as coarse.
    pub observed_without_waits: u128,
}

/// The behaviour of a program.
#[derive(Clone, Debug, Default)]
pub struct Behaviour {
    /// The number of interleavings.
    pub interleavings: u64,
    /// The traces, by their canonical forms.
    pub traces: HashMap<u128, Class>,
    /// The locations where some process waits in some execution, and continues.
    pub awaited: HashSet<Location>,
    /// The locations where some process waits at the end of some execution.
    pub awaited_in_vain: HashSet<Location>,
    /// The violations except for data races: the first failure of each interleaving, and the
    /// deadlock at its end if nothing failed.
    pub violations: BTreeSet<(ViolationKind, String)>,
}

impl Behaviour {
    /// Returns the number of classes of executions that no observer distinguishes.
    pub fn classes(&self) -> usize {
        self.traces.values().map(|class| class.observed).collect::<HashSet<_>>().len()
    }

    /// Returns whether there is a trace whose findings satisfy a condition.
    pub fn has(&self, mut condition: impl FnMut(&BTreeSet<Finding>) -> bool) -> bool {
        self.traces.values().any(|class| condition(&class.outcome.findings))
    }
}

/// The reason why a program could not be enumerated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It has more interleavings than the limit, or too many events.
    TooLarge,
    /// A process fails before its first visible action.
    FailsAtStart(Box<Violation>),
    /// Two equivalent executions ended differently: the machine or the dependence relation is
    /// wrong.
    Inconsistent(String),
}

/// Runs every interleaving of a program, if there are at most `limit`.
pub fn enumerate(program: &ScriptProgram, limit: u64) -> Result<Behaviour, Refused> {
    let machine = program.start().map_err(Refused::FailsAtStart)?;
    let trace = Trace::new(machine.processes());
    let mut enumeration = Enumeration {
        machine,
        trace,
        limit,
        performed: Performed::default(),
        has_failed: false,
        preemptions: 0,
        found: Behaviour::default(),
    };
    enumeration.run(0)?;
    // Observations of overlapping locations are not modelled.
    if !program.has_halves() {
        enumeration.observe()?;
    }
    Ok(enumeration.found)
}

struct Enumeration {
    machine: ScriptMachine,
    trace: Trace,
    limit: u64,
    performed: Performed,
    /// Whether a step of the current execution has failed.
    has_failed: bool,
    /// The number of preemptions of the current execution.
    preemptions: u32,
    found: Behaviour,
}

impl Enumeration {
    /// Runs every continuation of the current execution, which has `len` steps.
    fn run(&mut self, len: usize) -> Result<(), Refused> {
        let steps = self.machine.enabled_steps();
        if steps.is_empty() {
            return self.end();
        }
        let last = self.trace.steps().last().map(|step| step.process);
        let last = last.filter(|last| self.machine.is_enabled(*last));
        for step in steps {
            let preempts = last.is_some_and(|last| last != step.process);
            self.preemptions += u32::from(preempts);
            self.performed.clear();
            // A failed assertion ends only its own process.
            let result = self.machine.step(step, &mut self.performed);
            let had_failed = self.has_failed;
            if let Err(violation) = result {
                self.note(&violation);
                self.has_failed = true;
            }
            let waiting = self.performed.actions.iter().filter(|action| action.waits);
            self.found.awaited.extend(waiting.map(|action| action.on));
            self.trace.push(step, &self.performed).map_err(|TooLong| Refused::TooLarge)?;
            self.run(len + 1)?;
            self.machine.rewind(len).expect("scripts can always go back");
            self.trace.truncate(len);
            self.has_failed = had_failed;
            self.preemptions -= u32::from(preempts);
        }
        Ok(())
    }

    /// Records a violation, unless a failure has come before it.
    fn note(&mut self, violation: &Violation) {
        if !self.has_failed {
            self.found.violations.insert((violation.kind, violation.message.clone()));
        }
    }

    fn end(&mut self) -> Result<(), Refused> {
        self.found.interleavings += 1;
        if self.found.interleavings > self.limit {
            return Err(Refused::TooLarge);
        }
        for process in (0..self.machine.processes()).map(ProcessId::new) {
            let pending = self.machine.next(process).into_iter();
            let waiting = pending.chain(self.machine.guards(process)).filter(|action| action.waits);
            self.found.awaited_in_vain.extend(waiting.map(|action| action.on));
        }
        if let Ending::Stuck(violation) = self.machine.ending() {
            self.note(&violation);
        }
        let outcome = Outcome::of(&self.machine, &self.trace);
        let known = self.found.traces.entry(self.trace.canonical()).or_insert_with(|| Class {
            outcome: outcome.clone(),
            example: self.trace.steps().collect(),
            preemptions: self.preemptions,
            observed: 0,
            observed_with_vain_waits: 0,
            observed_without_waits: 0,
        });
        known.preemptions = known.preemptions.min(self.preemptions);
        match known.outcome == outcome {
            true => Ok(()),
            false => {
                let schedule: Schedule = self.trace.steps().collect();
                let (other, known) = (&known.example, &known.outcome);
                Err(Refused::Inconsistent(format!(
                    "{schedule} ends as {outcome:?}, and {other}, which is equivalent, as {known:?}"
                )))
            }
        }
    }
}

impl Enumeration {
    /// Computes the classes of traces that no observer distinguishes. All executions of a trace are
    /// in one class, so one of them suffices.
    fn observe(&mut self) -> Result<(), Refused> {
        let all_awaited = &self.found.awaited | &self.found.awaited_in_vain;
        let mut endings: HashMap<u128, (Schedule, LocalOutcome)> = HashMap::new();
        for class in self.found.traces.values_mut() {
            for step in class.example.steps() {
                self.performed.clear();
                let _ = self.machine.step(*step, &mut self.performed);
                let pushed = self.trace.push(*step, &self.performed);
                pushed.map_err(|TooLong| Refused::TooLarge)?;
            }
            let observed = |awaited| Observed::of(&self.trace, &self.machine, awaited).canonical();
            class.observed = observed(&self.found.awaited);
            class.observed_with_vain_waits = observed(&all_awaited);
            class.observed_without_waits = observed(&HashSet::new());
            self.machine.rewind(0).expect("scripts can always go back");
            self.trace.truncate(0);
            let ending = class.outcome.ending();
            let (other, known) = endings
                .entry(class.observed)
                .or_insert_with(|| (class.example.clone(), ending.clone()));
            if *known != ending {
                return Err(Refused::Inconsistent(format!(
                    "{} ends as {ending:?}, and {other}, from which nobody can tell it, as \
                     {known:?}",
                    class.example
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behaviour(text: &str) -> Behaviour {
        enumerate(&ScriptProgram::new(&text.parse().unwrap()).unwrap(), 10_000).unwrap()
    }

    #[test]
    fn two_writers_have_two_traces() {
        let found = behaviour("process 0 {\nwrite x0 1\n}\nprocess 1 {\nwrite x0 2\nwrite x1 1\n}");
        assert_eq!((found.interleavings, found.traces.len()), (3, 2));
    }

    #[test]
    fn independent_processes_have_one_trace() {
        let add = "{\nadd x0 1\nadd x0 1\n}";
        let found = behaviour(&format!("process 0 {add}\nprocess 1 {add}"));
        assert_eq!((found.interleavings, found.traces.len()), (6, 1));
    }

    #[test]
    fn a_lock_order_deadlock_is_found() {
        let text = "process 0 {\nlock m0\nlock m1\nunlock m1\nunlock m0\n}\n\
                    process 1 {\nlock m1\nlock m0\nunlock m0\nunlock m1\n}";
        let kinds: BTreeSet<_> =
            behaviour(text).traces.into_values().map(|c| c.outcome.findings).collect();
        let deadlock = Finding { kind: ViolationKind::Deadlock, process: None };
        assert_eq!(kinds, BTreeSet::from([BTreeSet::new(), BTreeSet::from([deadlock])]));
    }

    fn races(text: &str) -> Vec<bool> {
        let traces = behaviour(text).traces;
        traces.values().map(|class| class.outcome.findings.contains(&Finding::DATA_RACE)).collect()
    }

    #[test]
    fn an_unordered_conflict_is_a_data_race() {
        assert_eq!(races("process 0 {\nwrite d0 1\n}\nprocess 1 {\nr0 = read d0\n}"), [true, true]);
        assert_eq!(races("process 0 {\nr0 = read d0\n}\nprocess 1 {\nr0 = read d0\n}"), [false]);
    }

    #[test]
    fn what_is_ordered_does_not_race() {
        let spawned = "process 0 {\nwrite d0 1\nspawn 1\njoin 1\nwrite d0 2\n}\n\
                       process 1 {\nr0 = read d0\n}";
        assert_eq!(races(spawned), [false]);
        let critical = "{\nlock m0\nr0 = read d0\nwrite d0 r0+1\nunlock m0\n}";
        assert_eq!(races(&format!("process 0 {critical}\nprocess 1 {critical}")), [false, false]);
    }
}

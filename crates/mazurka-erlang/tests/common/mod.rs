//! Running Erlang programs.
#![allow(dead_code, unreachable_pub)]

pub mod cases;
pub mod scripts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use mazurka_core::execution::Execution;
use mazurka_core::explore::Checkable;
use mazurka_core::model::Ending;
use mazurka_core::search::{Algorithm, Monitor, Options, UnfoldingOptions};
use mazurka_core::verdict::{Bound, Restart, Verdict, Violation};
use mazurka_erlang::{Call, ErlangMachine, ErlangProgram};
use mazurka_testkit::division::divided;

/// A program of these tests, and what to call.
pub fn program(name: &str, call: &str) -> ErlangProgram {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    program_of(&directory.join(format!("{name}.erl")), call)
}

/// A file, which is compiled only once, and what to call.
pub fn program_of(file: &Path, call: &str) -> ErlangProgram {
    static COMPILED: Mutex<BTreeMap<PathBuf, ErlangProgram>> = Mutex::new(BTreeMap::new());
    let call: Call = call.parse().unwrap();
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let program = compiled.entry(file.to_owned()).or_insert_with(|| {
        let program = ErlangProgram::new(&[file.to_owned()], &[], call.clone());
        program.unwrap_or_else(|error| panic!("{error}"))
    });
    program.calling(call)
}

/// What an explorer says of a program.
pub fn verdict(program: &ErlangProgram, algorithm: Algorithm) -> Verdict {
    program.check(&exhaustive(algorithm), &mut ())
}

/// All executions of an explorer, whatever they meet, and without symmetry.
pub fn exhaustive(algorithm: Algorithm) -> Options<'static> {
    // What is left out because of cut-offs depends on which process is tried first.
    let unfolding = UnfoldingOptions { cut_offs: false, ..UnfoldingOptions::default() };
    let symmetry = Some(false);
    Options { algorithm, keep_going: true, unfolding, symmetry, ..Options::default() }
}

/// How an execution ended, as far as a program can tell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Outcome {
    /// What was printed.
    pub printed: String,
    /// What has become of each process.
    pub processes: Vec<String>,
}

/// All that the executions of a program come to.
#[derive(Debug, Default)]
pub struct Outcomes {
    /// How they end.
    pub ends: BTreeSet<Outcome>,
    /// What goes wrong in them.
    pub violations: BTreeSet<String>,
    /// Each Mazurkiewicz trace: for every event, how many events of each process happen before it.
    pub traces: BTreeSet<Vec<(usize, Vec<usize>)>>,
}

impl Monitor<ErlangMachine> for Outcomes {
    fn ended(
        &mut self,
        machine: &ErlangMachine,
        execution: &Execution,
        ending: Option<&Ending>,
        _: Option<&Violation>,
    ) {
        if ending.is_none() {
            return;
        }
        let mut processes = machine.describe_processes();
        processes.sort();
        self.ends.insert(Outcome { printed: machine.output().to_owned(), processes });
        let owners: Vec<usize> = execution.steps().map(|step| step.process.index()).collect();
        let processes = owners.iter().max().map_or(0, |last| last + 1);
        let mut trace: Vec<(usize, Vec<usize>)> = (0..owners.len())
            .map(|event| {
                let mut past = vec![0; processes];
                for earlier in (0..event).filter(|e| execution.happens_before(*e, event)) {
                    past[owners[earlier]] += 1;
                }
                (owners[event], past)
            })
            .collect();
        trace.sort();
        self.traces.insert(trace);
    }

    fn started_over(&mut self, _restart: &Restart) {
        *self = Outcomes::default();
    }
}

/// Runs all executions of an explorer.
pub fn outcomes(program: &ErlangProgram, algorithm: Algorithm) -> (Outcomes, Verdict) {
    every_outcome(program, algorithm, u64::MAX).expect("there is no limit")
}

/// Returns the message of a violation with the messages of each mailbox in alphabetical order: `observers` does
/// not distinguish orders that no receive observes.
fn without_order(message: &str) -> String {
    let is_mail = |line: &&str| line.starts_with("    it has ");
    let lines: Vec<&str> = message.lines().collect();
    let mut sorted = Vec::new();
    for part in lines.chunk_by(|a, b| is_mail(a) == is_mail(b)) {
        let mut part = part.to_vec();
        if part.first().is_some_and(is_mail) {
            part.sort_unstable();
        }
        sorted.extend(part);
    }
    sorted.join("\n")
}

/// Runs all executions of a search that is divided into many parts.
pub fn every_outcome_in_parts(
    program: &ErlangProgram,
    algorithm: Algorithm,
    most: u64,
) -> (Outcomes, Verdict) {
    let options = Options { max_executions: Some(most), ..exhaustive(algorithm) };
    let mut outcomes = Outcomes::default();
    let verdict = divided(program, 2, most, &options, &mut outcomes, |_| {});
    let violations = verdict.violations.iter().map(|violation| without_order(&violation.message));
    outcomes.violations = violations.collect();
    assert!(verdict.stopped.is_none(), "{:?}", verdict.stopped);
    (outcomes, verdict)
}

/// Runs all executions of an explorer, or returns `None` if there are more than `most`.
pub fn every_outcome(
    program: &ErlangProgram,
    algorithm: Algorithm,
    most: u64,
) -> Option<(Outcomes, Verdict)> {
    outcomes_within(program, &Options { max_executions: Some(most), ..exhaustive(algorithm) })
}

/// Runs all executions of an explorer, or returns `None` if there are more than the options allow.
pub fn outcomes_within(
    program: &ErlangProgram,
    options: &Options<'_>,
) -> Option<(Outcomes, Verdict)> {
    let mut outcomes = Outcomes::default();
    let verdict = program.check(options, &mut outcomes);
    let violations = verdict.violations.iter().map(|violation| without_order(&violation.message));
    outcomes.violations = violations.collect();
    // Executions before a restart count towards the limit, too.
    if verdict.stopped == Some(Bound::Executions) {
        return None;
    }
    assert!(verdict.is_complete(), "{:?}", verdict.violations);
    Some((outcomes, verdict))
}

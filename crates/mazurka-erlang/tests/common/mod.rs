//! Running the catalogue's Erlang programs.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::path::PathBuf;

use mazurka_core::explore::{Algorithm, Execution, Monitor, Options, explore};
use mazurka_core::model::{Ending, Program};
use mazurka_core::verdict::{Verdict, Violation};
use mazurka_erlang::{ErlangMachine, ErlangProgram};
use mazurka_report::Subject;

/// A file of the catalogue, and what to call.
pub fn program(name: &str, call: &str) -> ErlangProgram {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../programs/erlang");
    let file = directory.join(format!("{name}.erl"));
    ErlangProgram::new(&[file], &[], call.parse().unwrap())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// What an explorer says of a program.
pub fn verdict(program: &ErlangProgram, algorithm: Algorithm) -> Verdict {
    let mut machine = program.start().unwrap_or_else(|violation| panic!("{violation}"));
    let options = Options { algorithm, keep_going: true, ..Options::default() };
    explore(&mut machine, &options, &mut ())
}

/// How many executions there are, of which none may fail.
pub fn count(program: ErlangProgram, algorithm: Algorithm) -> u64 {
    let verdict = verdict(&program, algorithm);
    assert!(verdict.violations.is_empty(), "{:?}", verdict.violations);
    assert_eq!(verdict.blocked, 0, "no execution is in vain");
    verdict.executions
}

/// How an execution ended, as far as a program can tell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Outcome {
    /// What was printed.
    pub printed: String,
    /// What has become of each process.
    pub processes: Vec<String>,
    /// What went wrong.
    pub violation: Option<String>,
}

#[derive(Default)]
struct Outcomes(BTreeSet<Outcome>);

impl Monitor<ErlangMachine> for Outcomes {
    fn ended(
        &mut self,
        machine: &ErlangMachine,
        _execution: &Execution,
        ending: Option<&Ending>,
        violation: Option<&Violation>,
    ) {
        if ending.is_none() {
            return;
        }
        self.0.insert(Outcome {
            printed: machine.output().to_owned(),
            processes: machine.describe_processes(),
            violation: violation.map(|violation| violation.message.clone()),
        });
    }
}

/// All different ways in which executions end.
pub fn outcomes(program: &ErlangProgram, algorithm: Algorithm) -> BTreeSet<Outcome> {
    // What one machine learns about the program, the next one knows.
    for _ in 0..2 {
        let mut machine = program.start().unwrap_or_else(|violation| panic!("{violation}"));
        let options = Options { algorithm, keep_going: true, ..Options::default() };
        let lessons = program.lessons();
        let mut outcomes = Outcomes::default();
        let verdict = explore(&mut machine, &options, &mut outcomes);
        assert!(verdict.is_complete(), "{:?}", verdict.violations);
        if program.lessons() == lessons {
            return outcomes.0;
        }
    }
    panic!("a program teaches one thing at most")
}

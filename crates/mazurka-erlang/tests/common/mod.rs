//! Running the catalogue's Erlang programs.
#![allow(dead_code)]

use std::path::PathBuf;

use mazurka_core::explore::{Algorithm, Options, explore};
use mazurka_core::model::Program;
use mazurka_core::verdict::Verdict;
use mazurka_erlang::ErlangProgram;

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

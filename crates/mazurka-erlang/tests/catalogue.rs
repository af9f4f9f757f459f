//! The catalogue: what each explorer counts on the programs that are written in Erlang.
//!
//! `MAZURKA_LONG=1` runs the cases that take long too.

mod common;

use std::path::PathBuf;

use common::{exhaustive, program_of, verdict};
use mazurka_core::explore::Checkable;
use mazurka_core::search::{Algorithm, Options};
use mazurka_testkit::catalogue::{self, Case, Entry, Size};
use mazurka_testkit::processors::all_of;

#[test]
fn every_explorer_counts_what_the_catalogue_says() {
    let long = std::env::var("MAZURKA_LONG").is_ok_and(|value| value == "1");
    let entries = catalogue::read(catalogue::directory()).unwrap_or_else(|error| panic!("{error}"));
    let mut cases = Vec::new();
    for entry in entries.iter().filter(|entry| source(&entry.name).exists()) {
        let wanted = entry.cases.iter().filter(|case| long || case.size != Size::Long);
        cases.extend(wanted.map(|case| (entry, case)));
    }
    assert!(cases.len() > 20, "only {} cases: where is the catalogue?", cases.len());
    let mismatches = all_of(&cases, |(entry, case)| run(entry, case));
    assert!(mismatches.is_empty(), "the counts differ:\n{}", mismatches.join("\n"));
}

/// Where a program of the catalogue is.
fn source(name: &str) -> PathBuf {
    catalogue::directory().join(name).with_extension("erl")
}

fn run(entry: &Entry, case: &Case) -> Vec<String> {
    let arguments: Vec<String> = case.params.values().map(u64::to_string).collect();
    let call = format!("{}:test({})", entry.name, arguments.join(", "));
    let file = source(&entry.name);
    // Servers wait for ever, and that is no error in these counts.
    let program = program_of(&file, &call).ignore_deadlocks(case.violations.is_empty());
    let mut mismatches = Vec::new();
    for name in case.executions.keys().chain(case.at_least.keys()) {
        let Ok(algorithm) = name.parse::<Algorithm>() else { continue };
        let verdict = verdict(&program, algorithm);
        let mismatch = case.mismatch(name, verdict.executions);
        mismatches.extend(mismatch.map(|mismatch| format!("{call}, {name}: {mismatch}")));
        if case.blocked.get(name).is_some_and(|blocked| *blocked != verdict.blocked) {
            mismatches.push(format!("{call}, {name}: {} blocked", verdict.blocked));
        }
        assert!(verdict.violations.is_empty(), "{call}: {:?}", verdict.violations);
        if [Algorithm::Observers, Algorithm::Optimal].contains(&algorithm) {
            let options = Options { symmetry: Some(true), ..exhaustive(algorithm) };
            let verdict = program.check(&options, &mut ());
            let symmetric = entry.symmetric_mismatches(case, &verdict).into_iter();
            mismatches
                .extend(symmetric.map(|mismatch| format!("{call} with symmetry: {mismatch}")));
        }
    }
    mismatches
}

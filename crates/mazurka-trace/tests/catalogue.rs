//! The catalogue: the counts of each explorer on programs that are recordings.

use std::fmt::Write;

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, Options};
use mazurka_testkit::catalogue;
use mazurka_trace::TraceProgram;

#[test]
fn every_explorer_counts_what_the_catalogue_says() {
    let directory = catalogue::directory();
    let entries = catalogue::read(&directory).unwrap_or_else(|error| panic!("{error}"));
    let (mut mismatches, mut runs) = (String::new(), 0);
    for entry in &entries {
        let path = directory.join(format!("{}.trace", entry.name));
        if !path.exists() {
            continue;
        }
        let program = TraceProgram::read(&path, None).unwrap_or_else(|error| panic!("{error}"));
        for (case, algorithm) in
            entry.cases.iter().flat_map(|case| Algorithm::ALL.map(|a| (case, a)))
        {
            if !case.is_about(algorithm.name()) {
                continue;
            }
            let options = Options { algorithm, keep_going: true, ..Options::default() };
            let verdict = TraceProgram::explore(&mut program.start().unwrap(), &options, &mut ());
            runs += 1;
            let blocked = case.blocked.get(algorithm.name()).copied().unwrap_or(verdict.blocked);
            let name = &entry.name;
            if let Some(mismatch) = case.mismatch(algorithm.name(), verdict.executions) {
                let _ = writeln!(mismatches, "{name}, {algorithm}: {mismatch}");
            }
            if verdict.blocked != blocked {
                let found = verdict.blocked;
                let _ =
                    writeln!(mismatches, "{name}, {algorithm}: blocked {blocked}, found {found}");
            }
        }
    }
    assert!(runs >= 20, "only {runs} runs: where is the catalogue?");
    assert!(mismatches.is_empty(), "the counts differ from the catalogue's:\n{mismatches}");
}

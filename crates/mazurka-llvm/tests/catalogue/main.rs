//! The catalogue: what each explorer counts on the programs that are written in C.
//!
//! `MAZURKA_LONG=1` runs the cases that take long too.

mod looping;
mod spinning;

use std::path::PathBuf;

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, DataRaces, Options, UnfoldingOptions};
use mazurka_core::verdict::Verdict;
use mazurka_llvm::compile::Source;
use mazurka_llvm::{LlvmOptions, LlvmProgram};
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
    assert!(cases.len() > 90, "only {} cases: where is the catalogue?", cases.len());
    // The compiler takes most of the time, so several at once.
    let mismatches = all_of(&cases, |(entry, case)| run(entry, case)).join("\n");
    assert!(mismatches.is_empty(), "the counts differ from the catalogue's:\n{mismatches}");
}

/// Where a program of the catalogue is.
fn source(name: &str) -> PathBuf {
    catalogue::directory().join(name).with_extension("c")
}

/// Compiles a program.
fn load(source: &Source) -> Result<LlvmProgram, String> {
    load_with(source, true)
}

/// Compiles a program, to be checked with awaits or without.
fn load_with(source: &Source, awaits: bool) -> Result<LlvmProgram, String> {
    let module = source.load().map_err(|error| error.to_string())?;
    let options = LlvmOptions { awaits, ..LlvmOptions::default() };
    LlvmProgram::new(&module, options).map_err(|error| error.to_string())
}

/// Compiles a program of the catalogue with a mistake in it: one text in the place of another.
fn load_changed(name: &str, right: &str, wrong: &str) -> LlvmProgram {
    let text = std::fs::read_to_string(source(name)).unwrap();
    assert!(text.contains(right), "{name} has changed");
    let file = std::env::temp_dir().join(format!("mazurka-{}-{name}.c", std::process::id()));
    std::fs::write(&file, text.replace(right, wrong)).unwrap();
    let program = load(&Source::new([&file]));
    std::fs::remove_file(&file).unwrap();
    program.unwrap()
}

fn check(program: &LlvmProgram, options: &Options<'_>) -> Verdict {
    LlvmProgram::explore(&mut program.start().expect("it starts"), options, &mut ())
}

/// Runs one case with every explorer, and says how they differ from what is expected.
fn run(entry: &Entry, case: &Case) -> Vec<String> {
    let mut files = Source::new([source(&entry.name)]);
    files.defines = case.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let about = |what: String| format!("{} {:?}, {what}", entry.name, case.params);
    let program = match load_with(&files, entry.awaits) {
        Ok(program) => program,
        Err(error) => return vec![about(error)],
    };
    let known = |a: &Algorithm| *a != Algorithm::Naive && case.is_about(a.name());
    let mut mismatches = Vec::new();
    for algorithm in Algorithm::ALL.into_iter().filter(known) {
        // None of them races, but for those that are meant to show it.
        let data_races = DataRaces::Report;
        // What is left out because of cut-offs depends on which process is tried first.
        let unfolding = UnfoldingOptions { cut_offs: false, ..UnfoldingOptions::default() };
        let keep_going = true;
        let options =
            Options { algorithm, keep_going, data_races, unfolding, ..Options::default() };
        let verdict = check(&program, &Options { symmetry: Some(false), ..options.clone() });
        for mismatch in entry.mismatches(case, &verdict) {
            mismatches.push(about(format!("{algorithm}: {mismatch}")));
        }
        if [Algorithm::Observers, Algorithm::Optimal].contains(&algorithm) {
            let verdict = check(&program, &Options { symmetry: Some(true), ..options });
            for mismatch in entry.symmetric_mismatches(case, &verdict) {
                mismatches.push(about(format!("{algorithm} with symmetry: {mismatch}")));
            }
        }
    }
    for (order, expected) in &case.cut_off {
        if let Some(mismatch) = looping::compare(&program, order, *expected) {
            mismatches.push(about(format!("cut off by {order}: {mismatch}")));
        }
    }
    mismatches
}

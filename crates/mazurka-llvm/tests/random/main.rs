//! Random programs of the test kit, in C: every explorer counts on the machine for C what it counts on
//! the machine of the test kit.
//!
//! The test kit holds that machine to brute force. Here it is held against it that a C program has the
//! same steps, no more and no fewer, and that they depend on each other in the same way: `naive` counts
//! the interleavings of the steps, `optimal` their traces.

mod translate;

use std::fmt::Write;

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, DataRaces, Options};
use mazurka_core::verdict::{Bound, Verdict};
use mazurka_llvm::compile::Source;
use mazurka_llvm::{LlvmOptions, LlvmProgram};
use mazurka_testkit::random::{Profile, script_of};
use mazurka_testkit::script::{Script, ScriptProgram};

/// So many programs of each profile.
const PROGRAMS: usize = 40;
/// Programs with more executions are passed over.
const MOST: u64 = 3_000;

const EXPLORERS: [Algorithm; 5] = [
    Algorithm::Naive,
    Algorithm::Source,
    Algorithm::Optimal,
    Algorithm::Observers,
    Algorithm::DataCentric,
];

fn check<P: Checkable>(machine: &mut P::Machine, algorithm: Algorithm) -> Verdict {
    let options = Options {
        algorithm,
        keep_going: true,
        data_races: DataRaces::Ignore,
        max_executions: Some(MOST),
        // In C, every process is a function of its own.
        symmetry: Some(false),
        ..Options::default()
    };
    P::explore(machine, &options, &mut ())
}

/// What was counted, and what kinds of violations there are; `None` if there are too many executions.
fn outcome<P: Checkable>(
    machine: &mut P::Machine,
    algorithm: Algorithm,
) -> Option<(u64, u64, Vec<&'static str>)> {
    let verdict = check::<P>(machine, algorithm);
    if verdict.stopped == Some(Bound::Executions) {
        return None;
    }
    let mut kinds: Vec<_> = verdict.violations.iter().map(|v| v.kind.name()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    // How many executions end asleep depends on who is tried first; those are not told apart here
    // from those in which an assumption fails.
    let blocked = if algorithm == Algorithm::Source { 0 } else { verdict.blocked };
    Some((verdict.executions, blocked, kinds))
}

/// The programs of a profile that C can express, each a function of one C program.
fn scripts(profile: Profile) -> Vec<Script> {
    let all = (0..).map(|seed| script_of(profile, seed));
    all.filter_map(|script| translate::expressible(&script)).take(PROGRAMS).collect()
}

fn compare(profile: Profile) {
    let scripts = scripts(profile);
    let file =
        std::env::temp_dir().join(format!("mazurka-random-{}-{profile:?}.c", std::process::id()));
    std::fs::write(&file, translate::program(&scripts)).unwrap();
    let module = Source::new([&file]).load();
    std::fs::remove_file(&file).unwrap();
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    let (mut mismatches, mut compared) = (String::new(), 0);
    for (index, script) in scripts.iter().enumerate() {
        let arguments = vec![index.to_string()];
        // Scripts have no awaits: a failed assumption is an execution of its own.
        let options = LlvmOptions { arguments, awaits: false, ..LlvmOptions::default() };
        let in_c = LlvmProgram::new(&module, options).unwrap();
        let program = ScriptProgram::new(script).unwrap();
        for algorithm in EXPLORERS {
            let Some(expected) = outcome::<ScriptProgram>(&mut program.start().unwrap(), algorithm)
            else {
                continue;
            };
            let mut machine = in_c.start().unwrap_or_else(|violation| panic!("{violation}"));
            let found = outcome::<LlvmProgram>(&mut machine, algorithm);
            compared += 1;
            if found.as_ref() != Some(&expected) {
                let _ = writeln!(
                    mismatches,
                    "{profile:?} {index}, {algorithm}: {expected:?} expected, found {found:?}\n{script}"
                );
            }
        }
    }
    assert!(compared > PROGRAMS, "only {compared} comparisons");
    assert!(mismatches.is_empty(), "{mismatches}");
}

#[test]
fn memory() {
    compare(Profile::Memory);
}

#[test]
fn plain_memory() {
    compare(Profile::Plain);
}

#[test]
fn halves_of_variables() {
    compare(Profile::Halves);
}

#[test]
fn mutexes() {
    compare(Profile::Locks);
}

#[test]
fn reader_writer_locks() {
    compare(Profile::RwLocks);
}

#[test]
fn conditions() {
    compare(Profile::Conditions);
}

#[test]
fn choices() {
    compare(Profile::Choices);
}

#[test]
fn assumptions() {
    compare(Profile::Assumptions);
}

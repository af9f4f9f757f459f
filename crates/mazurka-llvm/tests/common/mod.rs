//! Checking C programs that are given as text.
#![allow(dead_code)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use mazurka_core::explore::Checkable;
use mazurka_core::model::{Machine, Performed, ProcessId, Program, Step};
use mazurka_core::search::{Algorithm, DataRaces, Options};
use mazurka_core::verdict::{Verdict, Violation, ViolationKind};
use mazurka_llvm::compile::Source;
use mazurka_llvm::ir::Module;
use mazurka_llvm::{LlvmMachine, LlvmOptions, LlvmProgram};

/// All explorers that every program is checked with.
pub(crate) const ALGORITHMS: [Algorithm; 7] = [
    Algorithm::Naive,
    Algorithm::Dpor,
    Algorithm::Source,
    Algorithm::Optimal,
    Algorithm::Observers,
    Algorithm::DataCentric,
    Algorithm::Unfolding,
];

/// What most programs include.
const PRELUDE: &str = "
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
void __VERIFIER_assume(int);
#line 1 \"test.c\"
";

/// Compiles a program.
pub(crate) fn program_with(text: &str, options: LlvmOptions) -> LlvmProgram {
    LlvmProgram::new(&module_of(&format!("{PRELUDE}{text}")), options).unwrap()
}

/// Compiles a text as it is to a module.
pub(crate) fn module_of(text: &str) -> Module {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let directory = std::env::temp_dir();
    let file: PathBuf = directory.join(format!("mazurka-test-{}-{number}.c", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let mut source = Source::new([&file]);
    source.flags = vec!["-w".into(), "-D_GNU_SOURCE".into()];
    let module = source.load();
    std::fs::remove_file(&file).unwrap();
    module.unwrap_or_else(|error| panic!("{error}"))
}

/// Compiles a program.
pub(crate) fn program(text: &str) -> LlvmProgram {
    program_with(text, LlvmOptions::default())
}

/// Compiles a program of the catalogue.
pub(crate) fn catalogue(name: &str, n: u32) -> LlvmProgram {
    let programs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../programs");
    let mut source = Source::new([programs.join(format!("{name}.c"))]);
    source.flags = vec!["-w".into(), format!("-DN={n}").into()];
    LlvmProgram::new(&source.load().unwrap(), LlvmOptions::default()).unwrap()
}

/// Checks a program, going on after violations.
pub(crate) fn check(program: &LlvmProgram, algorithm: Algorithm) -> Verdict {
    let options = Options {
        algorithm,
        keep_going: true,
        data_races: DataRaces::Ignore,
        ..Options::default()
    };
    match program.start() {
        Ok(mut machine) => LlvmProgram::explore(&mut machine, &options, &mut ()),
        Err(violation) => {
            Verdict { executions: 1, violations: vec![*violation], ..Verdict::default() }
        }
    }
}

/// The violations that every explorer finds: the same kinds, whoever looks.
pub(crate) fn violations(text: &str) -> Vec<Violation> {
    violations_of(&program(text))
}

/// The same of a program.
pub(crate) fn violations_of(program: &LlvmProgram) -> Vec<Violation> {
    let mut found: Option<Vec<Violation>> = None;
    for algorithm in ALGORITHMS {
        let mut violations = check(program, algorithm).violations;
        violations.sort_by(|a, b| (a.kind, &a.message).cmp(&(b.kind, &b.message)));
        let summary = |all: &[Violation]| -> Vec<(ViolationKind, String)> {
            all.iter().map(|v| (v.kind, v.message.clone())).collect()
        };
        if let Some(known) = &found {
            assert_eq!(summary(known), summary(&violations), "{algorithm}");
        }
        found = Some(violations);
    }
    found.unwrap_or_default()
}

/// Asserts that a program has one violation, whose message starts like this.
#[track_caller]
pub(crate) fn fails(text: &str, kind: ViolationKind, message: &str) {
    let violations = violations(text);
    let [violation] = &violations[..] else { panic!("one violation expected: {violations:#?}") };
    assert_eq!(violation.kind, kind, "{violation}");
    assert!(violation.message.starts_with(message), "{violation}");
}

/// Asserts that a program has no violation.
#[track_caller]
pub(crate) fn passes(text: &str) {
    let violations = violations(text);
    assert!(violations.is_empty(), "{violations:#?}");
}

/// How many executions `optimal` runs, and how many end early.
pub(crate) fn count(text: &str) -> (u64, u64) {
    let verdict = check(&program(text), Algorithm::Optimal);
    assert_eq!(verdict.violations, []);
    (verdict.executions, verdict.blocked)
}

/// A number from a seed, and the next seed.
pub(crate) fn random(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 33) as usize
}

/// Everything that an explorer can see of a machine.
pub(crate) fn view(machine: &LlvmMachine) -> String {
    let processes = (0..machine.processes()).map(ProcessId::new);
    // A machine that was further once knows more threads, none of which can do anything yet.
    let acts = |p: &ProcessId| machine.next(*p).is_some() || machine.is_enabled(*p);
    let seen = processes.filter(acts).map(|p| {
        let (enabled, ways) = (machine.is_enabled(p), machine.alternatives(p));
        format!("{p} {:?} {:?} {enabled} {ways}", machine.next(p), machine.guards(p))
    });
    let output = String::from_utf8_lossy(machine.output());
    format!("{:?} {output:?} {:?}", seen.collect::<Vec<_>>(), machine.fingerprint())
}

/// Steps that can be taken.
pub(crate) fn enabled(machine: &LlvmMachine) -> Vec<Step> {
    let processes = (0..machine.processes()).map(ProcessId::new);
    let enabled = processes.filter(|process| machine.is_enabled(*process));
    let steps = enabled.flat_map(|process| {
        (0..machine.alternatives(process)).map(move |choice| Step { process, choice })
    });
    steps.collect()
}

/// Runs at random, goes back to a random state, and compares what comes after with what came the
/// first time.
pub(crate) fn going_back_restores_everything(program: &LlvmProgram, rounds: usize) {
    let mut machine = program.start().unwrap();
    let mut seed = 1;
    let mut performed = Performed::default();
    let mut steps: Vec<Step> = Vec::new();
    let mut views = vec![view(&machine)];
    let mut actions: Vec<String> = Vec::new();
    for _ in 0..rounds {
        loop {
            let possible = enabled(&machine);
            if possible.is_empty() || steps.len() > 200 {
                break;
            }
            let step = possible[random(&mut seed) % possible.len()];
            performed.clear();
            let outcome = machine.step(step, &mut performed);
            steps.push(step);
            actions.push(format!("{performed:?} {outcome:?}"));
            views.push(view(&machine));
        }
        let back = random(&mut seed) % (steps.len() + 1);
        machine.rewind(back).unwrap();
        assert_eq!(view(&machine), views[back]);
        // The same steps lead to the same states.
        for i in back..steps.len() {
            performed.clear();
            let outcome = machine.step(steps[i], &mut performed);
            assert_eq!(format!("{performed:?} {outcome:?}"), actions[i]);
            assert_eq!(view(&machine), views[i + 1]);
        }
        let back = random(&mut seed) % (steps.len() + 1);
        machine.rewind(back).unwrap();
        steps.truncate(back);
        actions.truncate(back);
        views.truncate(back + 1);
        assert_eq!(view(&machine), views[back]);
    }
}

//! Every explorer finds the outcomes and violations that `naive` finds, on random programs in C.
//!
//! `MAZURKA_RANDOM=N` compares N programs instead of a few dozen, from the seed `MAZURKA_SEED` on.
//! `MAZURKA_TOPIC=NAME` makes all of them about one topic. A disagreement is printed with the seed, so that
//! `MAZURKA_RANDOM=1 MAZURKA_SEED=…` repeats it.

#[path = "../common/mod.rs"]
mod common;
mod generator;
mod models;
mod taken_back;
mod topics;
mod twins;
mod whole_objects;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{ALGORITHMS, going_back_restores_everything, module_of};
use mazurka_core::execution::Execution;
use mazurka_core::explore::{Checkable, Sharing};
use mazurka_core::model::{Ending, Program};
use mazurka_core::search::{Algorithm, DataRaces, Monitor, Options};
use mazurka_core::verdict::{Verdict, Violation};
use mazurka_llvm::{LlvmMachine, LlvmOptions, LlvmProgram};
use mazurka_testkit::contract::{self, Walks};
use mazurka_testkit::division::divided;

/// How many programs share one call of clang.
const BATCH: u64 = 30;
/// Programs for which `naive` runs more executions are passed over.
const MOST_EXECUTIONS: u64 = 4_000;
/// Programs with longer executions are passed over: they have a loop that changes its state.
const MOST_STEPS: usize = 200;

/// Programs on which an explorer once disagreed with `naive`, or that broke the contract. `MAZURKA_RANDOM`
/// leaves them out.
const REGRESSIONS: [u64; 13] = [
    110_155,
    111_274,
    112_274,
    77_000_055,
    77_000_705,
    88_000_224,
    99_000_137,
    560_000_188,
    560_000_871,
    970_000_952,
    1_100_000_323,
    1_300_001_002,
    1_300_001_943,
];

/// Topics with operations that `data-centric` orders, although some of them commute: waits for a condition
/// variable or a futex, and operations on reader-writer locks that are tried or timed.
const ORDERED: [&str; 5] = [
    "condition variables",
    "mutexes of C11",
    "futexes",
    "reader-writer locks",
    "misused reader-writer locks",
];

/// An explorer that takes longer for one program is not complete.
const LONGEST: Duration = Duration::from_secs(120);

/// What an explorer finds.
#[derive(Default)]
struct Findings {
    /// The exit codes of executions without a violation.
    outcomes: BTreeSet<Option<i32>>,
    /// All different violations.
    violations: BTreeSet<String>,
    /// Set as soon as an execution is too long.
    too_long: Arc<AtomicBool>,
}

impl Monitor<LlvmMachine> for Findings {
    fn ended(
        &mut self,
        machine: &LlvmMachine,
        execution: &Execution,
        ending: Option<&Ending>,
        violation: Option<&Violation>,
    ) {
        if let (Some(Ending::Finished), None) = (ending, violation) {
            self.outcomes.insert(machine.exit_code());
        }
        if execution.len() >= MOST_STEPS {
            self.too_long.store(true, Ordering::Relaxed);
        }
    }
}

/// Explores a program, with some workers that share all branches if there are several. With 0 workers, the
/// search is divided into many parts.
fn findings(
    program: &LlvmProgram,
    algorithm: Algorithm,
    workers: usize,
    most: u64,
) -> (Findings, Verdict) {
    let mut findings = Findings::default();
    let too_long = Arc::clone(&findings.too_long);
    let options = Options {
        interrupt: Some(&too_long),
        algorithm,
        keep_going: true,
        data_races: DataRaces::Ignore,
        max_executions: Some(most),
        max_depth: Some(MOST_STEPS),
        time_limit: Some(LONGEST),
        // See `twins`.
        symmetry: Some(false),
        ..Options::default()
    };
    let verdict = match workers {
        0 => divided(program, 1, most, &options, &mut findings, |_| {}),
        1 => LlvmProgram::explore(&mut program.start().unwrap(), &options, &mut findings),
        _ => {
            let workers = NonZeroUsize::new(workers).unwrap();
            let sharing = Sharing::Always { seed: most };
            program.check_with_workers(workers, sharing, &options, &mut findings)
        }
    };
    findings.violations = verdict.violations.iter().map(ToString::to_string).collect();
    (findings, verdict)
}

/// Returns what is in one set of findings only, or nothing.
fn difference<T: Ord + std::fmt::Debug>(all: &BTreeSet<T>, some: &BTreeSet<T>) -> String {
    let mut text = String::new();
    for missing in all.difference(some) {
        let _ = writeln!(text, "  it misses {missing:?}");
    }
    for strange in some.difference(all) {
        let _ = writeln!(text, "  only it finds {strange:?}");
    }
    text
}

/// Compares all explorers on a program with `naive`, which runs the program with all iterations of
/// its loops. Returns `None` if the program is too large, and otherwise the disagreements. `data-centric` may
/// run more executions than `optimal` only if `orders_more` is set.
fn compare(
    program: &LlvmProgram,
    with_all_iterations: &LlvmProgram,
    orders_more: bool,
    passed_over: &mut u64,
) -> Option<String> {
    let (all, verdict) = findings(with_all_iterations, Algorithm::Naive, 1, MOST_EXECUTIONS);
    if !verdict.is_complete() {
        return None;
    }
    let mut differences = String::new();
    let mut counts = BTreeMap::new();
    let alone = ALGORITHMS.map(|algorithm| (algorithm, 1));
    let together = ALGORITHMS.map(|algorithm| (algorithm, 3));
    let together = together.into_iter().filter(|(algorithm, _)| algorithm.shares_work());
    let in_parts = [(Algorithm::Optimal, 0), (Algorithm::DataCentric, 0)];
    for (algorithm, workers) in alone.into_iter().chain(together).chain(in_parts) {
        let (some, verdict) = findings(program, algorithm, workers, 4 * MOST_EXECUTIONS);
        let mut text = difference(&all.outcomes, &some.outcomes);
        text += &difference(&all.violations, &some.violations);
        if let Some(bound) = verdict.stopped {
            let _ = writeln!(text, "  it is not complete: {bound}");
        }
        if matches!(algorithm, Algorithm::Optimal | Algorithm::DataCentric) {
            // Parts of `optimal` do not count what they abandon.
            let blocked = if algorithm == Algorithm::Optimal { 0 } else { verdict.blocked };
            let count = (verdict.executions, blocked);
            let expected = *counts.entry(algorithm.name()).or_insert(count);
            if count != expected {
                let _ = writeln!(text, "  executions: {count:?} instead of {expected:?}");
            }
            let most = counts[Algorithm::Optimal.name()].0;
            if count.0 > most && !orders_more {
                let _ = writeln!(text, "  executions: {} instead of at most {most}", count.0);
            }
        }
        if !text.is_empty() {
            let _ = write!(differences, "{algorithm} by {workers}:\n{text}");
        }
    }
    program.set_memory_orderings(true);
    match models::compare(program, &all) {
        Some(text) => differences += &text,
        None => *passed_over += 1,
    }
    program.set_memory_orderings(false);
    Some(differences)
}

fn number(variable: &str, default: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.map_or(default, |text| text.parse().expect("the variable is a number"))
}

#[test]
fn every_explorer_finds_what_naive_finds() {
    let (first, count) = (number("MAZURKA_SEED", 1), number("MAZURKA_RANDOM", 60));
    let mut seeds: Vec<u64> = (first..first + count).collect();
    if std::env::var_os("MAZURKA_RANDOM").is_none() {
        seeds.extend(REGRESSIONS);
    }
    compare_all(&seeds, generator::program);
}

#[test]
fn every_explorer_finds_what_naive_finds_in_loops_that_count() {
    let (first, count) = (number("MAZURKA_SEED", 1), number("MAZURKA_RANDOM", 60));
    let seeds: Vec<u64> = (first..first + count).collect();
    compare_all(&seeds, generator::program_that_counts);
}

/// Compares all explorers with `naive` on the programs of some seeds.
fn compare_all(seeds: &[u64], generate: fn(u64) -> generator::Program) {
    let count = seeds.len();
    let (mut compared, mut failures, mut passed_over) = (0, 0, 0);
    for seeds in seeds.chunks(BATCH as usize) {
        let programs = seeds.iter().map(|seed| (*seed, generate(*seed)));
        // In a program that can read a clock, all waits with a time limit move that clock.
        let reads_clock =
            |program: &(u64, generator::Program)| program.1.topics.contains(&topics::TIME);
        let (timed, untimed): (Vec<_>, Vec<_>) = programs.partition(reads_clock);
        for programs in [timed, untimed] {
            let module = module_of(&generator::whole(&programs));
            for (seed, random) in &programs {
                if count == 1 {
                    println!("{:?}:\n{}", random.topics, random.text);
                }
                let options = LlvmOptions {
                    arguments: vec![seed.to_string()],
                    nondet: Some((0, 2)),
                    ..LlvmOptions::default()
                };
                let whole = LlvmOptions { awaits: false, ..options.clone() };
                let whole = LlvmProgram::new(&module, whole).unwrap();
                let program = LlvmProgram::new(&module, options).unwrap();
                let orders_more = random.topics.iter().any(|topic| ORDERED.contains(topic));
                let found = compare(&program, &whole, orders_more, &mut passed_over);
                let Some(differences) = found else { continue };
                compared += 1;
                if !differences.is_empty() {
                    failures += 1;
                    println!("seed {seed}, {:?}:\n{}{differences}", random.topics, random.text);
                }
                going_back_restores_everything(&program, 8);
                if let Err(broken) = contract::check(|| program.start(), Walks::default(), *seed) {
                    failures += 1;
                    println!("seed {seed}, {:?}:\n{}{broken}", random.topics, random.text);
                }
            }
        }
        println!(
            "{compared} programs compared up to seed {}, {passed_over} not under memory models",
            seeds[seeds.len() - 1]
        );
    }
    assert_eq!(
        failures, 0,
        "programs on which explorers disagree or that break the contract; see above"
    );
    assert!(2 * compared > count, "only {compared} of {count} programs are small enough");
}

//! Executions that differ by a permutation of threads: with one of them, explorers find what `naive` finds
//! with all.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::num::NonZeroUsize;

use mazurka_core::explore::{Checkable, Sharing};
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, DataRaces, Options};
use mazurka_core::verdict::{Verdict, ViolationKind};
use mazurka_llvm::{LlvmOptions, LlvmProgram};

use crate::common::module_of;
use crate::{
    BATCH, Findings, LONGEST, MOST_EXECUTIONS, MOST_STEPS, difference, generator, models, number,
    topics,
};

/// Explores a program with symmetry or without it.
fn findings(
    program: &LlvmProgram,
    (algorithm, symmetry): (Algorithm, bool),
    (workers, most): (usize, u64),
    data_races: DataRaces,
) -> (Findings, Verdict) {
    let mut findings = Findings::default();
    let too_long = findings.too_long.clone();
    let options = Options {
        interrupt: Some(&too_long),
        algorithm,
        keep_going: true,
        data_races,
        max_executions: Some(most),
        max_depth: Some(MOST_STEPS),
        time_limit: Some(LONGEST),
        symmetry: Some(symmetry),
        ..Options::default()
    };
    let verdict = match workers {
        1 => LlvmProgram::explore(&mut program.start().unwrap(), &options, &mut findings),
        _ => {
            let workers = NonZeroUsize::new(workers).unwrap();
            let sharing = Sharing::Always { seed: most };
            program.check_with_workers(workers, sharing, &options, &mut findings)
        }
    };
    (findings, verdict)
}

/// Returns the kinds of violations: their messages name threads.
fn kinds(verdict: &Verdict) -> BTreeSet<ViolationKind> {
    verdict.violations.iter().map(|violation| violation.kind).collect()
}

/// Compares explorers with symmetry with `naive` without it. Returns `None` if the program is too large, and
/// otherwise the disagreements, and how many executions `optimal` runs without and with symmetry.
fn compare(program: &LlvmProgram, whole: &LlvmProgram) -> Option<(String, [u64; 2])> {
    let naive = (Algorithm::Naive, false);
    let (all, verdict) = findings(whole, naive, (1, MOST_EXECUTIONS), DataRaces::Ignore);
    if !verdict.is_complete() {
        return None;
    }
    let expected = kinds(&verdict);
    // An execution that races does not count as one with an outcome.
    let races = |run, counts| {
        let verdict = findings(program, run, counts, DataRaces::Report).1;
        kinds(&verdict).contains(&ViolationKind::DataRace)
    };
    let has_race = races(naive, (1, 4 * MOST_EXECUTIONS));
    let mut differences = String::new();
    let mut sums = [0; 2];
    let runs = [
        (Algorithm::Optimal, false, 1),
        (Algorithm::Optimal, true, 1),
        (Algorithm::Optimal, true, 3),
        (Algorithm::Observers, true, 1),
        (Algorithm::Observers, true, 3),
        (Algorithm::Source, true, 1),
        (Algorithm::Dpor, true, 1),
        (Algorithm::Naive, true, 1),
    ];
    for (algorithm, symmetry, workers) in runs {
        let most = 4 * MOST_EXECUTIONS;
        let (run, counts) = ((algorithm, symmetry), (workers, most));
        let (some, verdict) = findings(program, run, counts, DataRaces::Ignore);
        let mut text = difference(&all.outcomes, &some.outcomes);
        text += &difference(&expected, &kinds(&verdict));
        if let Some(bound) = verdict.stopped {
            let _ = writeln!(text, "  it is not complete: {bound}");
        }
        if races(run, counts) != has_race {
            let _ = writeln!(text, "  there is a data race: {has_race}");
        }
        if algorithm == Algorithm::Optimal && workers == 1 {
            sums[usize::from(symmetry)] = verdict.executions;
        }
        if !text.is_empty() {
            let _ = write!(differences, "{algorithm} by {workers}, symmetry {symmetry}:\n{text}");
        }
    }
    Some((differences, sums))
}

#[test]
fn permutations_of_threads_hide_nothing() {
    let (first, count) = (number("MAZURKA_SEED", 1), number("MAZURKA_RANDOM", 60));
    let (mut compared, mut failures, mut sums) = (0, 0, [0; 2]);
    let mut graphs = [0; 2];
    let seeds: Vec<u64> = (first..first + count).collect();
    for seeds in seeds.chunks(BATCH as usize) {
        let programs = seeds.iter().map(|seed| (*seed, generator::program_with_twins(*seed)));
        let reads_clock =
            |program: &(u64, generator::Program)| program.1.topics.contains(&topics::TIME);
        let (timed, untimed): (Vec<_>, Vec<_>) = programs.partition(reads_clock);
        for programs in [timed, untimed] {
            let module = module_of(&generator::whole(&programs));
            for (seed, random) in &programs {
                if count == 1 {
                    println!("{}", random.text);
                }
                let options = LlvmOptions {
                    arguments: vec![seed.to_string()],
                    nondet: Some((0, 2)),
                    ..LlvmOptions::default()
                };
                let whole = LlvmOptions { awaits: false, ..options.clone() };
                let whole = LlvmProgram::new(&module, whole).unwrap();
                let program = LlvmProgram::new(&module, options).unwrap();
                program.set_memory_orderings(true);
                let by_graphs = models::compare_twins(&program);
                program.set_memory_orderings(false);
                let Some((mut differences, counts)) = compare(&program, &whole) else { continue };
                if let Some((others, counts)) = by_graphs {
                    differences += &others;
                    (0..2).for_each(|i| graphs[i] += counts[i]);
                }
                compared += 1;
                (0..2).for_each(|i| sums[i] += counts[i]);
                if !differences.is_empty() {
                    failures += 1;
                    println!("seed {seed}, {:?}:\n{}{differences}", random.topics, random.text);
                }
            }
        }
        println!("{compared} programs compared, {} executions, {} with symmetry", sums[0], sums[1]);
        println!("{} graphs, {} with symmetry", graphs[0], graphs[1]);
    }
    assert_eq!(
        failures, 0,
        "programs in which a permutation of threads hides something; see above"
    );
    assert!(4 * compared > count, "only {compared} of {count} programs are small enough");
}

//! The first violation that several workers report, on random programs.

use std::num::NonZeroUsize;
use std::time::Duration;

use mazurka_core::explore::{Checkable, Checkpoints, Sharing, check_with_checkpoints};
use mazurka_core::search::{Algorithm, DataRaces, Options};
use mazurka_core::verdict::{Bound, Verdict, Violation};
use mazurka_testkit::random;
use mazurka_testkit::script::{Script, ScriptProgram};

const EXPLORERS: [Algorithm; 5] = [
    Algorithm::Naive,
    Algorithm::Source,
    Algorithm::Optimal,
    Algorithm::Observers,
    Algorithm::DataCentric,
];

fn run(
    program: &ScriptProgram,
    algorithm: Algorithm,
    workers: usize,
    sharing: Sharing,
    keep_going: bool,
) -> Verdict {
    let data_races = DataRaces::Ignore;
    let options = Options { algorithm, keep_going, data_races, ..Options::default() };
    let workers = NonZeroUsize::new(workers).expect("there are workers");
    program.check_with_workers(workers, sharing, &options, &mut ())
}

/// Returns the violations as text.
fn violations(verdict: &Verdict) -> Vec<String> {
    let text = |violation: &Violation| {
        format!("{:?} {} {}", violation.kind, violation.message, violation.schedule)
    };
    verdict.violations.iter().map(text).collect()
}

/// The first worker explores alone until it has had its head start.
#[test]
fn short_searches_report_the_same_violation_with_any_number_of_workers() {
    let mut found = 0;
    for seed in 1..=200 {
        let script = random::script(seed);
        let Ok(program) = ScriptProgram::new(&script) else { continue };
        for algorithm in EXPLORERS {
            let one = run(&program, algorithm, 1, Sharing::OnDemand, false);
            if one.stopped != Some(Bound::Violation) || one.events > 20_000 {
                continue;
            }
            found += 1;
            for workers in [2, 3] {
                let more = run(&program, algorithm, workers, Sharing::OnDemand, false);
                assert_eq!(
                    violations(&more),
                    violations(&one),
                    "{algorithm}, seed {seed}:\n{script}"
                );
                assert_eq!(more.executions, one.executions, "{algorithm}, seed {seed}");
            }
        }
    }
    assert!(found > 100, "{found}");
}

/// After a violation, the other workers continue for a while, and all of them end.
#[test]
fn a_violation_that_one_of_several_workers_finds_is_reported_alone() {
    let mut found = 0;
    for seed in 1..=60 {
        let script = random::script(seed);
        let Ok(program) = ScriptProgram::new(&script) else { continue };
        for algorithm in EXPLORERS {
            let all = run(&program, algorithm, 1, Sharing::OnDemand, true);
            let known: Vec<_> = all.violations.iter().map(|it| (it.kind, &it.message)).collect();
            let one = run(&program, algorithm, 3, Sharing::Always { seed }, false);
            assert_eq!(
                one.violations.len(),
                known.len().min(1),
                "{algorithm}, seed {seed}:\n{script}"
            );
            for violation in &one.violations {
                let it = (violation.kind, &violation.message);
                assert!(known.contains(&it), "{algorithm}, seed {seed}: {it:?}\n{script}");
                found += 1;
            }
        }
    }
    assert!(found > 30, "{found}");
}

/// Helpers join a search that lasts longer than the head start, and the counts stay the same.
#[test]
fn a_long_search_is_shared() {
    let process = |index: usize| {
        let steps = " r0 = fetch_add x0 1\n".repeat(4 + index / 2);
        format!("process {index} {{\n{steps}}}\n")
    };
    let text: String = (0..3).map(process).collect();
    let script: Script = text.parse().expect("the script is valid");
    let program = ScriptProgram::new(&script).expect("the script is valid");
    let one = run(&program, Algorithm::Optimal, 1, Sharing::OnDemand, false);
    assert_eq!(one.executions, 90_090);
    for workers in [2, 4] {
        let more = run(&program, Algorithm::Optimal, workers, Sharing::OnDemand, false);
        assert_eq!((more.executions, more.blocked), (one.executions, one.blocked));
    }
}

/// Sleepers are made loose, so that workers do not keep a fork for every few executions. If they did, the
/// largest checkpoint would have 194,000 bytes instead of 18,000. The first process writes to a location,
/// and the others read it.
#[test]
fn a_saved_search_of_many_reads_is_small() {
    let read = |index: usize| format!("process {index} {{\n r0 = read x0\n}}\n");
    let reads: String = (1..=11).map(read).collect();
    let text = format!("process 0 {{\n write x0 1\n}}\n{reads}");
    let script: Script = text.parse().expect("the script is valid");
    let program = ScriptProgram::new(&script).expect("the script is valid");
    for algorithm in [Algorithm::Optimal, Algorithm::Observers] {
        let (max_executions, symmetry) = (Some(40), Some(false));
        let options = Options { algorithm, max_executions, symmetry, ..Options::default() };
        let mut largest = 0;
        let mut saved: Option<Vec<u8>> = None;
        let executions = loop {
            let mut kept = None;
            let checkpoints = Checkpoints {
                interval: Duration::from_secs(3600),
                keep: &mut |bytes| kept = Some(bytes.to_vec()),
                from: saved.as_deref(),
            };
            let workers = NonZeroUsize::new(2).expect("there are workers");
            let searched =
                check_with_checkpoints(&program, workers, &options, &mut (), checkpoints);
            let verdict = searched.expect("the search can be saved");
            if verdict.stopped.is_none() {
                break verdict.executions;
            }
            saved = kept;
            largest = largest.max(saved.as_ref().map_or(0, Vec::len));
        };
        assert_eq!(executions, 2048, "{algorithm}");
        assert!(largest < 40_000, "{algorithm}: {largest} bytes");
    }
}

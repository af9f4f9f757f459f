//! The first violation that several workers report, on random programs.

use std::num::NonZeroUsize;

use mazurka_core::explore::{Checkable, Sharing};
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
            if one.stopped != Some(Bound::Violation) || one.events > 200_000 {
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

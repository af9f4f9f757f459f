//! The explorers that sample, against the oracle, on random programs.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::time::Duration;

use mazurka_core::execution::Execution;
use mazurka_core::explore::{Checkable, Sharing};
use mazurka_core::model::{Ending, Machine, Performed, Program};
use mazurka_core::search::{Algorithm, DataRaces, Monitor, Options, SamplingOptions};
use mazurka_core::verdict::{Bound, Verdict, Violation};
use mazurka_testkit::oracle;
use mazurka_testkit::random;
use mazurka_testkit::script::{Script, ScriptProgram};

/// Collects the digests of all executions.
#[derive(Default)]
struct Digests(HashSet<u128>);

impl<M: Machine> Monitor<M> for Digests {
    fn ended(&mut self, _: &M, execution: &Execution, _: Option<&Ending>, _: Option<&Violation>) {
        self.0.insert(execution.trace_digest());
    }
}

fn options(algorithm: Algorithm, samples: u64, seed: u64) -> Options<'static> {
    let sampling = SamplingOptions { seed, samples: Some(samples), ..Default::default() };
    Options {
        algorithm,
        sampling,
        keep_going: true,
        data_races: DataRaces::Ignore,
        ..Options::default()
    }
}

fn sample(program: &ScriptProgram, algorithm: Algorithm, samples: u64, seed: u64) -> Verdict {
    program.check(&options(algorithm, samples, seed), &mut ())
}

/// The digest distinguishes exactly the traces, and samplers see only traces that exist.
#[test]
fn classes_are_traces() {
    let (mut compared, mut complete) = (0, [0; Algorithm::SAMPLERS.len()]);
    for seed in 1..=150 {
        let script = random::script(seed);
        let Ok(program) = ScriptProgram::new(&script) else { continue };
        let Ok(behaviour) = oracle::enumerate(&program, 5_000) else { continue };
        let traces = behaviour.traces.len();
        let mut digests = Digests::default();
        program.check(&options(Algorithm::Naive, 0, 0), &mut digests);
        assert_eq!(digests.0.len(), traces, "seed {seed}:\n{script}");
        compared += 1;
        for (algorithm, complete) in Algorithm::SAMPLERS.into_iter().zip(&mut complete) {
            let verdict = sample(&program, algorithm, 1_000, 7);
            let statistics = verdict.sampling.expect("a sampler has statistics");
            assert_eq!(statistics.samples, 1_000, "{algorithm}, seed {seed}");
            assert!(statistics.classes <= traces as u64, "{algorithm}, seed {seed}:\n{script}");
            assert!(!verdict.is_complete(), "{algorithm}, seed {seed}");
            *complete += usize::from(statistics.classes == traces as u64);
        }
    }
    assert!(compared > 100, "{compared}");
    // Most of these programs have few traces.
    for (algorithm, complete) in Algorithm::SAMPLERS.into_iter().zip(complete) {
        assert!(complete * 2 > compared, "{algorithm}: {complete} of {compared}");
    }
}

#[test]
fn a_seed_describes_the_samples() {
    let program = ScriptProgram::new(&random::script(11)).unwrap();
    for algorithm in Algorithm::SAMPLERS {
        let digests = |seed| {
            let mut digests = Digests::default();
            program.check(&options(algorithm, 20, seed), &mut digests);
            digests.0
        };
        assert_eq!(digests(3), digests(3), "{algorithm}");
    }
}

/// Returns everything in a verdict that does not depend on time.
fn facts(verdict: &Verdict) -> impl PartialEq + std::fmt::Debug {
    let facts = |violation: &Violation| {
        let Violation { kind, message, schedule, execution, accesses, .. } = violation.clone();
        (kind, message, schedule.to_string(), execution, accesses)
    };
    (
        (verdict.executions, verdict.blocked, verdict.events, verdict.max_depth),
        verdict.violations.iter().map(facts).collect::<Vec<_>>(),
        verdict.warnings.iter().map(facts).collect::<Vec<_>>(),
        verdict.stopped,
        verdict.sampling,
        verdict.notes.clone(),
    )
}

#[test]
fn any_number_of_workers_finds_the_same() {
    let mut violations = 0;
    for seed in 1..=16 {
        let script = random::script(seed);
        let Ok(program) = ScriptProgram::new(&script) else { continue };
        for algorithm in Algorithm::SAMPLERS {
            let all = options(algorithm, 600, seed);
            let reports = Options { data_races: DataRaces::Report, ..all.clone() };
            let settings = [
                Options { keep_going: false, ..reports.clone() },
                Options { data_races: DataRaces::Warn, ..all.clone() },
                Options { max_executions: Some(433), preemption_bound: Some(2.into()), ..reports },
                Options { max_depth: Some(5), max_executions: Some(300), ..all },
            ];
            let options = &settings[seed as usize % settings.len()];
            let run = |workers: usize| {
                let workers = NonZeroUsize::new(workers).unwrap();
                program.check_with_workers(workers, Sharing::OnDemand, options, &mut ())
            };
            let one = run(1);
            violations += one.violations.len();
            for workers in [2, 3] {
                let more = run(workers);
                assert_eq!(facts(&more), facts(&one), "{algorithm}, seed {seed}:\n{script}");
            }
        }
    }
    assert!(violations > 10, "{violations}");
}

/// The first violation is that of the sample with the least index, even if another worker finds one
/// earlier.
#[test]
fn the_first_violation_is_that_of_the_first_sample() {
    // The assertion fails only if process 1 reads after each write: in one of 1024 random walks.
    let writes: String = (1..=5).map(|value| format!(" write x0 {value}\n")).collect();
    let reads: String =
        (1..5).map(|value| format!(" r0 = read x0\n if r0 == {value} {{\n")).collect();
    let ends = " }\n".repeat(4);
    let last = " r0 = read x0\n if r0 == 5 {\n assert r0 == 0\n }\n";
    let text = format!("process 0 {{\n{writes}}}\nprocess 1 {{\n{reads}{last}{ends}}}\n");
    let script: Script = text.parse().unwrap();
    let program = ScriptProgram::new(&script).unwrap();
    let mut late = 0;
    for seed in 1..=12 {
        let options = Options { keep_going: false, ..options(Algorithm::Random, 20_000, seed) };
        let run = |workers: usize| {
            let workers = NonZeroUsize::new(workers).unwrap();
            program.check_with_workers(workers, Sharing::OnDemand, &options, &mut ())
        };
        let one = run(1);
        late += u32::from(one.executions > 256 && !one.violations.is_empty());
        assert_eq!(facts(&run(3)), facts(&one), "seed {seed}");
    }
    assert!(late > 3, "{late}");
}

#[test]
fn samples_stop_at_limits() {
    let program = ScriptProgram::new(&random::script(11)).unwrap();
    for algorithm in Algorithm::SAMPLERS {
        let unlimited = options(algorithm, u64::MAX, 0);
        let few = Options { max_executions: Some(30), ..unlimited.clone() };
        let verdict = program.check(&few, &mut ());
        assert_eq!(
            (verdict.executions + verdict.blocked, verdict.stopped),
            (30, Some(Bound::Executions))
        );
        let short = Options { time_limit: Some(Duration::from_millis(20)), ..unlimited };
        assert_eq!(program.check(&short, &mut ()).stopped, Some(Bound::Time));
    }
}

/// The violation needs the reversal of the first race, which a depth-first search reaches only after
/// all orders of the other processes.
#[test]
fn scouts_find_what_a_depth_first_search_reaches_late() {
    let mut text =
        "process 0 {\n write x0 1\n}\nprocess 1 {\n r0 = read x0\n assert r0 == 1\n}\n".to_owned();
    for process in 2..9 {
        text.push_str(&format!("process {process} {{\n r0 = fetch_add x1 1\n}}\n"));
    }
    let script: Script = text.parse().unwrap();
    let program = ScriptProgram::new(&script).unwrap();
    for algorithm in [Algorithm::Source, Algorithm::Optimal, Algorithm::Observers] {
        let run = |scouts| {
            // The other processes are symmetric, and have one order but for permutations.
            let symmetry = Some(false);
            let options = Options { algorithm, scouts, symmetry, ..Options::default() };
            program.check(&options, &mut ())
        };
        let alone = run(false);
        assert!(alone.executions > 5_000, "{algorithm}: {alone:?}");
        assert_eq!((alone.violations.len(), alone.stopped), (1, Some(Bound::Violation)));
        let scouted = run(true);
        assert_eq!(scouted.executions, 1_000, "{algorithm}");
        assert!((1..=10).contains(&scouted.scouts), "{algorithm}: {}", scouted.scouts);
        assert_eq!(scouted.stopped, Some(Bound::Violation));
        assert_eq!(scouted.violations[0].kind, alone.violations[0].kind);
        // The schedule leads to the violation.
        let mut machine = program.start().unwrap();
        let mut performed = Performed::default();
        let (last, steps) = scouted.violations[0].schedule.steps().split_last().unwrap();
        for step in steps {
            performed.clear();
            machine.step(*step, &mut performed).unwrap();
        }
        assert!(machine.step(*last, &mut performed).is_err());
    }
}

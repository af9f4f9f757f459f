//! A search that is divided into parts, which are explored in any order, runs the executions of a whole
//! search. Parts may come from anywhere.

use mazurka_core::explore::{Division, Explored, Part, check, explore_part};
use mazurka_core::memory::MemoryModel;
use mazurka_core::search::{Algorithm, Coherence, Options};
use mazurka_core::verdict::Verdict;
use mazurka_testkit::graphs::program::Litmus;
use mazurka_testkit::graphs::random::{Profile, program};
use mazurka_testkit::random;
use mazurka_testkit::script::ScriptProgram;

/// Explores all parts, each for a few executions, and returns the numbers of executions, and of
/// executions that ended early.
fn explore(program: &Litmus, options: &Options<'_>, few: u64, mut random: u64) -> (u64, u64) {
    let options = Options { max_executions: Some(few), ..options.clone() };
    let mut open = vec![Part::whole(program, &options).expect("it can be divided").to_bytes()];
    let mut counts = (0, 0);
    let mut division = Division::default();
    while !open.is_empty() {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let part = open.swap_remove((random >> 33) as usize % open.len());
        let part = Part::from_bytes(&part).expect("it was written in this way");
        let explored = explore_part(program, &part, &options, &mut ()).expect("the part fits");
        if explored.starts_over.is_some() {
            open.clear();
            counts = (0, 0);
        }
        let Verdict { executions, blocked, .. } = explored.verdict;
        counts = (counts.0 + executions, counts.1 + blocked);
        let parts = division.settle(&part, explored.rest, 1 + few as usize % 3);
        open.extend(parts.iter().map(Part::to_bytes));
    }
    counts
}

fn compare(profile: Profile) {
    for seed in 0..40 {
        let program = program(profile, seed);
        let models = MemoryModel::ALL.into_iter().flat_map(|model| {
            [None, Some(Coherence::Total)].map(|coherence| (Algorithm::Graphs, model, coherence))
        });
        for (algorithm, memory_model, coherence) in
            models.chain([(Algorithm::Naive, MemoryModel::Sc, None)])
        {
            let keep_going = true;
            let options =
                Options { algorithm, memory_model, coherence, keep_going, ..Options::default() };
            let limited = Options { max_executions: Some(3_000), ..options.clone() };
            let whole = check(&program, &limited, &mut ());
            if !whole.is_complete() {
                continue;
            }
            for few in [1, 2, 7] {
                let counts = explore(&program, &options, few, seed);
                assert_eq!(
                    counts,
                    (whole.executions, whole.blocked),
                    "{algorithm} {memory_model} {coherence:?}, {few} executions for each part\n{program}"
                );
            }
        }
    }
}

#[test]
fn loads_and_stores() {
    compare(Profile::Memory);
}

#[test]
fn read_modify_writes() {
    compare(Profile::Updates);
}

#[test]
fn locks_and_joins() {
    compare(Profile::Locks);
}

#[test]
fn spin_loops() {
    compare(Profile::Awaits);
}

#[test]
fn damaged_parts_of_optimal_do_no_harm() {
    damaged_parts_do_no_harm(Algorithm::Optimal);
}

#[test]
fn damaged_parts_of_data_centric_do_no_harm() {
    damaged_parts_do_no_harm(Algorithm::DataCentric);
}

/// Parts and results with some bytes changed are refused or explored, but nothing panics.
fn damaged_parts_do_no_harm(algorithm: Algorithm) {
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut refused, mut explored) = (0, 0);
    for seed in 0..600 {
        let Ok(program) = ScriptProgram::new(&random::script(seed)) else { continue };
        let options = Options {
            algorithm,
            keep_going: true,
            max_executions: Some(3),
            max_depth: Some(200),
            ..Options::default()
        };
        let mut open = vec![Part::start()];
        let mut division = Division::default();
        for _ in 0..20 {
            if open.is_empty() {
                break;
            }
            let part = open.swap_remove(rng.usize(..open.len()));
            let found = explore_part(&program, &part, &options, &mut ()).expect("the part fits");
            let mut damage = |bytes: &mut Vec<u8>| {
                for _ in 0..rng.usize(1..4) {
                    let place = rng.usize(..bytes.len());
                    let most = if rng.bool() { 4 } else { 255 };
                    bytes[place] = rng.u8(..most);
                }
            };
            let mut bytes = part.to_bytes();
            damage(&mut bytes);
            match Part::from_bytes(&bytes).map(|it| explore_part(&program, &it, &options, &mut ()))
            {
                Ok(Ok(_)) => explored += 1,
                _ => refused += 1,
            }
            let mut bytes = found.to_bytes();
            damage(&mut bytes);
            if let Ok(Explored { rest, starts_over: None, .. }) = Explored::from_bytes(&bytes) {
                let left = Division::default().settle(&part, rest, usize::MAX);
                for part in left.iter().take(3) {
                    let _ = explore_part(&program, part, &options, &mut ());
                }
            }
            if found.starts_over.is_none() {
                open.extend(division.settle(&part, found.rest, 3));
            }
        }
    }
    assert!(refused > 100 && explored > 100, "{refused} refused, {explored} explored");
}

//! A search that is divided into parts, which are explored in any order, runs the executions of a whole
//! search.

use mazurka_core::explore::{Part, check, explore_part};
use mazurka_core::memory::MemoryModel;
use mazurka_core::search::{Algorithm, Coherence, Options};
use mazurka_core::verdict::Verdict;
use mazurka_testkit::graphs::program::Litmus;
use mazurka_testkit::graphs::random::{Profile, program};

/// Explores all parts, each for a few executions, and returns the numbers of executions, and of
/// executions that ended early.
fn explore(program: &Litmus, options: &Options<'_>, few: u64, mut random: u64) -> (u64, u64) {
    let options = Options { max_executions: Some(few), ..options.clone() };
    let mut open = vec![Part::whole(program, &options).expect("it can be divided").to_bytes()];
    let mut counts = (0, 0);
    while !open.is_empty() {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let part = open.swap_remove((random >> 33) as usize % open.len());
        let part = Part::from_bytes(&part).expect("it was written in this way");
        let explored = explore_part(program, &part, &options).expect("the part fits");
        if explored.starts_over.is_some() {
            open.clear();
            counts = (0, 0);
        }
        let Verdict { executions, blocked, .. } = explored.verdict;
        counts = (counts.0 + executions, counts.1 + blocked);
        let parts = explored.rest.into_iter().flat_map(|rest| rest.divide(1 + few as usize % 3));
        open.extend(parts.map(|part| part.to_bytes()));
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

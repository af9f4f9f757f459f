//! `graphs` with symmetry, on random programs with threads that are interchangeable: it counts exactly one graph
//! of each orbit, under every memory model, with total and with observed coherence. The graphs are enumerated by
//! brute force, or by `graphs` without symmetry if there are too many candidates.
//!
//! `MAZURKA_PROGRAMS` says how many programs of each profile there are, and `MAZURKA_SEED` which.

use mazurka_core::memory::MemoryModel;
use mazurka_core::model::MemoryOrdering;
use mazurka_core::search::Coherence;
use mazurka_testkit::graphs::compare::{Graphs, consistent, count, learns_order_of_arrivals};
use mazurka_testkit::graphs::program::{Instruction, Litmus, Value};
use mazurka_testkit::graphs::random::{Profile, symmetric};
use mazurka_testkit::graphs::symmetry::{Comparison, compare, counted, without_symmetry};
use mazurka_testkit::setting;

/// Programs with more candidates are enumerated by `graphs`.
const CANDIDATES: u64 = 4_000;

/// Programs with more graphs are skipped.
const GRAPHS: usize = 2_000;

fn all_graphs(program: &Litmus, model: MemoryModel) -> Graphs {
    match count(program, CANDIDATES) < CANDIDATES {
        true => consistent(program, model, learns_order_of_arrivals(program, model)),
        false => without_symmetry(program, model),
    }
}

fn compare_all(profile: Profile) {
    let (seed, programs) = (setting("MAZURKA_SEED", 1), setting("MAZURKA_PROGRAMS", 12));
    println!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS={programs}");
    for model in MemoryModel::ALL {
        let (mut all, mut sums) = (0, [[0; 2]; 2]);
        for seed in (0..programs).map(|i| seed.wrapping_add(i)) {
            let program = symmetric(profile, seed);
            let graphs = all_graphs(&program, model);
            if graphs.len() > GRAPHS {
                continue;
            }
            all += graphs.len();
            for (i, coherence) in [Coherence::Total, Coherence::Observed].into_iter().enumerate() {
                let repeat = format!("{profile:?} MAZURKA_SEED={seed} MAZURKA_PROGRAMS=1");
                let found = compare(&program, &graphs, model, coherence);
                if let Some(difference) = &found.difference {
                    panic!("{repeat}:\n{difference}{program}");
                }
                assert_eq!(
                    found.graphs, found.orbits,
                    "{repeat} {model} {coherence:?}: several graphs of an orbit count\n{program}"
                );
                sums[i] = [sums[i][0] + found.orbits, sums[i][1] + found.blocked];
            }
        }
        let [[total, blocked], [observed, also_blocked]] = sums;
        println!(
            "{model}: {all} graphs, {total} orbits, {blocked} blocked; observed: {observed} orbits, \
             {also_blocked} blocked"
        );
    }
}

#[test]
fn loads_and_stores() {
    compare_all(Profile::Memory);
}

#[test]
fn read_modify_writes() {
    compare_all(Profile::Updates);
}

#[test]
fn locks_and_joins() {
    compare_all(Profile::Locks);
}

#[test]
fn spin_loops() {
    compare_all(Profile::Awaits);
}

#[test]
fn loops() {
    compare_all(Profile::Loops);
}

#[test]
fn barriers() {
    compare_all(Profile::Barriers);
}

#[test]
fn everything_together() {
    compare_all(Profile::Mixed);
}

const RELAXED: MemoryOrdering = MemoryOrdering::Relaxed;

fn load(from: u32, register: usize) -> Instruction {
    Instruction::Load { from, ordering: Some(RELAXED), register }
}

fn store(to: u32, value: u64) -> Instruction {
    Instruction::Store { to, ordering: Some(RELAXED), value: Value::Number(value) }
}

fn found(program: &Litmus, model: MemoryModel) -> Comparison {
    let found = compare(program, &without_symmetry(program, model), model, Coherence::Total);
    assert_eq!(found.difference, None, "{program}");
    found
}

/// The second of two loads may be the reason for the store from which the first one reads, although the second
/// one reads from a later store. Then the threads cannot be sorted by what they read.
#[test]
fn a_load_may_depend_on_one_that_reads_from_a_later_store() {
    let twin = vec![load(0, 0), store(1, 1)];
    let other =
        vec![load(1, 0), Instruction::Unless { register: 0, holds: 1, skip: 1 }, store(0, 1)];
    let threads = vec![twin.clone(), twin, other, vec![store(0, 2)]];
    let program = Litmus { threads };
    for model in MemoryModel::ALL {
        let found = found(&program, model);
        assert_eq!(found.graphs, found.orbits, "{model}\n{program}");
    }
}

/// A compare-exchange of the third thread may read from the store of the second one. By then, the coherence order
/// that the graph keeps may have a store last that must come before it, and the addition reads from that store.
/// Then the addition was not added maximally, and must not be revisited.
#[test]
fn a_read_is_maximal_in_an_order_that_fits_the_exchange_that_revisits_it() {
    let at = 0;
    let exchange = Instruction::Exchange {
        at,
        expected: 1,
        new: 0,
        success: MemoryOrdering::Acquire,
        failure: RELAXED,
        register: 1,
    };
    let add =
        Instruction::Add { to: at, ordering: MemoryOrdering::Release, amount: 1, register: 2 };
    let mut threads = vec![vec![add]];
    threads.extend(vec![vec![store(at, 1), exchange]; 3]);
    let program = Litmus { threads };
    for model in MemoryModel::ALL {
        let graphs = without_symmetry(&program, model);
        let found = compare(&program, &graphs, model, Coherence::Observed);
        assert_eq!(found.difference, None, "{program}");
        assert_eq!(found.graphs, found.orbits, "{model}\n{program}");
    }
}

/// Each of `n` loads reads from the initial value or from one of `n` stores. The stores are interchangeable, and so
/// are the loads. So an orbit is the multiset of the numbers of loads that read from one store: a partition of the
/// number of loads that do not read the initial value.
#[test]
fn orbits_of_stores_and_loads_are_partitions() {
    for (n, partitions) in [(1, 2), (2, 4), (3, 7), (4, 12), (5, 19)] {
        let mut threads = vec![vec![store(0, 1)]; n];
        threads.extend(vec![vec![load(0, 0)]; n]);
        let program = Litmus { threads };
        for model in MemoryModel::ALL {
            let counted = counted(&program, model, Coherence::Observed);
            assert_eq!(counted, partitions, "{model}\n{program}");
        }
    }
}

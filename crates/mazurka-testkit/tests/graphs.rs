//! `graphs` against brute force: on random programs it visits every execution graph that the memory
//! model allows, once, and no other.
//!
//! `MAZURKA_PROGRAMS` says how many programs of each profile there are, and `MAZURKA_SEED` which.

use mazurka_core::memory::MemoryModel;
use mazurka_core::model::MemoryOrdering;
use mazurka_core::search::{Algorithm, Coherence};
use mazurka_testkit::graphs::compare::{count, difference, final_registers, not_replayed, observe};
use mazurka_testkit::graphs::program::{Instruction, Litmus, Value};
use mazurka_testkit::graphs::random::{Profile, program};
use mazurka_testkit::setting;

/// Programs with more candidates are skipped.
const CANDIDATES: u64 = 4_000;

/// Removes instructions for as long as the two still differ.
fn shrink(program: &Litmus, differ: impl Fn(&Litmus) -> bool) -> Litmus {
    let mut smallest = program.clone();
    loop {
        let mut smaller = None;
        for thread in 0..smallest.threads.len() {
            for at in 0..smallest.threads[thread].len() {
                let mut candidate = smallest.clone();
                candidate.threads[thread].remove(at);
                if smaller.is_none() && differ(&candidate) {
                    smaller = Some(candidate);
                }
            }
        }
        match smaller {
            Some(smaller) => smallest = smaller,
            None => return smallest,
        }
    }
}

fn compare(profile: Profile) {
    let (seed, programs) = (setting("MAZURKA_SEED", 1), setting("MAZURKA_PROGRAMS", 60));
    println!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS={programs}");
    let mut skipped = 0;
    for seed in (0..programs).map(|i| seed.wrapping_add(i)) {
        let program = program(profile, seed);
        if count(&program, CANDIDATES) >= CANDIDATES {
            skipped += 1;
            continue;
        }
        for model in MemoryModel::ALL {
            if difference(&program, model).is_some() {
                let smallest = shrink(&program, |smaller| difference(smaller, model).is_some());
                let difference = difference(&smallest, model).unwrap_or_default();
                panic!(
                    "{profile:?} MAZURKA_SEED={seed} MAZURKA_PROGRAMS=1:\n{difference}{smallest}"
                );
            }
            if let Some(graph) = not_replayed(&program, model, Coherence::Total) {
                panic!(
                    "{profile:?} MAZURKA_SEED={seed} MAZURKA_PROGRAMS=1 {model}:\n{graph}{program}"
                );
            }
        }
    }
    println!("{skipped} of {programs} skipped");
    assert!(skipped <= programs / 2, "{skipped} of {programs} programs were skipped");
}

/// Compares observed coherence with brute force.
fn compare_observed(profile: Profile) {
    let (seed, programs) = (setting("MAZURKA_SEED", 1), setting("MAZURKA_PROGRAMS", 60));
    println!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS={programs}");
    let (mut skipped, mut restarts) = (0, 0);
    for seed in (0..programs).map(|i| seed.wrapping_add(i)) {
        let program = program(profile, seed);
        if count(&program, CANDIDATES) >= CANDIDATES {
            skipped += 1;
            continue;
        }
        for model in MemoryModel::ALL {
            let repeat = format!("{profile:?} MAZURKA_SEED={seed} MAZURKA_PROGRAMS=1");
            let difference = |smaller: &Litmus| observe(smaller, model).difference;
            let observation = observe(&program, model);
            restarts += u32::from(observation.starts_over);
            if observation.difference.is_some() {
                let smallest = shrink(&program, |smaller| difference(smaller).is_some());
                let text = difference(&smallest).unwrap_or_default();
                panic!("{repeat}:\n{text}{smallest}");
            }
            let replayed = not_replayed(&program, model, Coherence::Observed);
            assert_eq!(replayed, None, "{repeat} {model}\n{program}");
        }
    }
    println!("{skipped} of {programs} skipped, {restarts} started over");
    assert!(skipped <= programs / 2, "{skipped} of {programs} programs were skipped");
}

#[test]
fn observed_loads_and_stores() {
    compare_observed(Profile::Memory);
}

#[test]
fn observed_read_modify_writes() {
    compare_observed(Profile::Updates);
}

#[test]
fn observed_locks_and_joins() {
    compare_observed(Profile::Locks);
}

#[test]
fn observed_spin_loops() {
    compare_observed(Profile::Awaits);
}

#[test]
fn observed_loops() {
    compare_observed(Profile::Loops);
}

#[test]
fn observed_barriers() {
    compare_observed(Profile::Barriers);
}

#[test]
fn observed_everything_together() {
    compare_observed(Profile::Mixed);
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
fn loops() {
    compare(Profile::Loops);
}

#[test]
fn barriers() {
    compare(Profile::Barriers);
}

#[test]
fn everything_together() {
    compare(Profile::Mixed);
}

/// A join that comes after a read must not order the read when a write revisits it.
#[test]
fn a_join_after_a_revisited_read_does_not_order_it() {
    let program = program(Profile::Locks, 900_119);
    for model in MemoryModel::ALL {
        assert_eq!(difference(&program, model), None, "{program}");
    }
}

/// A loop that has missed an exchange of equal values would read again.
#[test]
fn an_exchange_of_equal_values_may_be_missed() {
    let program = program(Profile::Loops, 71_000_157);
    for model in MemoryModel::ALL {
        assert_eq!(difference(&program, model), None, "{program}");
        assert_eq!(observe(&program, model).difference, None, "{program}");
    }
}

/// A read of a read-modify-write may be there without its write: the read was revisited, and keeps its stamp.
#[test]
fn a_read_without_its_write_does_not_follow_a_write() {
    let program = program(Profile::Awaits, 510_030_007);
    for model in MemoryModel::ALL {
        assert_eq!(difference(&program, model), None, "{program}");
        assert_eq!(observe(&program, model).difference, None, "{program}");
    }
}

/// The second thread overtakes the first one, and its load is carried over when the third one overtakes it,
/// too. The store of the last thread must still revisit the load.
#[test]
fn a_load_that_is_carried_over_is_revisited() {
    let ordering = MemoryOrdering::SeqCst;
    let add = Instruction::Add { to: 0, ordering, amount: 1, register: 0 };
    let load = Instruction::Load { from: 1, ordering: Some(ordering), register: 1 };
    let store = Instruction::Store { to: 1, ordering: Some(ordering), value: Value::Number(1) };
    let threads = vec![vec![add], vec![add, load], vec![add], vec![store]];
    let program = Litmus { threads };
    for model in MemoryModel::ALL {
        assert_eq!(difference(&program, model), None, "{program}");
        assert_eq!(observe(&program, model).difference, None, "{program}");
    }
}

/// The third thread may be blocked at two stores to its location. Each time, the coherence order that the graph
/// keeps must have that store last: the other order is a cycle of `psc`, which the load of the last thread meets.
#[test]
fn a_blocked_read_changes_the_coherence_order_that_a_graph_keeps() {
    let (ordering, register) = (MemoryOrdering::SeqCst, 0);
    let load = |from| Instruction::Load { from, ordering: Some(ordering), register };
    let store = |to, value| Instruction::Store {
        to,
        ordering: Some(ordering),
        value: Value::Number(value),
    };
    let wait = Instruction::Wait { from: 0, ordering, value: 0 };
    let threads = vec![
        vec![store(0, 1), store(1, 1)],
        vec![store(0, 2), store(2, 1)],
        vec![load(1), load(2), wait],
        vec![store(0, 0)],
        vec![load(0)],
    ];
    let program = Litmus { threads };
    for model in MemoryModel::ALL {
        assert_eq!(observe(&program, model).difference, None, "{program}");
    }
}

/// A trace orders a read with all writes to its location, and so says which of them it reads from. So under
/// `sc` there is one graph for each Mazurkiewicz trace.
#[test]
fn sc_has_a_graph_for_each_trace() {
    let (seed, programs) = (setting("MAZURKA_SEED", 1), setting("MAZURKA_PROGRAMS", 60));
    for profile in [Profile::Memory, Profile::Updates, Profile::Locks] {
        for seed in (0..programs).map(|i| seed.wrapping_add(i)) {
            let program = program(profile, seed);
            let graphs = final_registers(&program, Algorithm::Graphs);
            let traces = final_registers(&program, Algorithm::Optimal);
            assert_eq!(graphs, traces, "{profile:?} MAZURKA_SEED={seed}\n{program}");
        }
    }
}

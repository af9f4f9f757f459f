//! Random programs over everything that the crate offers to threads: every explorer must reach
//! exactly the outcomes and violations that `naive` reaches.
//!
//! * [`program`] is what a program can do, as a tree of statements.
//! * [`generate`] makes a program from a seed.
//! * [`objects`] and [`act`] run it, and log what each thread has seen.
//! * [`compare`] explores it with every explorer, and [`models`] under memory models.
//! * [`variable`] has the memory orderings of its atomics.
//! * [`shrink`] reduces a program on which two explorers disagree.
//!
//! Actors have random programs of their own, in `tests/random_actors.rs`.

mod act;
mod await_in;
mod compare;
mod generate;
mod models;
mod objects;
mod program;
mod shrink;
mod variable;

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use crate::rt::mutation;
use compare::{Comparison, disagreement};
use program::{Do, Program};

/// Compares the explorers on the programs of `seeds`, and returns how many had at most `limit`
/// interleavings.
///
/// # Panics
///
/// If an explorer disagrees with `naive` on some of them. The smallest programs for which that is
/// so are printed.
fn compare_all(seeds: Range<u64>, limit: u64, of: impl Fn(u64) -> Program) -> u64 {
    let (mut compared, mut failed) = (0, Vec::new());
    for seed in seeds {
        let program = of(seed);
        match disagreement(&program, limit) {
            Comparison::TooLarge => {}
            Comparison::Agreement => compared += 1,
            Comparison::Disagreement(what) => {
                failed.push(seed);
                report(seed, &program, &what, limit);
            }
        }
    }
    assert!(failed.is_empty(), "explorers disagree on the programs of the seeds {failed:?}");
    compared
}

fn report(seed: u64, program: &Program, what: &str, limit: u64) {
    let smallest = shrink::shrink(program, limit);
    match disagreement(&smallest, limit) {
        Comparison::Disagreement(what) => println!("seed {seed}: {what}\n{smallest:?}"),
        _ => println!("seed {seed}: {what}\n{program:?}"),
    }
}

#[test]
fn explorers_agree_on_random_programs() {
    let compared = compare_all(0..66, 300, generate::program);
    assert!(compared > 20, "only {compared} programs are small enough");
}

/// `data-centric` may count several locations as one, but a data race needs two accesses to the same
/// location.
#[test]
fn locations_that_count_as_one_do_not_race() {
    let threads = vec![vec![], vec![Do::Set(2), Do::WaitOnce]];
    let program = Program { threads, many: None, bound: None, joins: true, spurious: false };
    if let Comparison::Disagreement(what) = disagreement(&program, 300) {
        panic!("{what}");
    }
}

/// `MAZURKA_TEST_SEEDS=FROM..TO` or `MAZURKA_TEST_SEEDS=COUNT` says which programs to compare, and
/// `MAZURKA_TEST_THEME=spins` or `twins` that all are to have spin loops, or threads of `spawn_many`.
#[test]
#[ignore = "takes minutes"]
fn explorers_agree_on_many_random_programs() {
    let seeds = std::env::var("MAZURKA_TEST_SEEDS").unwrap_or_else(|_| "5000".to_owned());
    let (from, to) = seeds.split_once("..").unwrap_or(("0", &seeds));
    let number = |text: &str| text.parse().expect("MAZURKA_TEST_SEEDS is COUNT or FROM..TO");
    let of = match std::env::var("MAZURKA_TEST_THEME").as_deref() {
        Ok("spins") => generate::spinning,
        Ok("twins") => generate::with_twins,
        _ => generate::program,
    };
    let compared = compare_all(number(from)..number(to), 3_000, of);
    println!("compared the explorers on {compared} programs");
}

#[test]
fn explorers_agree_on_random_spin_loops() {
    let compared = compare_all(0..60, 300, generate::spinning);
    assert!(compared > 20, "only {compared} programs are small enough");
}

/// With one execution of each orbit, explorers see what `naive` sees with all.
#[test]
fn explorers_agree_on_random_programs_with_twins() {
    let compared = compare_all(0..100, 600, generate::with_twins);
    assert!(compared > 30, "only {compared} programs are small enough");
}

/// Threads do what the machine says of them; see `mazurka_testkit::contract`.
#[test]
fn random_programs_keep_the_contract() {
    let mut failed = Vec::new();
    let programs = (0..150).map(|seed| (seed, generate::program(seed)));
    let spinning = (0..100).map(|seed| (seed, generate::spinning(seed)));
    let twins = (0..100).map(|seed| (seed, generate::with_twins(seed)));
    for (seed, program) in programs.chain(spinning).chain(twins) {
        if let Err(broken) = compare::contract(&program, seed) {
            println!("seed {seed}: {broken}\n{program:?}");
            failed.push(seed);
        }
    }
    assert!(failed.is_empty(), "the programs of the seeds {failed:?} break the contract");
}

/// Destructors that run while an execution is abandoned leave memory alone.
///
/// Under valgrind, `MAZURKA_TEST_SEEDS` says how many programs to run.
#[test]
fn destructors_in_abandoned_executions_do_no_harm() {
    let seeds = std::env::var("MAZURKA_TEST_SEEDS").map_or(200, |n| n.parse().unwrap_or(200));
    for seed in 0..seeds {
        compare::cut_short(&generate::destructing(seed));
    }
    assert_eq!(objects::FREED_TWICE.load(Relaxed), 0, "boxes were freed twice");
}

/// The comparison finds a front end that does not tell what a process waits for at a yield.
#[test]
fn a_machine_without_guards_is_found() {
    let finds = |seed| {
        let program = generate::spinning(seed);
        let finds = || matches!(disagreement(&program, 300), Comparison::Disagreement(_));
        // Few loops have guards if those that wait for one variable are awaits.
        mutation::without_awaits(|| mutation::without_guards(finds))
    };
    assert!((0..200).any(finds), "200 programs do not show that guards are missing");
}

#[test]
fn a_program_is_the_same_for_the_same_seed() {
    let text = |program: Program| format!("{program:?}");
    assert_eq!(text(generate::program(7)), text(generate::program(7)));
}

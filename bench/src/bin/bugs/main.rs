//! Classic bugs: how many executions it takes to find them, for Mazurka and for shuttle's samplers.
//!
//! `cargo xtask bench bugs [SEEDS]` prints a table of medians over the seeds. `observers`, which Mazurka
//! uses by default, is exhaustive and needs no seed. For each explorer of Mazurka, the last lines name the
//! programs on which it needs more executions than shuttle's PCT.

#[macro_use]
mod programs;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ::mazurka::{Algorithm, Check};
use ::shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use ::shuttle::{Config, FailurePersistence, Runner};

mod on_mazurka {
    bugs!(mazurka);
}
mod on_shuttle {
    bugs!(shuttle);
}

/// A search that has not found the bug after this many executions gives up.
const MOST: u64 = 10_000;
/// The bug depth of both PCT schedulers.
const DEPTH: u32 = 3;

fn main() -> ExitCode {
    let seeds = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 20,
        Some(Ok(seeds)) if seeds > 0 => seeds,
        Some(_) => {
            eprintln!("error: the argument must be the number of seeds, such as 20");
            return ExitCode::from(2);
        }
    };
    // Every failure panics.
    std::panic::set_hook(Box::new(|_| {}));
    // The other tools write about each failure to standard error.
    let explorers = [&[Algorithm::Observers][..], &Algorithm::SAMPLERS].concat();
    print!("{:28}", "median executions");
    explorers.iter().for_each(|explorer| print!("{:>11}", explorer.name()));
    println!("{:>17}{:>14}", "shuttle random", "shuttle pct");
    let mut later = vec![Vec::new(); explorers.len()];
    let bugs = on_mazurka::mazurka::ALL.iter().zip(on_shuttle::shuttle::ALL);
    for (&(name, bug), &(_, other)) in bugs {
        let found: Vec<u64> = explorers
            .iter()
            .map(|explorer| match explorer.samples() {
                true => median(seeds, |seed| by_mazurka(bug, *explorer, seed)),
                false => by_mazurka(bug, *explorer, 0),
            })
            .collect();
        let random = median(seeds, |seed| {
            by_shuttle(other, RandomScheduler::new_from_seed(seed, MOST as usize))
        });
        let pct = median(seeds, |seed| {
            by_shuttle(other, PctScheduler::new_from_seed(seed, DEPTH as usize, MOST as usize))
        });
        print!("{name:28}");
        found.iter().for_each(|found| print!("{found:>11}"));
        println!("{random:>17}{pct:>14}");
        for (later, found) in later.iter_mut().zip(found) {
            if found > pct {
                later.push(name);
            }
        }
    }
    println!("\nLater than shuttle's PCT:");
    for (explorer, later) in explorers.iter().zip(later) {
        let programs = if later.is_empty() { "never".to_owned() } else { later.join(", ") };
        println!("  {:10} {programs}", explorer.name());
    }
    ExitCode::SUCCESS
}

/// Returns the median over the seeds.
fn median(seeds: u64, find: impl Fn(u64) -> u64) -> u64 {
    let mut found: Vec<u64> = (1..=seeds).map(find).collect();
    found.sort_unstable();
    found[found.len() / 2]
}

/// Returns the number of executions up to the first failure.
fn by_mazurka(bug: fn(), explorer: Algorithm, seed: u64) -> u64 {
    let check = Check::new().algorithm(explorer).seed(seed).bug_depth(DEPTH).max_executions(MOST);
    let verdict = check.run(bug);
    match verdict.violations.is_empty() {
        true => MOST,
        false => verdict.executions + verdict.blocked + verdict.scouts,
    }
}

/// Returns the number of executions up to the first failure.
fn by_shuttle(bug: fn(), scheduler: impl Scheduler + 'static) -> u64 {
    let executions = Arc::new(AtomicU64::new(0));
    let counter = executions.clone();
    let mut config = Config::new();
    config.failure_persistence = FailurePersistence::None;
    let runner = Runner::new(scheduler, config);
    let _ = catch_unwind(AssertUnwindSafe(move || {
        runner.run(move || {
            counter.fetch_add(1, Relaxed);
            bug();
        })
    }));
    executions.load(Relaxed)
}

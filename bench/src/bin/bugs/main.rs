//! Classic bugs: how many executions it takes to find them, for Mazurka's samplers and shuttle's.
//!
//! `cargo run --release -p mazurka-bench --bin bugs [SEEDS]` prints a table of medians, and says where
//! `pct` of Mazurka needs more executions than shuttle's.

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
    let samplers = Algorithm::SAMPLERS;
    print!("{:28}", "median executions");
    samplers.iter().for_each(|sampler| print!("{:>9}", sampler.name()));
    println!("{:>17}{:>14}", "shuttle random", "shuttle pct");
    let mut later = Vec::new();
    let bugs = on_mazurka::mazurka::ALL.iter().zip(on_shuttle::shuttle::ALL);
    for (&(name, bug), &(_, other)) in bugs {
        print!("{name:28}");
        let mut ours = None;
        for sampler in samplers {
            let found = median(seeds, |seed| by_mazurka(bug, sampler, seed));
            print!("{found:>9}");
            if sampler == Algorithm::Pct {
                ours = Some(found);
            }
        }
        let random = median(seeds, |seed| {
            by_shuttle(other, RandomScheduler::new_from_seed(seed, MOST as usize))
        });
        let pct = median(seeds, |seed| {
            by_shuttle(other, PctScheduler::new_from_seed(seed, DEPTH as usize, MOST as usize))
        });
        println!("{random:>17}{pct:>14}");
        if ours.is_some_and(|ours| ours > pct) {
            later.push(name);
        }
    }
    match later.is_empty() {
        true => println!("\nMazurka's pct is never later than shuttle's."),
        false => println!("\nMazurka's pct is later than shuttle's on: {}", later.join(", ")),
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
fn by_mazurka(bug: fn(), sampler: Algorithm, seed: u64) -> u64 {
    let check = Check::new().algorithm(sampler).samples(MOST).seed(seed).bug_depth(DEPTH);
    let verdict = check.run(bug);
    match verdict.violations.is_empty() {
        true => MOST,
        false => verdict.executions + verdict.blocked,
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

//! Classic bugs: how many executions it takes to find them, for Mazurka and for shuttle's samplers.
//!
//! `cargo xtask bench bugs [SEEDS]` prints a table of medians over the seeds, first of executions and then of
//! processor time. `observers`, which Mazurka uses by default, is exhaustive and needs no seed. For each
//! explorer of Mazurka, the lines below a table name the programs on which it is later than shuttle's PCT.

#[macro_use]
mod programs;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use ::mazurka::{Algorithm, Check};
use ::shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use ::shuttle::{Config, FailurePersistence, Runner};
use cpu_time::ProcessTime;

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
    let bugs = on_mazurka::mazurka::ALL.iter().zip(on_shuttle::shuttle::ALL);
    let rows: Vec<(&str, Vec<Found>)> = bugs
        .map(|(&(name, bug), &(_, other))| {
            let mut found: Vec<Found> = explorers
                .iter()
                .map(|explorer| match explorer.samples() {
                    true => median(seeds, |seed| by_mazurka(bug, *explorer, seed)),
                    false => median(1, |seed| by_mazurka(bug, *explorer, seed)),
                })
                .collect();
            found.push(median(seeds, |seed| {
                by_shuttle(other, RandomScheduler::new_from_seed(seed, MOST as usize))
            }));
            found.push(median(seeds, |seed| {
                by_shuttle(other, PctScheduler::new_from_seed(seed, DEPTH as usize, MOST as usize))
            }));
            (name, found)
        })
        .collect();
    print_table("median executions", &explorers, &rows, |found| found.executions);
    println!();
    print_table("median microseconds", &explorers, &rows, |found| found.time.as_micros() as u64);
    ExitCode::SUCCESS
}

/// The first failure.
#[derive(Clone, Copy)]
struct Found {
    executions: u64,
    time: Duration,
}

/// Prints one number for each program and explorer, and on which programs shuttle's PCT, in the last column,
/// is earlier.
fn print_table(
    title: &str,
    explorers: &[Algorithm],
    rows: &[(&str, Vec<Found>)],
    of: impl Fn(&Found) -> u64,
) {
    print!("{title:28}");
    explorers.iter().for_each(|explorer| print!("{:>11}", explorer.name()));
    println!("{:>17}{:>14}", "shuttle random", "shuttle pct");
    for (name, found) in rows {
        print!("{name:28}");
        let [found @ .., random, pct] = &found[..] else { continue };
        found.iter().for_each(|found| print!("{:>11}", of(found)));
        println!("{:>17}{:>14}", of(random), of(pct));
    }
    println!("\nLater than shuttle's PCT:");
    for (index, explorer) in explorers.iter().enumerate() {
        let is_later =
            |found: &[Found]| found.last().is_some_and(|pct| of(&found[index]) > of(pct));
        let later: Vec<&str> =
            rows.iter().filter(|(_, found)| is_later(found)).map(|(name, _)| *name).collect();
        let programs = if later.is_empty() { "never".to_owned() } else { later.join(", ") };
        println!("  {:10} {programs}", explorer.name());
    }
}

/// Returns the medians over the seeds.
fn median(seeds: u64, find: impl Fn(u64) -> u64) -> Found {
    let timed = |seed| {
        let start = ProcessTime::now();
        (find(seed), start.elapsed())
    };
    let (mut executions, mut times): (Vec<u64>, Vec<Duration>) = (1..=seeds).map(timed).unzip();
    executions.sort_unstable();
    times.sort_unstable();
    Found { executions: executions[executions.len() / 2], time: times[times.len() / 2] }
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

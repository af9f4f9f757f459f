//! Measures the estimates of the size of a search on the catalogue: `cargo run --release -p mazurka-llvm
//! --example estimates`.
//!
//! For each explorer, it prints a row of a table in Markdown: how often the true number of executions lies
//! inside the estimated range when 10 %, 30 % and 50 % of the executions have been run, by which factor the
//! likely number is wrong in the median, and by which factor the bounds differ in the median. The name of a
//! program as the only argument prints the estimates of its searches as well.
//!
//! The last rows are those of searches that are divided as on a cluster of [`WORKERS`] workers.

use std::collections::VecDeque;
use std::time::Duration;

use mazurka_core::explore::{Checkable, Division, Part, explore_part};
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, DataRaces, Estimate, Monitor, Options, Progress};
use mazurka_llvm::compile::Source;
use mazurka_llvm::{LlvmOptions, LlvmProgram};
use mazurka_testkit::catalogue::{self, Size};

const EXPLORERS: [Algorithm; 7] = [
    Algorithm::Naive,
    Algorithm::Source,
    Algorithm::Optimal,
    Algorithm::Observers,
    Algorithm::DataCentric,
    Algorithm::Unfolding,
    Algorithm::Graphs,
];

/// The percentages of the executions at which an estimate is taken.
const PERCENTAGES: [u64; 3] = [10, 30, 50];

/// Searches with fewer executions take no time. Those with more, or of more than a second, take too long here.
const SIZES: std::ops::RangeInclusive<u64> = 100..=2_000;

/// The explorers whose search can be divided, and the number of workers that it is divided among.
const DIVISIBLE: [Algorithm; 3] = [Algorithm::Naive, Algorithm::Optimal, Algorithm::Graphs];
const WORKERS: usize = 4;

/// The number of results after which a divided search is complete, if all workers are busy.
const RESULTS: u64 = 100;

/// Takes estimates after certain numbers of executions.
struct Taker {
    due: Vec<u64>,
    taken: Vec<Option<Estimate>>,
    is_due: bool,
}

impl<M> Monitor<M> for Taker {
    fn hears_of_ends(&self) -> bool {
        false
    }

    fn wants_progress(&mut self, runs: u64) -> bool {
        self.is_due = self.due.get(self.taken.len()).is_some_and(|due| runs >= *due);
        self.is_due
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        // The clock asks for the line as well.
        if std::mem::take(&mut self.is_due) {
            self.taken.push(progress.estimate);
        }
    }
}

/// The estimates of one search, and the truth.
struct Sample {
    truth: f64,
    estimates: Vec<Option<Estimate>>,
}

fn main() {
    let entries = catalogue::read(catalogue::directory()).unwrap_or_else(|error| panic!("{error}"));
    let only = std::env::args().nth(1);
    let mut samples: Vec<Vec<Sample>> = EXPLORERS.iter().map(|_| Vec::new()).collect();
    let mut divided: Vec<Vec<Sample>> = DIVISIBLE.iter().map(|_| Vec::new()).collect();
    for entry in &entries {
        let file = catalogue::directory().join(&entry.name).with_extension("c");
        if !file.exists() || only.as_ref().is_some_and(|only| *only != entry.name) {
            continue;
        }
        for case in entry.cases.iter().filter(|case| case.size != Size::Long) {
            let mut source = Source::new([&file]);
            let define = |(name, value): (&String, &u64)| format!("{name}={value}");
            source.defines = case.params.iter().map(define).collect();
            let Ok(module) = source.load() else { continue };
            let options = LlvmOptions { awaits: entry.awaits, ..LlvmOptions::default() };
            let Ok(program) = LlvmProgram::new(&module, options) else { continue };
            for (algorithm, samples) in EXPLORERS.into_iter().zip(&mut samples) {
                if let Some(sample) = measure(&program, algorithm) {
                    if only.is_some() {
                        println!("{algorithm} {:?}: {}", case.params, sample.truth);
                        sample.estimates.iter().for_each(|estimate| println!("  {estimate:?}"));
                    }
                    if let Some(place) = DIVISIBLE.iter().position(|it| *it == algorithm) {
                        let sample = measure_divided(&program, algorithm, sample.truth as u64);
                        if only.is_some() {
                            println!("  divided:");
                            sample.estimates.iter().for_each(|estimate| println!("  {estimate:?}"));
                        }
                        divided[place].push(sample);
                    }
                    samples.push(sample);
                }
            }
        }
    }
    let columns = ["inside", "error", "width"].map(|what| format!("{what} at 10 % | 30 % | 50 %"));
    println!("| explorer | searches | {} |", columns.join(" | "));
    println!("|{}", "---|".repeat(2 + 3 * PERCENTAGES.len()));
    for (algorithm, samples) in EXPLORERS.into_iter().zip(&samples) {
        print_row(&format!("`{algorithm}`"), samples);
    }
    for (algorithm, samples) in DIVISIBLE.into_iter().zip(&divided) {
        print_row(&format!("`{algorithm}` on a cluster"), samples);
    }
}

/// Returns the estimates during a search, if it has a suitable size.
fn measure(program: &LlvmProgram, algorithm: Algorithm) -> Option<Sample> {
    let options = Options {
        algorithm,
        keep_going: true,
        data_races: DataRaces::Ignore,
        max_executions: Some(*SIZES.end() + 1),
        time_limit: Some(Duration::from_secs(1)),
        ..Options::default()
    };
    program.set_memory_orderings(algorithm == Algorithm::Graphs);
    let mut machine = program.start().ok()?;
    let verdict = LlvmProgram::explore(&mut machine, &options, &mut ());
    let runs = verdict.executions + verdict.blocked;
    if verdict.stopped.is_some() || !verdict.restarts.is_empty() || !SIZES.contains(&runs) {
        return None;
    }
    let due = PERCENTAGES.iter().map(|percent| (runs * percent / 100).max(1)).collect();
    let mut taker = Taker { due, taken: Vec::new(), is_due: false };
    let mut machine = program.start().ok()?;
    LlvmProgram::explore(&mut machine, &options, &mut taker);
    Some(Sample { truth: runs as f64, estimates: taker.taken })
}

/// Returns the estimates during a search of `runs` executions that is divided.
fn measure_divided(program: &LlvmProgram, algorithm: Algorithm, runs: u64) -> Sample {
    let options = Options {
        algorithm,
        keep_going: true,
        data_races: DataRaces::Ignore,
        max_executions: Some((runs / RESULTS).max(1)),
        ..Options::default()
    };
    let (mut queue, mut division) = (VecDeque::from([Part::start()]), Division::default());
    let mut due = PERCENTAGES.iter().map(|percent| (runs * percent / 100).max(1)).peekable();
    let (mut explored, mut estimates) = (0, Vec::new());
    while let Some(part) = queue.pop_front() {
        let found = explore_part(program, &part, &options, &mut ());
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        explored += found.verdict.executions + found.verdict.blocked;
        let most = if queue.len() < WORKERS { 3 } else { 1 };
        queue.extend(division.settle(&part, found.rest, most));
        division.count(explored);
        while due.next_if(|due| explored >= *due).is_some() {
            estimates.push(division.estimate());
        }
    }
    Sample { truth: runs as f64, estimates }
}

fn print_row(explorer: &str, samples: &[Sample]) {
    let at = |place: usize| {
        samples.iter().filter_map(move |s| Some((s.truth, (*s.estimates.get(place)?)?)))
    };
    let places = 0..PERCENTAGES.len();
    let inside = places.clone().map(|place| {
        let is_inside =
            |(truth, e): &(f64, Estimate)| (e.low * 0.999..=e.high * 1.001).contains(truth);
        let count = at(place).filter(is_inside).count();
        format!("{:.0} %", 100.0 * count as f64 / samples.len().max(1) as f64)
    });
    let error = places.clone().map(|place| {
        let factor = |(truth, e): (f64, Estimate)| (e.likely / truth).max(truth / e.likely);
        format!("×{:.2}", median(at(place).map(factor)))
    });
    let width =
        places.map(|place| format!("×{:.2}", median(at(place).map(|(_, e)| e.high / e.low))));
    let cells: Vec<String> = inside.chain(error).chain(width).collect();
    println!("| {explorer} | {} | {} |", samples.len(), cells.join(" | "));
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

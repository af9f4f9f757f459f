//! Runs Mazurka's readers on damaged inputs:
//!
//! ```text
//! cargo run --release --manifest-path fuzz/Cargo.toml -- [TARGET] [EXECUTIONS] [SEED]
//! ```
//!
//! Without a target, all of them run. An input that lets a reader panic is written to `fuzz/findings`. A
//! reader that overflows the stack ends the process; the last line of progress and the seed lead to it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mazurka_fuzz::mutate::{Numbers, mutate};
use mazurka_fuzz::{TARGETS, Target};

/// An input that takes longer is reported.
const SLOW: Duration = Duration::from_secs(2);

/// Returns whether a reader is slow on an input each time. On a busy machine, any input can take long once.
fn is_slow(target: &Target, input: &[u8]) -> bool {
    (0..3).all(|_| {
        let begin = Instant::now();
        (target.read)(input);
        begin.elapsed() > SLOW
    })
}

/// Runs one target. Returns how many inputs it fails on.
fn run(target: &Target, executions: u64, seed: u64) -> usize {
    let corpus = (target.corpus)();
    if corpus.iter().all(Vec::is_empty) {
        println!("{}: skipped, because there is no input to damage", target.name);
        return 0;
    }
    let (mut numbers, mut input, mut findings) = (Numbers::new(seed), Vec::new(), 0);
    let start = Instant::now();
    for round in 0..executions {
        mutate(&corpus, target.words, &mut numbers, &mut input);
        let begin = Instant::now();
        let panicked = catch_unwind(AssertUnwindSafe(|| (target.read)(&input))).is_err();
        if panicked || (begin.elapsed() > SLOW && is_slow(target, &input)) {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("findings");
            let file = folder.join(format!("{}-{seed}-{round}", target.name));
            let written =
                std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, &input));
            let what = if panicked { "panics" } else { "is slow" };
            println!("{}: {what} on {} ({written:?})", target.name, file.display());
            findings += 1;
        }
        if (round + 1).is_power_of_two() && round > 1 << 16 {
            println!("{}: {} executions, {} s", target.name, round + 1, start.elapsed().as_secs());
        }
    }
    println!("{}: {executions} executions, {findings} findings", target.name);
    findings
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().filter(|name| *name != "all");
    let number = |index: usize, otherwise| match arguments.get(index) {
        Some(text) => text.parse().unwrap_or_else(|_| panic!("`{text}` is not a number")),
        None => otherwise,
    };
    let (executions, seed) = (number(1, 100_000), number(2, 1));
    let chosen: Vec<&Target> =
        TARGETS.iter().filter(|target| name.is_none_or(|name| name == target.name)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!("usage: mutate [all|{}] [EXECUTIONS] [SEED]", names.join("|"));
        return ExitCode::from(2);
    }
    std::panic::set_hook(Box::new(|_| {}));
    let findings: usize = chosen.iter().map(|target| run(target, executions, seed)).sum();
    if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

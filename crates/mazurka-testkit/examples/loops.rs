//! Compares the explorers with brute force on many random programs with event loops.
//!
//! `cargo run --release -p mazurka-testkit --example loops -- --programs 10000 --seed 1`
//!
//! `--help` lists the options. The exit status is 1 if some explorer disagrees.

use std::process::ExitCode;
use std::time::Instant;

use mazurka_core::search::Algorithm;
use mazurka_testkit::loops::{Compared, compare, random, random_with_events, report};

const HELP: &str = "\
Compares the explorers with brute force on random programs with event loops.

Usage: cargo xtask loops [OPTION]...

  --programs N      how many programs to try (default: 1000)
  --seed S          the seed of the first program (default: 1)
  --limit N         the most interleavings of a program; larger programs are skipped and counted
                    (default: 20000)
  --events N        programs with this many events and short handlers
  --algorithm NAME  compare one explorer only
  --most N          stop after this many disagreements (default: 3)
  --help            print this";

fn main() -> ExitCode {
    let (mut programs, mut seed, mut limit, mut most) = (1000u64, 1u64, 20_000u64, 3u64);
    let mut events = 0u64;
    let mut algorithms = Algorithm::ALL.to_vec();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if matches!(word.as_str(), "--help" | "-h") {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        let value = words.next().unwrap_or_default();
        let number = |into: &mut u64| value.parse().map(|n| *into = n).is_ok();
        let is_known = match word.as_str() {
            "--programs" => number(&mut programs),
            "--seed" => number(&mut seed),
            "--limit" => number(&mut limit),
            "--events" => number(&mut events),
            "--most" => number(&mut most),
            "--algorithm" => value.parse().map(|a| algorithms = vec![a]).is_ok(),
            _ => false,
        };
        if !is_known {
            eprintln!("`{word} {value}` is no option; `--help` lists them");
            return ExitCode::from(2);
        }
    }
    let started = Instant::now();
    let (mut agreed, mut skipped, mut disagreed) = (0u64, 0u64, 0u64);
    let (mut all_traces, mut all_classes, mut all_stuck) = (0, 0, 0);
    for seed in (0..programs).map(|i| seed.wrapping_add(i)) {
        let loops = match events {
            0 => random(seed),
            events => random_with_events(seed, events as usize),
        };
        match compare(&loops, limit, &algorithms) {
            Compared::Agreed { traces, classes, stuck } => {
                agreed += 1;
                all_traces += traces;
                all_classes += classes;
                all_stuck += stuck;
            }
            Compared::Skipped => skipped += 1,
            Compared::Disagreed(_) => {
                disagreed += 1;
                let size = if events > 0 { format!(" --events {events}") } else { String::new() };
                println!(
                    "--seed {seed} --programs 1{size}:\n{}",
                    report(&loops, limit, &algorithms)
                );
                if disagreed == most {
                    break;
                }
            }
        }
    }
    println!(
        "{agreed} agreed ({all_traces} traces, {all_classes} classes, {all_stuck} of them stuck), \
         {skipped} skipped, {disagreed} disagreed, in {:.1} s",
        started.elapsed().as_secs_f64()
    );
    ExitCode::from(u8::from(disagreed > 0))
}

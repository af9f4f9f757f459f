//! Compares the explorers with the oracle on many random programs.
//!
//! `cargo run --release -p mazurka-testkit --example oracle -- --programs 10000 --seed 1`
//!
//! `--help` lists the options. The exit status is 1 if some explorer disagrees.

use std::process::ExitCode;
use std::time::Instant;

use mazurka_core::search::Algorithm;
use mazurka_testkit::compare::{Compared, compare, report};
use mazurka_testkit::random::{self, Profile};

const HELP: &str = "\
Compares the explorers with brute force on random programs.

Usage: cargo xtask oracle [OPTION]...

  --programs N      how many programs to try (default: 10000)
  --seed S          the seed of the first program (default: 1)
  --limit N         the most interleavings of a program; larger programs are skipped and counted
                    (default: 200000)
  --profile NAME    use programs of one profile only
  --algorithm NAME  compare one explorer only
  --most N          stop after this many disagreements (default: 10)
  --help            print this";

struct Arguments {
    programs: u64,
    seed: u64,
    limit: u64,
    profile: Option<Profile>,
    most: u64,
    algorithms: Vec<Algorithm>,
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments {
        programs: 10_000,
        seed: 1,
        limit: 200_000,
        profile: None,
        most: 10,
        algorithms: Algorithm::ALL.to_vec(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        if matches!(name.as_str(), "--help" | "-h") {
            println!("{HELP}");
            std::process::exit(0);
        }
        let value = arguments.next().ok_or_else(|| format!("`{name}` needs a value"))?;
        let number = || value.parse().map_err(|_| format!("`{name} {value}`: not a number"));
        match name.as_str() {
            "--programs" => found.programs = number()?,
            "--seed" => found.seed = number()?,
            "--limit" => found.limit = number()?,
            "--algorithm" => {
                found.algorithms = vec![value.parse().map_err(|e| format!("{e}"))?];
            }
            "--most" => found.most = number()?,
            "--profile" => {
                let mut all = Profile::ALL.into_iter();
                let profile = all.find(|p| format!("{p:?}").eq_ignore_ascii_case(&value));
                let error = || format!("no profile `{value}`; there are {:?}", Profile::ALL);
                found.profile = Some(profile.ok_or_else(error)?);
            }
            _ => return Err(format!("there is no option `{name}`; `--help` lists them")),
        }
    }
    Ok(found)
}

fn main() -> ExitCode {
    let Arguments { programs, seed, limit, profile, most, algorithms } = match arguments() {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let started = Instant::now();
    let [mut agreed, mut too_large, mut disagreed] = [0; 3];
    let (mut all_interleavings, mut all_traces, mut all_classes) = (0, 0, 0);
    for seed in (0..programs).map(|i| seed.wrapping_add(i)) {
        let script = match profile {
            Some(profile) => random::script_of(profile, seed),
            None => random::script(seed),
        };
        match compare(&script, limit, &algorithms) {
            Compared::Agreed { interleavings, traces, classes } => {
                agreed += 1;
                all_interleavings += interleavings;
                all_traces += traces;
                all_classes += classes;
            }
            Compared::Skipped(_) => too_large += 1,
            Compared::Disagreed(_) => {
                disagreed += 1;
                println!("seed {seed}:\n{}", report(&script, limit, &algorithms));
                if disagreed == most {
                    println!("that is enough");
                    break;
                }
            }
        }
    }
    println!(
        "{agreed} programs with {all_interleavings} interleavings, {all_traces} traces and \
         {all_classes} classes: all explorers agree; {disagreed}: an explorer disagrees; {too_large} skipped: more than \
         {limit} interleavings; {:.1} s",
        started.elapsed().as_secs_f64()
    );
    ExitCode::from(u8::from(disagreed > 0))
}

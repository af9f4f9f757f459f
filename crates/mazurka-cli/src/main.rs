//! The `mazurka` command.
//!
//! It is thin: what it does is in the libraries below it. Exit codes: 0 all executions are fine,
//! 1 a violation, 2 bad usage or bad input, 3 stopped by a bound.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use mazurka_core::explore::Algorithm;

/// Checks concurrent programs under every meaningfully different schedule.
///
/// Rust programs are checked from within their tests: add the crate `mazurka` as a
/// dev-dependency and write `mazurka::check(|| …)` in a `#[test]`.
#[derive(Parser)]
#[command(name = "mazurka", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the explorers, the algorithms that decide which executions to run
    Explorers,
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Explorers => explorers(),
    }
    ExitCode::SUCCESS
}

fn explorers() {
    let width = Algorithm::ALL.map(|algorithm| algorithm.name().len()).into_iter().max();
    for algorithm in Algorithm::ALL {
        println!(
            "{:width$}  {}",
            algorithm.name(),
            algorithm.summary(),
            width = width.unwrap_or(0)
        );
    }
}

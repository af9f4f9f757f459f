//! The `mazurka` command.
//!
//! It is thin: what it does is in the libraries below it. [`front_end`] chooses who reads a
//! program, by its file; [`check`], [`replay`] and [`compare`] run it; [`summary`], [`json`] and
//! [`output`] say what was found. Exit codes: 0 all executions are fine, 1 a violation, 2 bad usage or bad
//! input, 3 stopped by a bound.

mod args;
mod chart;
mod check;
mod checkpoint;
mod cluster;
mod compare;
mod compile_commands;
mod config;
mod doctor;
mod explorers;
mod front_end;
mod interrupt;
mod json;
mod litmus;
mod output;
mod replay;
mod resources;
mod shell;
mod summary;
mod trace_file;
mod values;
mod watchdog;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use mazurka_core::verdict::Verdict;

use args::{Cli, Command};

/// Why a command could not do what it was asked to: bad usage or bad input, in a sentence or a few
/// lines that say what to do.
type Complaint = String;

/// How a command ended.
// From the best to the worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    /// All executions are fine.
    Fine = 0,
    /// A bound or a time limit was in the way, and nothing was found.
    Stopped = 3,
    /// There is a violation.
    Violation = 1,
    /// The input cannot be used: a schedule of another program, or a check that could not run.
    Unusable = 2,
}

impl Outcome {
    fn of(verdict: &Verdict) -> Self {
        match (verdict.violations.is_empty(), verdict.is_complete()) {
            (false, _) => Outcome::Violation,
            (true, false) => Outcome::Stopped,
            (true, true) => Outcome::Fine,
        }
    }
}

fn main() -> ExitCode {
    // The tools of Erlang spell it `-pa`.
    let spelled = |word: OsString| if word == "-pa" { "--code-path".into() } else { word };
    let words: Vec<OsString> = std::env::args_os().map(spelled).collect();
    let wants_json = words.iter().take_while(|word| *word != "--").any(|word| word == "--json");
    // Clap would need the version of other programs even if the user does not ask for it.
    if words.len() == 2 && words[1] == "--version" {
        print!("{}", doctor::long_version());
        return ExitCode::SUCCESS;
    }
    let matches = match Cli::command().try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(error) => return refuse_usage(&error, wants_json),
    };
    let done = Cli::from_arg_matches(&matches)
        .map_err(|error| error.to_string())
        .and_then(|cli| run(cli, &matches));
    match done {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(complaint) => {
            eprintln!("error: {}", complaint.trim_end());
            refuse(complaint.trim_end(), wants_json)
        }
    }
}

/// Prints what clap says of the command line: the help that was asked for, or an error.
fn refuse_usage(error: &clap::Error, wants_json: bool) -> ExitCode {
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let message = text.split("\n\nUsage:").next().unwrap_or_default();
    refuse(message.trim_start_matches("error: ").trim_end(), wants_json)
}

/// Ends with the exit code for bad usage and bad input. With `--json`, the message is printed as
/// JSON, too.
fn refuse(message: &str, wants_json: bool) -> ExitCode {
    if wants_json {
        println!("{}", json::of_error(message));
    }
    ExitCode::from(Outcome::Unusable as u8)
}

fn run(cli: Cli, matches: &ArgMatches) -> Result<Outcome, Complaint> {
    // What the command was given, by name: to know which options were given at all.
    let given = matches.subcommand().map_or(matches, |(_, matches)| matches);
    match cli.command {
        Command::Check(mut args) => {
            args.program.add_entries(&mut args.files);
            check::run(&args, given)
        }
        Command::Replay(args) => replay::run(&args, given),
        Command::Compare(mut args) => {
            args.program.add_entries(&mut args.files);
            compare::run(&args, given)
        }
        Command::Litmus(args) => litmus::run(&args),
        Command::Worker(args) => cluster::work(&args),
        Command::Jobs(args) => cluster::jobs(&args),
        Command::Explorers => explorers::run(),
        Command::Doctor => doctor::run(),
        Command::Init => config::init(),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { command } => shell::man(command.as_deref()),
    }
}

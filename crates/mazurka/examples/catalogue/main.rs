//! Runs the programs of the catalogue:
//!
//! ```text
//! cargo run --release -p mazurka --example catalogue -- lastwrite -D N=7 --algorithm optimal --json
//! ```
//!
//! `--help` says what else there is. The object that `--json` asks for goes to standard output,
//! everything for people to standard error.

mod cli;
mod json;
mod programs;

use std::io::Write;
use std::panic::catch_unwind;
use std::process::ExitCode;

use cli::{Command, Run};
use mazurka::{Bound, Verdict};
use programs::{Body, PARAMETER};

const FINE: u8 = 0;
const VIOLATION: u8 = 1;
const BAD_USAGE: u8 = 2;
const BOUND: u8 = 3;

/// How many violations are shown to people.
const SHOWN: usize = 3;

fn main() -> ExitCode {
    ExitCode::from(match cli::parse(std::env::args().skip(1)) {
        Ok(Command::Help) => show(cli::USAGE),
        Ok(Command::List) => show(&list()),
        Ok(Command::Run(run)) => check(&run),
        Err(complaint) => {
            eprintln!("{complaint}\n(`--help` says more)");
            BAD_USAGE
        }
    })
}

/// Prints what was asked for. Whoever reads it may stop at any time.
fn show(text: &str) -> u8 {
    let _ = writeln!(std::io::stdout(), "{text}");
    FINE
}

fn list() -> String {
    let width = programs::ALL.iter().map(|program| program.name.len()).max().unwrap_or(0);
    let line = |program: &programs::Program| {
        let default = match program.body {
            Body::Plain(_) => String::new(),
            Body::Sized { default, .. } => format!(" ({PARAMETER}={default})"),
        };
        format!("{:width$}  {}{default}", program.name, program.about)
    };
    programs::ALL.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn check(run: &Run) -> u8 {
    let (body, parameter) = (run.program.body, run.parameter);
    // A variable of the environment with a bad value panics, with a message.
    let Ok(verdict) = catch_unwind(|| run.check.run(|| body.run(parameter))) else {
        return BAD_USAGE;
    };
    tell(run, &verdict);
    if run.json {
        show(&json::object(run.program.name, &run.parameters(), &verdict));
    }
    match (verdict.violations.is_empty(), verdict.is_complete()) {
        (false, _) => VIOLATION,
        (true, true) => FINE,
        (true, false) => BOUND,
    }
}

fn tell(run: &Run, verdict: &Verdict) {
    let parameters = run.parameters().into_iter();
    let parameters: String = parameters.map(|(name, value)| format!(" {name}={value}")).collect();
    eprintln!(
        "{}{}, {}: {} executions, {} blocked, {} events, {:.3} s ({:.0} executions/s)",
        run.program.name,
        parameters,
        verdict.algorithm,
        verdict.executions,
        verdict.blocked,
        verdict.events,
        verdict.elapsed.as_secs_f64(),
        verdict.rate(),
    );
    for violation in verdict.violations.iter().take(SHOWN) {
        eprintln!("{violation}\n  schedule: {}", violation.schedule);
    }
    if verdict.violations.len() > SHOWN {
        eprintln!("and {} more violations", verdict.violations.len() - SHOWN);
    }
    match verdict.stopped {
        Some(bound) if bound != Bound::Violation => eprintln!("incomplete: {bound}"),
        _ => {}
    }
}

//! The same programs on Mazurka, loom and shuttle, in one run of one process; and C programs.
//!
//! Prints a table of executions to exhaust, time to exhaust, and executions per second, and
//! afterwards whether Mazurka reaches its [`targets`]. `--help` lists what can be chosen.

mod alone;
mod awaits;
mod c;
/// The programs of the catalogue, as its example has them.
#[path = "../../crates/mazurka/examples/catalogue/programs/mod.rs"]
#[allow(dead_code)]
mod catalogue;
mod command;
mod programs;
mod report;
mod settings;
mod style;
mod targets;
mod tools;
mod weak;

use std::process::ExitCode;
use std::time::Duration;

use programs::Case;
use settings::{HELP, Settings};
use targets::{Met, Target};
use tools::{Outcome, Row};

fn main() -> ExitCode {
    let settings = match Settings::parse(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(message) => {
            eprint!("error: {message}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    if settings.help {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    if settings.list {
        for Case { program, n } in settings.cases() {
            println!("{} {n}", program.name());
        }
        for case in settings.lone_cases() {
            println!("{} {} ({})", case.program, case.n, case.algorithm);
        }
        for case in settings.c_cases() {
            println!("{}.c {}", case.program, case.n);
        }
        for case in settings.await_cases() {
            println!("{}.c {} (loops)", case.program, case.macros);
        }
        for case in settings.weak_cases() {
            println!("{}.c {} (rc11)", case.program, case.n);
        }
        return ExitCode::SUCCESS;
    }
    run(&settings)
}

fn run(settings: &Settings) -> ExitCode {
    let limit = Duration::from_secs_f64(settings.seconds);
    let mut rows = Vec::new();
    if !settings.json && !settings.cases().is_empty() {
        println!("{}", report::header());
    }
    for case in settings.cases() {
        for &tool in &settings.tools {
            let outcome = tool.measure(case.program, case.n, limit);
            let row = Row { case, tool, outcome };
            if !settings.json {
                println!("{}", report::line(&row));
            }
            rows.push(row);
        }
    }
    let judgements = targets::judge(&rows);
    let alone = measure_alone(settings, limit);
    let c =
        measure(settings, settings.c_cases(), c::header(), c::line, |case| c::measure(case, limit));
    let awaits =
        measure(settings, settings.await_cases(), awaits::header(), awaits::line, |case| {
            awaits::measure(case, limit)
        });
    let weak = measure(settings, settings.weak_cases(), weak::header(), weak::line, |case| {
        weak::measure(case, limit)
    });
    if settings.json {
        println!(
            "{:#}",
            report::json(settings.seconds, &rows, &judgements, &alone, (&c, &awaits, &weak))
        );
    } else if !judgements.is_empty() {
        print!("\n{}", report::judgements(&judgements));
        if settings.seconds < 10.0 {
            println!("\nThe targets are for a limit of 10 seconds, this run had less.");
        }
    }

    let failed = rows.iter().any(|row| matches!(row.outcome, Outcome::Failed(_)));
    let miscounted = judgements.iter().any(|j| j.target == Target::Count && j.met == Met::No);
    let wrong = c.iter().any(c::Row::is_wrong)
        || awaits.iter().any(awaits::Row::is_wrong)
        || weak.iter().any(weak::Row::is_wrong)
        || alone.iter().any(alone::Row::is_wrong);
    if failed || miscounted || wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn measure_alone(settings: &Settings, limit: Duration) -> Vec<alone::Row> {
    let cases = settings.lone_cases();
    let rows = cases.into_iter().enumerate().map(|(i, case)| {
        let row = alone::measure(case, limit);
        if !settings.json {
            let header = if i == 0 { format!("\n{}\n", alone::header()) } else { String::new() };
            println!("{header}{}", alone::line(&row));
        }
        row
    });
    let rows: Vec<_> = rows.collect();
    if !settings.json && !rows.is_empty() {
        print!("\n{}", alone::summary(&rows));
    }
    rows
}

/// Measures cases, and prints a table of them unless all results are printed as JSON.
fn measure<C, R>(
    settings: &Settings,
    cases: Vec<C>,
    header: String,
    line: impl Fn(&R) -> String,
    measure: impl Fn(C) -> R,
) -> Vec<R> {
    if !settings.json && !cases.is_empty() {
        println!("\n{header}");
    }
    let measured = cases.into_iter().map(|case| {
        let row = measure(case);
        if !settings.json {
            println!("{}", line(&row));
        }
        row
    });
    measured.collect()
}

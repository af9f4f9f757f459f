//! The same programs on Mazurka, loom and shuttle, in one run of one process; and C programs.
//!
//! Prints a table of executions to exhaust, time to exhaust, and executions per second, and
//! afterwards whether Mazurka reaches its [`targets`]. `--help` lists what can be chosen.

mod alone;
mod c;
/// The programs of the catalogue, as its example has them.
#[path = "../../crates/mazurka/examples/catalogue/programs/mod.rs"]
#[allow(dead_code)]
mod catalogue;
mod programs;
mod report;
mod targets;
mod tools;

use std::process::ExitCode;
use std::time::Duration;

use programs::Program;
use targets::{Met, Target};
use tools::{Outcome, Tool};

const HELP: &str = "\
Runs the same programs on Mazurka, loom and shuttle, and compares them. Then
programs that only Mazurka runs: message passing, and observation functions.
Then checks C programs: how fast, in how much memory, and how many times faster
than Nidhugg and GenMC, whose times for the same executions are known.

Usage: cargo xtask bench [FILTER] [OPTIONS]

Arguments:
  [FILTER]         only the programs with this in their name

Options:
  --only NAME      only this program; may be repeated
  --tool NAME      only this tool (mazurka, loom or shuttle); may be repeated
  --rust           only the Rust programs
  --alone          only the Rust programs that no other tool runs
  --c              only the C programs
  --seconds S      how long a tool may explore a program [default: 10]
  --json           print one JSON object in the end instead of the table
  --list           list the programs and their parameters, and run nothing
  -h, --help       print this

An exploration that ends before that time is up is repeated until it is, and the
median of the times counts. Times are of the processor, save where several
workers share the work, and for reading: whatever they are, the exit code is 0. It is 1 if a tool failed, or if Mazurka ran more or
fewer executions than the program has Mazurkiewicz traces, and 2 for bad usage.
";

/// A program with its parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Case {
    program: Program,
    n: usize,
}

/// What a tool did with a case.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    case: Case,
    tool: Tool,
    outcome: Outcome,
}

#[derive(Debug)]
struct Settings {
    filter: Option<String>,
    only: Vec<Program>,
    tools: Vec<Tool>,
    rust: bool,
    alone: bool,
    c: bool,
    seconds: f64,
    json: bool,
    list: bool,
    help: bool,
}

impl Settings {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Settings {
            filter: None,
            only: Vec::new(),
            tools: Vec::new(),
            rust: true,
            alone: true,
            c: true,
            seconds: 10.0,
            json: false,
            list: false,
            help: false,
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("`{arg}` needs a value"));
            match arg.as_str() {
                "--only" => {
                    let name = value()?;
                    let found = Program::ALL.iter().find(|(program, _)| program.name() == name);
                    let (program, _) =
                        found.ok_or_else(|| format!("there is no program `{name}`; see --list"))?;
                    settings.only.push(*program);
                }
                "--tool" => {
                    let name = value()?;
                    let found = Tool::ALL.into_iter().find(|tool| tool.name() == name);
                    let none = || format!("there is no tool `{name}`; see --help");
                    settings.tools.push(found.ok_or_else(none)?);
                }
                "--seconds" => {
                    let text = value()?;
                    let seconds = text.parse().ok().filter(|s| (0.001..=1e6).contains(s));
                    let wrong = || format!("`{text}` is no number of seconds");
                    settings.seconds = seconds.ok_or_else(wrong)?;
                }
                "--rust" => settings.c = false,
                "--alone" => (settings.rust, settings.c) = (false, false),
                "--c" => (settings.rust, settings.alone) = (false, false),
                "--json" => settings.json = true,
                "--list" => settings.list = true,
                "-h" | "--help" => settings.help = true,
                option if option.starts_with('-') => {
                    return Err(format!("there is no option `{option}`"));
                }
                _ if settings.filter.is_some() => {
                    return Err(format!("there is already a filter before `{arg}`"));
                }
                _ => settings.filter = Some(arg),
            }
        }
        if settings.tools.is_empty() {
            settings.tools = Tool::ALL.to_vec();
        }
        if !settings.rust && !settings.alone && !settings.c {
            return Err("--rust, --alone and --c leave nothing together".to_owned());
        }
        // These are about the comparison.
        if !settings.only.is_empty() || settings.tools.len() < Tool::ALL.len() {
            (settings.alone, settings.c) = (false, false);
        }
        let is_empty = settings.cases().is_empty() && settings.lone_cases().is_empty();
        if is_empty && settings.c_cases().is_empty() {
            return Err("no program has such a name; see --list".to_owned());
        }
        Ok(settings)
    }

    fn cases(&self) -> Vec<Case> {
        let wanted = |program: Program| {
            self.rust
                && (self.only.is_empty() || self.only.contains(&program))
                && self.filter.as_ref().is_none_or(|filter| program.name().contains(filter))
        };
        let programs = Program::ALL.into_iter().filter(|(program, _)| wanted(*program));
        programs.flat_map(|(program, ns)| ns.iter().map(move |&n| Case { program, n })).collect()
    }

    fn lone_cases(&self) -> Vec<alone::Case> {
        let wanted = |case: &alone::Case| {
            self.alone && self.filter.as_ref().is_none_or(|filter| case.program.contains(filter))
        };
        alone::ALL.into_iter().filter(wanted).collect()
    }

    fn c_cases(&self) -> Vec<c::Case> {
        let wanted = |case: &c::Case| {
            self.c && self.filter.as_ref().is_none_or(|filter| case.program.contains(filter))
        };
        c::ALL.into_iter().filter(wanted).collect()
    }
}

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
    let c = measure_c(settings, limit);
    if settings.json {
        println!("{}", report::json(settings.seconds, &rows, &judgements, &alone, &c));
    } else if !judgements.is_empty() {
        print!("\n{}", report::judgements(&judgements));
        if settings.seconds < 10.0 {
            println!("\nThe targets are for a limit of 10 seconds, this run had less.");
        }
    }

    let failed = rows.iter().any(|row| matches!(row.outcome, Outcome::Failed(_)));
    let miscounted = judgements.iter().any(|j| j.target == Target::Count && j.met == Met::No);
    let wrong = c.iter().any(c::Row::is_wrong) || alone.iter().any(alone::Row::is_wrong);
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

fn measure_c(settings: &Settings, limit: Duration) -> Vec<c::Row> {
    let cases = settings.c_cases();
    if !settings.json && !cases.is_empty() {
        println!("\n{}", c::header());
    }
    let mut rows = Vec::new();
    for case in cases {
        let row = c::measure(case, limit);
        if !settings.json {
            println!("{}", c::line(&row));
        }
        rows.push(row);
    }
    rows
}

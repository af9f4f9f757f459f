//! The command line.

use std::str::FromStr;

use mazurka::{Algorithm, Check};
use mazurka_report::{A_DURATION, duration};

use crate::programs::{self, Body, PARAMETER, Program};

/// What the command line asks for.
pub(crate) enum Command {
    /// The names of all programs.
    List,
    /// How to use this.
    Help,
    /// A check.
    Run(Box<Run>),
}

/// A check of a program.
pub(crate) struct Run {
    pub(crate) program: &'static Program,
    /// Ignored by programs that take none.
    pub(crate) parameter: usize,
    pub(crate) check: Check,
    pub(crate) json: bool,
}

impl Run {
    /// The parameters by name.
    pub(crate) fn parameters(&self) -> Vec<(&'static str, usize)> {
        match self.program.body {
            Body::Plain(_) => Vec::new(),
            Body::Sized { .. } => vec![(PARAMETER, self.parameter)],
        }
    }
}

pub(crate) const USAGE: &str = "\
Runs a program of the catalogue under every meaningfully different schedule.

usage: catalogue NAME [-D N=VALUE] [options]
       catalogue --list

  -D N=VALUE             sets the program's parameter
  --algorithm NAME       which explorer to use
  --json                 prints a JSON object on standard output
  --keep-going           does not stop at the first violation
  --max-executions N     stops after so many executions
  --time-limit TIME      stops after so long: seconds, or a time as 500ms, 90s, 5m
  --list                 lists the programs
  --help                 prints this

exit codes: 0 all executions are fine; 1 a violation; 2 bad usage;
            3 stopped by a bound or a time limit, nothing found";

const FLAGS: [&str; 8] = [
    "--algorithm",
    "--json",
    "--keep-going",
    "--max-executions",
    "--time-limit",
    "--list",
    "--help",
    "-D",
];

/// Reads the command line.
///
/// # Errors
///
/// What is wrong with it, and what there is instead.
pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Command, String> {
    let mut name = None;
    let mut definitions = Vec::new();
    let mut check = Check::new();
    let mut json = false;
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let (flag, inline) = split(&argument);
        let mut value = |what: &str| match inline.map(str::to_owned).or_else(|| arguments.next()) {
            Some(value) if !value.is_empty() => Ok(value),
            _ => Err(format!("`{flag}` needs {what} after it")),
        };
        match flag {
            "-D" => definitions.push(value("a parameter, as `N=3`,")?),
            "--algorithm" => {
                let algorithm = value("the name of an explorer")?;
                check = check.algorithm(explorer(&algorithm)?);
            }
            "--max-executions" => check = check.max_executions(number(flag, &value("a number")?)?),
            "--time-limit" => {
                let limit = value("a time")?;
                let refuse = || format!("`{flag} {limit}`: a time is {A_DURATION}");
                check = check.time_limit(duration(&limit).ok_or_else(refuse)?);
            }
            "--json" | "--keep-going" | "--list" | "--help" | "-h" if inline.is_some() => {
                return Err(format!("`{flag}` takes no value"));
            }
            "--json" => json = true,
            "--keep-going" => check = check.keep_going(true),
            "--list" => return Ok(Command::List),
            "--help" | "-h" => return Ok(Command::Help),
            _ if flag.starts_with('-') => return Err(unknown("option", flag, &FLAGS)),
            _ if name.is_some() => {
                return Err(format!("one program at a time: what is `{argument}` for?"));
            }
            _ => name = Some(argument),
        }
    }
    let names: Vec<_> = programs::ALL.iter().map(|program| program.name).collect();
    let Some(name) = name else {
        return Err(format!("which program? There are {}", names.join(", ")));
    };
    let program = programs::find(&name).ok_or_else(|| unknown("program", &name, &names))?;
    let parameter = parameter(program, &definitions)?;
    let check = program.prepare(check);
    Ok(Command::Run(Box::new(Run { program, parameter, check, json })))
}

/// Splits `--flag=value` and `-DN=3`.
fn split(argument: &str) -> (&str, Option<&str>) {
    match argument.strip_prefix("-D") {
        Some("") => ("-D", None),
        Some(definition) => ("-D", Some(definition)),
        None if argument.starts_with("--") => match argument.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (argument, None),
        },
        None => (argument, None),
    }
}

fn explorer(name: &str) -> Result<Algorithm, String> {
    let names = Algorithm::ALL.map(Algorithm::name);
    name.parse().map_err(|_| unknown("explorer", name, &names))
}

fn parameter(program: &Program, definitions: &[String]) -> Result<usize, String> {
    let mut given = None;
    for definition in definitions {
        let Some((name, value)) = definition.split_once('=') else {
            return Err(format!("`-D {definition}`: a parameter is set as `-D {PARAMETER}=3`"));
        };
        match program.body {
            Body::Plain(_) => return Err(format!("`{}` has no parameters", program.name)),
            Body::Sized { .. } if name != PARAMETER => {
                let program = program.name;
                return Err(format!(
                    "`{program}` has no parameter `{name}`: its only one is `{PARAMETER}`"
                ));
            }
            Body::Sized { least, .. } => {
                let value = number(&format!("-D {PARAMETER}"), value)?;
                if value < least {
                    let program = program.name;
                    return Err(format!("`{PARAMETER}` of `{program}` must be at least {least}"));
                }
                given = Some(value);
            }
        }
    }
    Ok(match program.body {
        Body::Plain(_) => 0,
        Body::Sized { default, .. } => given.unwrap_or(default),
    })
}

fn number<T: FromStr>(what: &str, value: &str) -> Result<T, String> {
    value.replace('_', "").parse().map_err(|_| format!("`{what} {value}`: that is not a number"))
}

/// Says that there is no such thing, and what there is.
fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let nearest = known.iter().min_by_key(|other| distance(name, other));
    let suggestion = match nearest {
        Some(other) if distance(name, other) <= name.len() / 3 + 1 => {
            format!("; did you mean `{other}`?")
        }
        _ => String::new(),
    };
    format!("there is no {what} `{name}`{suggestion}\nThere are {}", known.join(", "))
}

/// How many letters must be inserted, deleted or replaced to make `a` from `b`.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.chars().count()]
}

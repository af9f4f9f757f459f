//! Runs the programs of the tables with the command.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::published::{Programs, Published, Row, Statistics, Table};

/// How to run the programs.
pub(crate) struct Setting {
    pub(crate) command: PathBuf,
    pub(crate) root: PathBuf,
    /// The directory of the recordings, if there is one.
    pub(crate) recordings: Option<PathBuf>,
    /// The time limit of a run.
    pub(crate) seconds: u64,
    /// Whether times are shown.
    pub(crate) has_times: bool,
}

/// What Mazurka counted.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) executions: u64,
    pub(crate) blocked: u64,
    /// Steps that were executed for the first time.
    pub(crate) transitions: u64,
    /// The events of the unfolding.
    pub(crate) events: Option<u64>,
    pub(crate) cut_offs: Option<u64>,
    /// The time, unless times are not shown.
    pub(crate) seconds: Option<f64>,
    pub(crate) complete: bool,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Ran(Measured),
    /// The program was never published, or no run of Mazurka is comparable.
    Absent(String),
    Failed(String),
}

/// One line of a table: a program with one explorer.
pub(crate) struct Line<'a> {
    pub(crate) row: &'a Row,
    pub(crate) published: Published,
    pub(crate) outcome: Outcome,
}

/// Runs a row with all its explorers.
pub(crate) fn lines<'a>(setting: &Setting, table: &Table, row: &'a Row) -> Vec<Line<'a>> {
    let extra = row
        .extra
        .iter()
        .map(|explorer| Published { explorer: explorer.clone(), ..Published::default() });
    let all = row.runs.iter().cloned().chain(extra);
    all.map(|published| {
        let outcome = run(setting, table, row, &published);
        Line { row, published, outcome }
    })
    .collect()
}

fn run(setting: &Setting, table: &Table, row: &Row, published: &Published) -> Outcome {
    let absent = row.absent.as_ref().or(published.incomparable.as_ref());
    if let Some(why) = absent {
        return Outcome::Absent(why.clone());
    }
    let Some(program) = &row.program else {
        return Outcome::Failed("the row has no program".to_owned());
    };
    let n = published.n.or(row.n);
    let mut command = Command::new(&setting.command);
    command.current_dir(&setting.root).arg("check");
    match table.programs {
        Programs::C => {
            command.arg(format!("programs/{program}.c")).args(["--races", "off"]);
            command.args(n.map(|n| format!("-DN={n}")));
        }
        Programs::Erlang => {
            command.arg(format!("programs/{program}.erl")).args(["--ignore", "deadlock"]);
            command.args(["--call", &format!("{program}:test({})", n.unwrap_or(1))]);
        }
        Programs::Recordings => match &setting.recordings {
            Some(directory) => {
                command.arg(directory.join(program));
            }
            None => return Outcome::Absent("needs the option --recordings".to_owned()),
        },
    }
    command.args(["--algorithm", &published.explorer, "--json", "--workers", "1", "--no-scout"]);
    command.args(["--keep-going", "--explain", "0"]);
    command.args(["--time-limit", &setting.seconds.to_string()]);
    command.args(&table.arguments).args(&published.arguments);
    match measured(&mut command) {
        Ok(run) => {
            Outcome::Ran(Measured { seconds: run.seconds.filter(|_| setting.has_times), ..run })
        }
        Err(why) => Outcome::Failed(why),
    }
}

fn measured(command: &mut Command) -> Result<Measured, String> {
    let output =
        command.output().map_err(|error| format!("the command does not start: {error}"))?;
    let complaint = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let verdict: Value = serde_json::from_slice(&output.stdout).map_err(|_| complaint())?;
    let number = |name: &str| verdict[name].as_u64();
    let seconds = ["cpu_seconds", "seconds"].iter().find_map(|name| verdict[name].as_f64());
    Ok(Measured {
        executions: number("executions").ok_or_else(complaint)?,
        blocked: number("blocked").ok_or_else(complaint)?,
        transitions: number("events").unwrap_or_default(),
        events: verdict["unfolding"]["events"].as_u64(),
        cut_offs: verdict["unfolding"]["cut_offs"].as_u64(),
        seconds,
        complete: verdict["complete"] == true,
    })
}

/// Counts the operations, threads, events and locations of a recording.
pub(crate) fn statistics(directory: &Path) -> Result<Statistics, String> {
    let path = directory.join("trace.txt");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (mut threads, mut locations) = (BTreeSet::new(), BTreeSet::new());
    let (mut operations, mut events) = (0, 0);
    let is_operation =
        |line: &&str| line.len() > 2 && line.starts_with(|c: char| c.is_ascii_digit());
    for line in text.lines().filter(is_operation) {
        let mut words = line.split_whitespace().skip(1);
        let Some(operation) = words.next().filter(|operation| *operation != "START") else {
            continue;
        };
        let fields: Vec<(&str, &str)> = words.filter_map(|word| word.split_once(':')).collect();
        let field = |name: &str| {
            fields.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| *value)
        };
        operations += 1;
        match operation {
            "THREADINIT" => {
                threads.insert(field("tid"));
            }
            "CALL" => events += 1,
            "READ" | "WRITE" => {
                locations.insert((field("obj"), field("field")));
            }
            "READ-STATIC" | "WRITE-STATIC" => {
                locations.insert((field("class"), field("field")));
            }
            _ => {}
        }
    }
    Ok(Statistics { operations, threads: threads.len(), events, locations: locations.len() })
}

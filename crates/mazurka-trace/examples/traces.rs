//! Explores recordings and prints a table: `traces DIRECTORY [--algorithm NAME]… [--seconds N]`.
//!
//! Every directory below the given one that has a `trace.txt` is a recording. `cargo xtask traces`
//! runs this program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use mazurka_core::execution::Execution;
use mazurka_core::explore::Checkable;
use mazurka_core::model::{Ending, Program};
use mazurka_core::search::{Algorithm, Monitor, Options};
use mazurka_core::verdict::Violation;
use mazurka_trace::TraceProgram;

const HELP: &str = "\
Explores recordings of event-driven programs, and prints a table.

Usage: cargo xtask traces DIRECTORY [OPTIONS]

Every directory below the given one that has a trace.txt is a recording.

Options:
  --algorithm NAME  only this explorer; may be repeated
  --seconds N       how long an explorer may take for a recording [default: 60]
  -h, --help        print this
";

/// Counts the executions that end in a deadlock.
#[derive(Default)]
struct Deadlocked(u64);

impl<M> Monitor<M> for Deadlocked {
    fn ended(&mut self, _: &M, _: &Execution, ending: Option<&Ending>, _: Option<&Violation>) {
        self.0 += u64::from(matches!(ending, Some(Ending::Stuck(_))));
    }
}

struct Arguments {
    directory: PathBuf,
    algorithms: Vec<Algorithm>,
    seconds: u64,
}

fn main() -> ExitCode {
    if std::env::args().skip(1).any(|word| word == "--help" || word == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let result = arguments().and_then(|arguments| run(&arguments));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprint!("error: {message}\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut words = std::env::args().skip(1);
    let (mut directory, mut algorithms, mut seconds) = (None, Vec::new(), 60);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--algorithm" => algorithms.push(value()?.parse().map_err(|e| format!("{e}"))?),
            "--seconds" => {
                let text = value()?;
                seconds =
                    text.parse().map_err(|_| format!("`{text}` is not a number of seconds"))?;
            }
            _ if directory.is_none() && !word.starts_with('-') => {
                directory = Some(PathBuf::from(word));
            }
            _ => return Err(format!("I do not know what to do with `{word}`")),
        }
    }
    let directory = directory.ok_or(
        "which recordings? Give a directory that has directories with a trace.txt in them"
            .to_owned(),
    )?;
    if algorithms.is_empty() {
        algorithms = Algorithm::ALL.into_iter().filter(|a| *a != Algorithm::Naive).collect();
    }
    Ok(Arguments { directory, algorithms, seconds })
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let mut recordings = Vec::new();
    find(&arguments.directory, &mut recordings).map_err(|e| e.to_string())?;
    if recordings.is_empty() {
        return Err(format!("there is no trace.txt below {}", arguments.directory.display()));
    }
    recordings.sort();
    println!(
        "{:24} {:>5} {:14} {:>10} {:>9} {:>12} {:>10} {:>9}",
        "recording",
        "ops",
        "explorer",
        "executions",
        "blocked",
        "transitions",
        "deadlocked",
        "seconds"
    );
    for recording in recordings {
        let program = TraceProgram::read(&recording, None).map_err(|e| e.to_string())?;
        let name = recording.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for algorithm in &arguments.algorithms {
            let mut machine = program.start().map_err(|violation| violation.message)?;
            let options = Options {
                algorithm: *algorithm,
                keep_going: true,
                time_limit: Some(Duration::from_secs(arguments.seconds)),
                ..Options::default()
            };
            let mut deadlocked = Deadlocked::default();
            let verdict = TraceProgram::explore(&mut machine, &options, &mut deadlocked);
            let note = verdict.stopped.map_or(String::new(), |bound| format!("  ({bound})"));
            println!(
                "{name:24} {:>5} {:14} {:>10} {:>9} {:>12} {:>10} {:>9.3}{note}",
                program.lines().len(),
                algorithm.name(),
                verdict.executions,
                verdict.blocked,
                verdict.events,
                deadlocked.0,
                verdict.elapsed.as_secs_f64(),
            );
        }
    }
    Ok(())
}

/// Collects the directories that have a recording.
fn find(directory: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if directory.join("trace.txt").is_file() {
        found.push(directory.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, found)?;
        }
    }
    Ok(())
}

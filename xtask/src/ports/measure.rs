//! Running one test, with a time limit.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::packages::Package;
use super::{Checker, Options, fetch};

/// How a test ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Passed,
    /// It failed, with this message.
    Failed(String),
    /// It was killed by a signal, or aborted.
    Crashed,
    /// It did not end in time.
    Unfinished,
}

/// A test that was run.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) outcome: Outcome,
    /// The executions of all of its models that ended, if the checker has told them.
    pub(super) executions: Option<u64>,
    pub(super) time: Duration,
}

/// Runs a test.
pub(super) fn measure(
    package: &Package,
    checker: Checker,
    (executable, directory): (&Path, &Path),
    test: &str,
    options: &Options,
) -> io::Result<Measured> {
    // A file and not a pipe, which would have to be read meanwhile.
    let log = fetch::directory().join("output");
    let out = File::create(&log)?;
    let mut command = Command::new(executable);
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.current_dir(directory).envs(package.variables.iter().copied());
    command.env("LOOM_LOG", "info").env("MAZURKA_PROGRESS", "0").env("RUST_BACKTRACE", "0");
    if let Some(preemptions) = &options.preemptions {
        command.env("LOOM_MAX_PREEMPTIONS", preemptions);
    }
    command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > options.limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        thread::sleep(Duration::from_millis(2));
    };
    let time = start.elapsed();
    let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    let outcome = outcome(status, &text);
    Ok(Measured { outcome, executions: executions(checker, &text), time })
}

fn outcome(status: Option<ExitStatus>, text: &str) -> Outcome {
    match status {
        None => Outcome::Unfinished,
        Some(status) if status.success() => Outcome::Passed,
        // The test harness ends with 101 if a test has failed.
        Some(status) if status.code() == Some(101) => Outcome::Failed(message(text)),
        Some(_) => Outcome::Crashed,
    }
}

/// Returns what a failed test says: the finding of Mazurka, or the message of the first panic.
fn message(text: &str) -> String {
    let found = text.lines().find_map(|line| line.strip_prefix("Mazurka found "));
    let panic = || text.lines().skip_while(|line| !line.contains(" panicked at ")).nth(1);
    let line = found.or_else(panic).unwrap_or("no message");
    line.chars().take(60).collect()
}

/// Sums up the executions that a checker tells of.
fn executions(checker: Checker, text: &str) -> Option<u64> {
    let (before, after) = match checker {
        Checker::Mazurka => ("mazurka: ", " executions"),
        Checker::Loom => ("Completed in ", " iterations"),
    };
    let numbers = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once(before)?;
        rest.split_once(after)?.0.parse::<u64>().ok()
    });
    numbers.reduce(|sum, number| sum + number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_are_summed_up() {
        let text = "mazurka: 12 executions, 0 blocked, in 1ms\nmazurka: 3 executions, 1 blocked\n";
        assert_eq!(executions(Checker::Mazurka, text), Some(15));
        assert_eq!(executions(Checker::Loom, text), None);
        assert_eq!(executions(Checker::Loom, " INFO loom: Completed in 7 iterations\n"), Some(7));
    }

    #[test]
    fn a_failure_has_a_message() {
        let text = "thread 'a' panicked at a.rs:1:1:\nMazurka found a deadlock:\n";
        assert_eq!(message(text), "a deadlock:");
        assert_eq!(message("thread 'a' panicked at a.rs:1:1:\noops\n"), "oops");
    }
}

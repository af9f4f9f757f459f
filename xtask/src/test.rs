//! `cargo xtask test`: all checks that a change must pass.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::num::NonZero;
use std::process::{Command, ExitCode, Stdio};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use crate::run::cargo;

/// The profile of all steps: the explorers and machines are as fast as in a release build, with all
/// debug assertions. A test runs thousands of executions, and slow tests are not run. Lints and
/// documentation use the profile, too: macros and build scripts of dependencies are then built once.
const PROFILE: [&str; 15] = [
    "--config=profile.checked.inherits='release'",
    "--config=profile.checked.debug-assertions=true",
    "--config=profile.checked.overflow-checks=true",
    // Panics name their lines without it, and the build is a twelfth faster.
    "--config=profile.checked.debug=false",
    // More units to build in parallel, with fewer optimisations: the build becomes faster by more
    // than the tests become slower.
    "--config=profile.checked.codegen-units=16",
    "--config=profile.checked.incremental=false",
    // Every test is a separate program: link-time optimisation of each would take longer than
    // running it.
    "--config=profile.checked.lto='off'",
    // Tests themselves, command line and reports need not be fast.
    "--config=profile.checked.opt-level=1",
    // Nor need their dependencies. What Mazurka uses of them in hot code is generic, and is compiled
    // with Mazurka.
    "--config=profile.checked.package.'*'.opt-level=0",
    "--config=profile.checked.package.mazurka-core.opt-level=3",
    "--config=profile.checked.package.mazurka-testkit.opt-level=3",
    "--config=profile.checked.package.mazurka-llvm.opt-level=3",
    "--config=profile.checked.package.mazurka-erlang.opt-level=3",
    "--profile",
    "checked",
];

/// The numbers of passed and failed tests of all test programs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Totals {
    passed: u64,
    failed: u64,
}

/// Runs all steps, and stops at the first that fails.
pub(crate) fn test() -> ExitCode {
    let start = Instant::now();
    let mut totals = Totals::default();
    let failed = steps().into_iter().find_map(|(name, command)| {
        let result = step(name, command, &mut totals);
        result.err().map(|why| (name, why))
    });

    println!();
    match &failed {
        None => println!("All steps passed in {}.", seconds(start.elapsed())),
        Some((name, why)) => {
            println!("The step `{name}` failed: {why}. The steps after it were not run.");
        }
    }
    println!("{} passed, {} failed", totals.passed, totals.failed);
    if failed.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn steps() -> Vec<(&'static str, Command)> {
    let warnings = ["--", "-D", "warnings"];
    let tests = ["test", "--no-fail-fast", "--lib", "--bins", "--tests", "--examples"];
    let docs = ["test", "--no-fail-fast", "--doc"];
    // Users build `mazurka` without this feature, so the other tests do, too.
    let cluster = ["test", "-p", "mazurka", "--features", "cluster", "--test", "on_cluster"];
    // Some tests wait for other processes most of the time.
    let threads = 2 * available_parallelism().map_or(1, NonZero::get);
    let mut tests = cargo(&[&tests[..], &PROFILE].concat());
    tests.env("RUST_TEST_THREADS", threads.to_string());
    let mut rustdoc = cargo(&[&["doc", "--no-deps"][..], &PROFILE].concat());
    rustdoc.env("RUSTDOCFLAGS", "-D warnings");
    vec![
        ("format", cargo(&["fmt", "--all", "--check"])),
        ("lints", cargo(&[&["clippy", "--all-targets"][..], &PROFILE, &warnings].concat())),
        // The tests of the book run the examples.
        ("examples", cargo(&[&["build", "--examples"][..], &PROFILE].concat())),
        ("tests", tests),
        ("loom's own tests", looms_tests()),
        ("tests on a cluster", cargo(&[&cluster[..], &PROFILE].concat())),
        ("documentation tests", cargo(&[&docs[..], &PROFILE].concat())),
        ("documentation", rustdoc),
    ]
}

/// Returns the command that runs the tests of loom's crate on `mazurka-loom`.
fn looms_tests() -> Command {
    let mut ports = Command::new(env::current_exe().unwrap_or_else(|_| "xtask".into()));
    ports.args(["ports", "loom", "--only", "mazurka", "--debug"]);
    ports
}

/// Runs a step. Its output is printed immediately, and parsed for the totals.
fn step(name: &str, mut command: Command, totals: &mut Totals) -> Result<(), String> {
    println!("\n==> {name}");
    let start = Instant::now();
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cargo does not start: {error}"))?;

    let mut of_step = Totals::default();
    let stdout = child.stdout.take().expect("it is piped");
    copy_lines(BufReader::new(stdout), &mut io::stdout().lock(), |line| of_step.add(line))
        .map_err(|error| format!("its output is lost: {error}"))?;
    let status = child.wait().map_err(|error| format!("cargo is lost: {error}"))?;

    let result = if status.success() {
        Ok(())
    } else if of_step.failed > 0 {
        let s = if of_step.failed == 1 { "" } else { "s" };
        Err(format!("{} test{s} failed", of_step.failed))
    } else {
        if of_step.passed > 0 {
            // A test program that crashed prints no totals, but must not count as a success.
            of_step.failed = 1;
        }
        Err(format!("cargo ended with {status}"))
    };
    totals.passed += of_step.passed;
    totals.failed += of_step.failed;
    let verdict = if result.is_ok() { "passed" } else { "FAILED" };
    println!("<== {name}: {verdict} in {}", seconds(start.elapsed()));
    result
}

/// Copies bytes of any encoding, and calls `see` with every line.
fn copy_lines(
    mut from: impl BufRead,
    to: &mut impl Write,
    mut see: impl FnMut(&str),
) -> io::Result<()> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        to.write_all(&line)?;
        to.flush()?;
        see(&String::from_utf8_lossy(&line));
        line.clear();
    }
    Ok(())
}

impl Totals {
    /// Adds the totals of a test program, if this is the line that has them: `test result: ok. 12
    /// passed; 0 failed; 1 ignored; …`.
    fn add(&mut self, line: &str) {
        let Some((_, result)) = line.split_once("test result: ") else { return };
        let words: Vec<_> = result.split_whitespace().collect();
        for pair in words.windows(2) {
            let Ok(number) = pair[0].parse::<u64>() else { continue };
            match pair[1] {
                "passed;" => self.passed += number,
                "failed;" => self.failed += number,
                _ => {}
            }
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_summed_over_runners() {
        let mut totals = Totals::default();
        let output = "\
running 3 tests
test a ... ok
test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s
";
        let mut copy = Vec::new();
        copy_lines(output.as_bytes(), &mut copy, |line| totals.add(line)).unwrap();
        assert_eq!(totals, Totals { passed: 15, failed: 2 });
        assert_eq!(copy, output.as_bytes());
    }
}

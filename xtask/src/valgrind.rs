//! `cargo xtask valgrind`: random Rust programs with destructors, under valgrind.

use std::process::ExitCode;

use super::run;

/// The test that runs the programs. Bounds cut their executions short.
const TEST: &str = "random::destructors_in_abandoned_executions_do_no_harm";

/// Runs `seeds` programs. Fails if valgrind finds an invalid access.
///
/// Reads of uninitialised memory are not errors: to recognise spin loops, Mazurka compares whole stacks,
/// with variables that are not initialised yet.
pub(crate) fn valgrind(seeds: &str) -> ExitCode {
    if !seeds.parse::<u64>().is_ok_and(|seeds| seeds > 0) {
        eprintln!("error: `{seeds}` is not a number of programs");
        return ExitCode::from(2);
    }
    let runner = "valgrind --quiet --undef-value-errors=no --leak-check=no --error-exitcode=1";
    let test = ["test", "--package", "mazurka", "--lib", "--", "--exact", TEST, "--nocapture"];
    let mut command = run::cargo(&test);
    command.env("MAZURKA_TEST_SEEDS", seeds);
    // cargo reads the runner of the host from a variable that is named after it.
    command.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", runner);
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", runner);
    match command.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

//! C programs, run by `mazurka check`, and by GenMC if it is installed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

/// One check of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) executions: u64,
    /// The explorations that end in a variant of another execution.
    pub(crate) blocked: u64,
    /// The processor's, or those on the wall.
    pub(crate) seconds: f64,
    pub(crate) complete: bool,
    /// In bytes; `None` where the system does not say.
    pub(crate) peak_memory: Option<u64>,
}

/// Checks a program with these arguments and definitions of macros, for at most `limit`.
pub(crate) fn check(
    program: &Path,
    arguments: &[&str],
    macros: &str,
    limit: Duration,
) -> Result<Run, String> {
    let output = Command::new(command()?)
        .arg("check")
        .arg(program)
        .args(arguments)
        .arg("--json")
        .args(macros.split_whitespace().flat_map(|definition| ["-D", definition]))
        .args(["--time-limit", &limit.as_secs_f64().to_string()])
        .output()
        .map_err(|error| format!("mazurka does not start: {error}"))?;
    let complaint = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let verdict: Value = serde_json::from_slice(&output.stdout).map_err(|_| complaint())?;
    if verdict["violations"].as_array().is_some_and(|found| !found.is_empty()) {
        return Err(format!("it reports a violation: {}", verdict["violations"][0]["message"]));
    }
    let seconds = ["cpu_seconds", "seconds"].iter().find_map(|name| verdict[name].as_f64());
    Ok(Run {
        executions: verdict["executions"].as_u64().ok_or_else(complaint)?,
        blocked: verdict["blocked"].as_u64().unwrap_or(0),
        seconds: seconds.ok_or_else(complaint)?,
        complete: verdict["complete"] == true,
        peak_memory: verdict["peak_memory"].as_u64(),
    })
}

/// Runs GenMC under a memory model (`--sc`, `--rc11`), if there is a command of that name. Returns its
/// executions and seconds.
pub(crate) fn genmc(model: &str, program: &Path, macros: &str) -> Option<(u64, f64)> {
    let output = Command::new("genmc")
        .args([model, "--disable-estimation", "--"])
        .args(macros.split_whitespace().map(|definition| format!("-D{definition}")))
        .arg(program)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = |label: &str| {
        let line = text.lines().find(|line| line.contains(label))?;
        let value = line.rsplit(':').next()?.trim().trim_end_matches('s');
        value.parse::<f64>().ok()
    };
    Some((number("complete executions explored")? as u64, number("wall-clock time")?))
}

/// The command, built beside this program.
fn command() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let command = here.with_file_name("mazurka");
    match command.exists() {
        true => Ok(command),
        false => Err("build it first: cargo build --release -p mazurka-cli".to_owned()),
    }
}

/// Returns a program of the catalogue.
pub(crate) fn of_catalogue(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs").join(name).with_extension("c")
}

/// Returns a program of the benchmark, which has the memory orderings that such code has in practice.
pub(crate) fn with_orderings(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(name).with_extension("c")
}

//! C programs: executions, executions per second and peak memory of `mazurka check`, and what other
//! tools take for the same executions.
//!
//! Each is checked by the command in a process of its own, so that the memory is its own too. The time is
//! that of the exploration, without the compiler's: the processor's, where the system tells it, as for the
//! other tools.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mazurka_report::thousands;
use serde_json::{Value, json};

use crate::style::duration;

/// A program of the catalogue, with its parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) program: &'static str,
    pub(crate) n: usize,
    /// How many Mazurkiewicz traces it has; from the catalogue, never what Mazurka prints.
    traces: u64,
    /// The CPU seconds that other tools take for these executions, where that is known: Nidhugg with
    /// `--sc --optimal`, and GenMC with `--sc`.
    nidhugg: Option<f64>,
    genmc: Option<f64>,
}

const fn case(program: &'static str, n: usize, traces: u64) -> Case {
    Case { program, n, traces, nidhugg: None, genmc: None }
}

impl Case {
    const fn others(self, nidhugg: f64, genmc: f64) -> Self {
        Case { nidhugg: Some(nidhugg), genmc: Some(genmc), ..self }
    }
}

/// All of them.
pub(crate) const ALL: [Case; 8] = [
    case("fib_bench_unjoined", 5, 218_243).others(17.8, 5.1),
    case("lastwrite", 9, 362_880).others(46.0, 7.3),
    case("pthread_demo", 8, 12_870),
    case("readers", 13, 8_192).others(2.3, 0.35),
    case("indexer", 14, 512).others(1.3, 2.0),
    case("opt_lock", 10, 114_618).others(12.4, 2.6),
    case("lastzero", 10, 3_328).others(0.8, 0.19),
    case("casrot", 10, 38_486).others(7.1, 0.46),
];

/// How often each is run: the median of the times counts.
const RUNS: usize = 3;

/// What became of a case.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    case: Case,
    outcome: Result<Run, String>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    executions: u64,
    /// The processor's, or those on the wall.
    seconds: f64,
    complete: bool,
    /// In bytes; `None` where the system does not say.
    peak_memory: Option<u64>,
}

impl Row {
    /// Whether it is wrong: the command failed, or counted something else.
    pub(crate) fn is_wrong(&self) -> bool {
        match &self.outcome {
            Ok(run) => run.complete && run.executions != self.case.traces,
            Err(_) => true,
        }
    }
}

/// Checks a program, at most `limit` long.
pub(crate) fn measure(case: Case, limit: Duration) -> Row {
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        match run(case, limit) {
            Ok(run) => runs.push(run),
            Err(why) => return Row { case, outcome: Err(why) },
        }
    }
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Row { case, outcome: Ok(runs[RUNS / 2]) }
}

fn run(case: Case, limit: Duration) -> Result<Run, String> {
    let output = Command::new(command()?)
        .arg("check")
        .arg(programs().join(case.program).with_extension("c"))
        .args(["--algorithm", "optimal", "--races", "off", "--json"])
        .args(["-D", &format!("N={}", case.n)])
        .args(["--time-limit", &limit.as_secs_f64().to_string()])
        .output()
        .map_err(|error| format!("mazurka does not start: {error}"))?;
    let complaint = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let verdict: Value = serde_json::from_slice(&output.stdout).map_err(|_| complaint())?;
    let seconds = ["cpu_seconds", "seconds"].iter().find_map(|name| verdict[name].as_f64());
    Ok(Run {
        executions: verdict["executions"].as_u64().ok_or_else(complaint)?,
        seconds: seconds.ok_or_else(complaint)?,
        complete: verdict["complete"] == true,
        peak_memory: verdict["peak_memory"].as_u64(),
    })
}

/// The command, built beside this program.
pub(crate) fn command() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let command = here.with_file_name("mazurka");
    match command.exists() {
        true => Ok(command),
        false => Err("build it first: cargo build --release -p mazurka-cli".to_owned()),
    }
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs")
}

/// The head of the table.
pub(crate) fn header() -> String {
    let head = format!(
        "{:18} {:>3}  {:>10}  {:>9}  {:>12}  {:>9}  {:>10}  {:>10}",
        "C program", "n", "executions", "CPU time", "executions/s", "memory", "Nidhugg", "GenMC"
    );
    let rule = "-".repeat(head.len());
    format!("{head}\n{rule}")
}

/// A line of the table.
pub(crate) fn line(row: &Row) -> String {
    let head = format!("{:18} {:>3}", row.case.program, row.case.n);
    let run = match &row.outcome {
        Ok(run) => run,
        Err(why) => return format!("{head}  FAILED: {why}"),
    };
    let time = duration(Duration::from_secs_f64(run.seconds));
    let rate = thousands((run.executions as f64 / run.seconds.max(1e-9)) as u64);
    let memory = run.peak_memory.map_or("?".to_owned(), |bytes| format!("{} MiB", bytes >> 20));
    let times = |other: Option<f64>| {
        other.map_or(String::new(), |other| format!("{:.0} times", other / run.seconds.max(1e-9)))
    };
    let mut line = format!(
        "{head}  {:>10}  {time:>9}  {rate:>12}  {memory:>9}  {:>10}  {:>10}",
        thousands(run.executions),
        times(row.case.nidhugg),
        times(row.case.genmc)
    );
    if !run.complete {
        line.push_str("  the time was up");
    } else if row.is_wrong() {
        line.push_str(&format!("  WRONG: {} expected", thousands(row.case.traces)));
    }
    line.trim_end().to_owned()
}

/// Returns a row as JSON.
pub(crate) fn json(row: &Row) -> Value {
    let Case { program, n, traces, nidhugg, genmc } = row.case;
    match &row.outcome {
        Ok(run) => json!({
            "program": program, "n": n, "traces": traces,
            "executions": run.executions, "complete": run.complete, "seconds": run.seconds,
            "peak_memory": run.peak_memory, "nidhugg_seconds": nidhugg, "genmc_seconds": genmc,
        }),
        Err(why) => json!({ "program": program, "n": n, "traces": traces, "failed": why }),
    }
}

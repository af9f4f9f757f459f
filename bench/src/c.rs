//! C programs: executions, executions per second and peak memory of `mazurka check`, and what other
//! tools take for the same executions.
//!
//! Each is checked by the command in a process of its own, so that the memory is its own too. The time is
//! that of the exploration, without the compiler's: the processor's, where the system tells it, as for the
//! other tools.

use std::time::Duration;

use mazurka_report::thousands;
use serde_json::{Value, json};

use crate::command::{Run, check, of_catalogue};
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
    let arguments = ["--algorithm", "optimal", "--races", "off"];
    check(&of_catalogue(case.program), &arguments, &format!("N={}", case.n), limit)
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

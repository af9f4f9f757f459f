//! C programs under RC11: execution graphs, graphs per second and peak memory of `mazurka check`, beside
//! GenMC if it is installed.
//!
//! The programs have the memory orderings that such code has in practice. They are in `bench/programs`.

use std::time::Duration;

use mazurka_report::thousands;
use serde_json::{Value, json};

use crate::command::{Run, check, genmc, with_orderings};
use crate::style::duration;

/// A program, with its parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) program: &'static str,
    pub(crate) n: usize,
    /// How many graphs it has, where a formula or another tool says so.
    graphs: Option<u64>,
}

const fn case(program: &'static str, n: usize, graphs: Option<u64>) -> Case {
    Case { program, n, graphs }
}

/// All of them.
pub(crate) const ALL: [Case; 13] = [
    case("fib_bench", 5, None),
    // Each reader sees the store or not.
    case("readers", 13, Some(1 << 13)),
    // Programs with one location have the same graphs under all models, and as many as traces.
    case("casrot", 10, Some(38_486)),
    case("lastzero", 13, None),
    case("treiber_stack", 4, None),
    case("ms_queue", 3, None),
    case("mpmc_queue", 4, None),
    // The threads hold the lock in each order.
    case("ticket_lock", 6, Some(720)),
    case("clh_lock", 7, Some(5_040)),
    case("ttas_lock", 4, None),
    case("mcs_lock", 4, None),
    case("rwlock", 1, None),
    case("seqlock", 4, None),
];

/// What became of a case.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    case: Case,
    outcome: Result<Run, String>,
    /// The graphs and the seconds of GenMC, if it is installed and its output is understood.
    genmc: Option<(u64, f64)>,
}

impl Row {
    /// Returns whether the command failed, or counted another number of graphs than there are.
    pub(crate) fn is_wrong(&self) -> bool {
        match &self.outcome {
            Ok(run) => {
                run.complete && self.case.graphs.is_some_and(|expected| expected != run.executions)
            }
            Err(_) => true,
        }
    }
}

/// Checks a program for at most `limit`, by Mazurka and by GenMC.
pub(crate) fn measure(case: Case, limit: Duration) -> Row {
    let (program, macros) = (with_orderings(case.program), format!("N={}", case.n));
    // GenMC counts graphs by reads-from and coherence order, and here without symmetry reduction.
    let arguments = [
        "--algorithm",
        "graphs",
        "--memory-model",
        "rc11",
        "--coherence",
        "total",
        "--no-symmetry",
    ];
    let outcome = check(&program, &arguments, &macros, limit);
    Row { case, outcome, genmc: genmc("--rc11", &program, &macros) }
}

/// Returns the head of the table.
pub(crate) fn header() -> String {
    let head = format!(
        "{:18} {:>3}  {:>10}  {:>9}  {:>9}  {:>12}  {:>9}  {:>10}",
        "C under RC11", "n", "graphs", "blocked", "CPU time", "graphs/s", "memory", "GenMC"
    );
    let rule = "-".repeat(head.len());
    format!("{head}\n{rule}")
}

/// Returns a line of the table.
pub(crate) fn line(row: &Row) -> String {
    let head = format!("{:18} {:>3}", row.case.program, row.case.n);
    let run = match &row.outcome {
        Ok(run) => run,
        Err(why) => return format!("{head}  FAILED: {why}"),
    };
    let rate = |graphs: u64, seconds: f64| graphs as f64 / seconds.max(1e-9);
    let time = duration(Duration::from_secs_f64(run.seconds));
    let own = rate(run.executions, run.seconds);
    let memory = run.peak_memory.map_or("?".to_owned(), |bytes| format!("{} MiB", bytes >> 20));
    let genmc = row.genmc.map_or(String::new(), |(graphs, seconds)| {
        format!("{:.1} times", own / rate(graphs, seconds))
    });
    let mut line = format!(
        "{head}  {:>10}  {:>9}  {time:>9}  {:>12}  {memory:>9}  {genmc:>10}",
        thousands(run.executions),
        thousands(run.blocked),
        thousands(own as u64),
    );
    if !run.complete {
        line.push_str("  the time was up");
    } else if let Some(expected) = row.case.graphs.filter(|_| row.is_wrong()) {
        line.push_str(&format!("  WRONG: {} expected", thousands(expected)));
    }
    if let Some((graphs, _)) = row.genmc.filter(|(graphs, _)| *graphs != run.executions) {
        line.push_str(&format!("  GenMC counts {}", thousands(graphs)));
    }
    line.trim_end().to_owned()
}

/// Returns a row as JSON.
pub(crate) fn json(row: &Row) -> Value {
    let Case { program, n, graphs } = row.case;
    match &row.outcome {
        Ok(run) => json!({
            "program": program, "n": n, "expected": graphs, "graphs": run.executions,
            "blocked": run.blocked, "complete": run.complete, "seconds": run.seconds,
            "peak_memory": run.peak_memory,
            "genmc_graphs": row.genmc.map(|genmc| genmc.0),
            "genmc_seconds": row.genmc.map(|genmc| genmc.1),
        }),
        Err(why) => json!({ "program": program, "n": n, "failed": why }),
    }
}

//! C programs that wait in loops, and barriers: executions, blocked ones and times of `mazurka check`, beside what
//! GenMC runs.

use std::time::Duration;

use mazurka_report::thousands;
use serde_json::{Value, json};

use crate::command::{Run, check, genmc, of_catalogue};
use crate::style::duration;

/// A program, with definitions of its macros.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) program: &'static str,
    pub(crate) macros: &'static str,
    /// The executions of GenMC under sequential consistency, and the blocked ones: recorded elsewhere, on
    /// programs that do the same.
    genmc: (u64, u64),
}

const fn case(program: &'static str, macros: &'static str, genmc: (u64, u64)) -> Case {
    Case { program, macros, genmc }
}

/// All of them.
pub(crate) const ALL: [Case; 10] = [
    case("spin_for_last", "N=16", (1, 0)),
    case("ticket_lock", "N=5", (120, 588)),
    case("ttas_lock", "N=4", (576, 1_590)),
    case("mcs_lock", "N=4", (1_080, 1_009)),
    case("ms_queue", "N=2 R=2", (634, 1_554)),
    case("treiber_stack", "N=3 R=1", (666, 120)),
    case("mpmc_queue", "N=2", (284, 1_205)),
    case("seqlock", "N=2 R=3", (54, 3_766)),
    case("linux_rwlock", "N=2", (48, 188)),
    case("barrier", "N=5", (1, 0)),
];

/// What became of a case.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    case: Case,
    outcome: Result<Run, String>,
    /// The executions and the seconds of GenMC, if it is installed and its output is understood.
    genmc: Option<(u64, f64)>,
}

impl Row {
    /// Returns whether the command failed.
    pub(crate) fn is_wrong(&self) -> bool {
        self.outcome.is_err()
    }
}

/// Checks a program for at most `limit`, by Mazurka and by GenMC.
pub(crate) fn measure(case: Case, limit: Duration) -> Row {
    let program = of_catalogue(case.program);
    let arguments =
        ["--algorithm", "observers", "--no-symmetry", "--memory-model", "sc", "--workers", "1"];
    let outcome = check(&program, &arguments, case.macros, limit);
    Row { case, outcome, genmc: genmc("--sc", &program, case.macros) }
}

/// Returns the head of the table.
pub(crate) fn header() -> String {
    let head = format!(
        "{:18} {:>8}  {:>10}  {:>9}  {:>9}  {:>18}  {:>10}",
        "C with loops", "macros", "executions", "blocked", "CPU time", "GenMC (recorded)", "GenMC"
    );
    let rule = "-".repeat(head.len());
    format!("{head}\n{rule}")
}

/// Returns a line of the table.
pub(crate) fn line(row: &Row) -> String {
    let Case { program, macros, genmc: (executions, blocked) } = row.case;
    let head = format!("{program:18} {macros:>8}");
    let run = match &row.outcome {
        Ok(run) => run,
        Err(why) => return format!("{head}  FAILED: {why}"),
    };
    let time = duration(Duration::from_secs_f64(run.seconds));
    let recorded = format!("{} + {}", thousands(executions), thousands(blocked));
    let genmc =
        row.genmc.map_or(String::new(), |(_, seconds)| duration(Duration::from_secs_f64(seconds)));
    let mut line = format!(
        "{head}  {:>10}  {:>9}  {time:>9}  {recorded:>18}  {genmc:>10}",
        thousands(run.executions),
        thousands(run.blocked),
    );
    if !run.complete {
        line.push_str("  the time was up");
    }
    line.trim_end().to_owned()
}

/// Returns a row as JSON.
pub(crate) fn json(row: &Row) -> Value {
    let Case { program, macros, genmc } = row.case;
    match &row.outcome {
        Ok(run) => json!({
            "program": program, "macros": macros, "executions": run.executions,
            "blocked": run.blocked, "complete": run.complete, "seconds": run.seconds,
            "genmc_recorded": { "executions": genmc.0, "blocked": genmc.1 },
            "genmc_seconds": row.genmc.map(|genmc| genmc.1),
        }),
        Err(why) => json!({ "program": program, "macros": macros, "failed": why }),
    }
}

//! Programs of the catalogue on Mazurka alone, each with the explorer that it is for: message passing, and
//! observation functions. No other tool here runs them, so the targets are in time.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use mazurka::{Algorithm, Check};
use mazurka_report::thousands;
use serde_json::{Value, json};

use crate::catalogue;
use crate::style::duration;

/// A program with its parameter, and who explores it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) program: &'static str,
    pub(crate) n: usize,
    pub(crate) algorithm: Algorithm,
    /// How many executions there are; from the catalogue, never what Mazurka prints.
    executions: u64,
    /// How many workers share it. If there are several, it is the time on the clock that counts.
    workers: usize,
}

const fn case(program: &'static str, n: usize, algorithm: Algorithm, executions: u64) -> Case {
    Case { program, n, algorithm, executions, workers: 1 }
}

impl Case {
    const fn by(self, workers: usize) -> Self {
        Case { workers, ..self }
    }
}

/// All of them.
pub(crate) const ALL: [Case; 30] = {
    use Algorithm::{DataCentric, Observers, Optimal};
    [
        case("lastwrite", 9, Optimal, 362_880),
        case("fib_bench_unjoined", 5, Optimal, 218_243),
        case("fib_bench_unjoined", 5, Observers, 218_243),
        case("selective", 8, Observers, 1),
        case("selective", 8, Optimal, 40_320),
        case("not_selective", 8, Observers, 40_320),
        case("lock", 4, Observers, 24),
        case("lock", 5, Observers, 120),
        case("lock", 6, Observers, 720),
        case("lock", 7, Observers, 5_040),
        case("lock", 8, Observers, 40_320),
        case("lock", 6, Optimal, 95_040),
        case("opt_lock", 12, DataCentric, 139),
        case("opt_lock", 25, DataCentric, 295),
        case("opt_lock", 50, DataCentric, 595),
        case("opt_lock", 100, DataCentric, 1_195),
        case("opt_lock", 200, DataCentric, 2_395),
        case("redundant_co", 10, DataCentric, 331),
        case("redundant_co", 20, DataCentric, 1_261),
        case("redundant_co", 40, DataCentric, 4_921),
        case("lastzero", 10, DataCentric, 3_328),
        case("lastzero", 10, Optimal, 3_328),
        case("readers", 13, DataCentric, 8_192),
        case("readers", 13, Optimal, 8_192),
        case("fib_bench", 5, DataCentric, 8_953),
        case("fib_bench", 5, Optimal, 8_953),
        case("fib_bench_unjoined", 5, DataCentric, 218_243),
        case("lock", 8, Observers, 40_320).by(2),
        case("lastwrite", 9, Optimal, 362_880).by(2),
        case("fib_bench_unjoined", 5, Optimal, 218_243).by(2),
    ]
};

/// What became of a case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    case: Case,
    executions: u64,
    /// The processor's time, or that on the clock.
    elapsed: Duration,
    /// The length of the longest execution.
    depth: usize,
    complete: bool,
}

impl Row {
    /// Whether it counted something else than there is.
    pub(crate) fn is_wrong(&self) -> bool {
        self.complete && self.executions != self.case.executions
    }

    fn each(&self) -> f64 {
        self.elapsed.as_secs_f64() / self.executions.max(1) as f64
    }
}

/// Short explorations are repeated this often: the median of the times counts.
const RUNS: usize = 5;
const SHORT: Duration = Duration::from_secs(1);

/// Explores a program, at most `limit` long.
pub(crate) fn measure(case: Case, limit: Duration) -> Row {
    let mut rows = vec![run(case, limit)];
    while rows.len() < RUNS && rows[0].elapsed < SHORT {
        rows.push(run(case, limit));
    }
    rows.sort_by_key(|row| row.elapsed);
    rows[rows.len() / 2]
}

fn run(case: Case, limit: Duration) -> Row {
    let program = catalogue::find(case.program).expect("it is in the catalogue");
    let check = program.prepare(Check::new()).algorithm(case.algorithm).time_limit(limit);
    let (body, n) = (program.body, case.n);
    let (used, started) = (ProcessTime::now(), Instant::now());
    let verdict = check.keep_going(true).workers(case.workers).run(move || body.run(n));
    Row {
        case,
        executions: verdict.executions,
        elapsed: if case.workers == 1 { used.elapsed() } else { started.elapsed() },
        depth: verdict.max_depth,
        complete: verdict.is_complete(),
    }
}

/// The head of the table.
pub(crate) fn header() -> String {
    let head = format!(
        "{:20} {:>3}  {:12} {:>7} {:>12} {:>6}  {:>12}  {:>10}  {:>14}",
        "program",
        "n",
        "explorer",
        "workers",
        "executions",
        "depth",
        "time",
        "each",
        "executions/s"
    );
    let rule = "-".repeat(head.len());
    format!("{head}\n{rule}")
}

/// A line of the table.
pub(crate) fn line(row: &Row) -> String {
    let Case { program, n, algorithm, workers, .. } = row.case;
    let above = if row.complete { "" } else { "> " };
    let wrong = if row.is_wrong() { "  WRONG" } else { "" };
    format!(
        "{program:20} {n:>3}  {:12} {workers:>7} {:>12} {:>6}  {:>12}  {:>10}  {:>14}{wrong}",
        algorithm.name(),
        format!("{above}{}", thousands(row.executions)),
        row.depth,
        format!("{above}{}", duration(row.elapsed)),
        duration(Duration::from_secs_f64(row.each())),
        thousands((1.0 / row.each().max(1e-9)) as u64),
    )
}

/// What there is to read off the table: how the time of an execution grows, and how explorers compare on
/// one program.
pub(crate) fn summary(rows: &[Row]) -> String {
    let mut text = String::new();
    let of = |program: &'static str, algorithm| {
        let of = move |row: &&Row| {
            let Case { program: name, algorithm: by, workers, .. } = row.case;
            name == program && by == algorithm && workers == 1
        };
        rows.iter().filter(of)
    };
    let points = |rows: &mut dyn Iterator<Item = &Row>, x: fn(&Row) -> usize| -> Vec<(f64, f64)> {
        rows.map(|row| ((x(row) as f64).ln(), row.each().ln())).collect()
    };
    let opt_lock = points(&mut of("opt_lock", Algorithm::DataCentric), |row| row.case.n);
    if let Some(power) = slope(&opt_lock) {
        text.push_str(&format!(
            "opt_lock(n), data-centric: the time of an execution grows like n^{power:.2}\n"
        ));
    }
    let lock = points(&mut of("lock", Algorithm::Observers), |row| row.depth);
    if let Some(power) = slope(&lock) {
        text.push_str(&format!(
            "lock(n), observers: the time of an execution grows like its length^{power:.2}\n"
        ));
    }
    let same = |a: &Row, b: &Row| a.case.program == b.case.program && a.case.n == b.case.n;
    let is_optimal = |row: &Row| row.case.algorithm == Algorithm::Optimal && row.case.workers == 1;
    for other in rows.iter().filter(|row| row.case.algorithm != Algorithm::Optimal) {
        let optimal = rows.iter().find(|row| same(row, other) && is_optimal(row) && row.complete);
        let optimal = optimal.filter(|_| other.case.workers == 1);
        if let Some(optimal) = optimal.filter(|_| other.complete) {
            let times = other.elapsed.as_secs_f64() / optimal.elapsed.as_secs_f64();
            let Case { program, n, algorithm, .. } = other.case;
            text.push_str(&format!(
                "{program}({n}): {algorithm} takes {times:.3} times optimal's time\n"
            ));
        }
    }
    text
}

/// The slope of the straight line nearest to some points.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let mean =
        |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let covariance: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let variance: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    (points.len() > 2).then_some(covariance / variance)
}

/// Returns a row as JSON.
pub(crate) fn json(row: &Row) -> Value {
    let Case { program, n, algorithm, .. } = row.case;
    json!({
        "program": program, "n": n, "algorithm": algorithm.name(),
        "executions": row.executions, "max_depth": row.depth,
        "seconds": row.elapsed.as_secs_f64(), "exhausted": row.complete,
    })
}

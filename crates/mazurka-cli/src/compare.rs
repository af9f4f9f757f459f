//! `mazurka compare`.

use std::time::Duration;

use clap::ArgMatches;
use mazurka_core::memory::MemoryModel;
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::Verdict;
use mazurka_report::thousands;

use crate::args::CompareArgs;
use crate::front_end::{self, Source, Workers};
use crate::values::{self, Definition};
use crate::watchdog::{self, Watch};
use crate::{Complaint, Outcome, chart, interrupt, json, output};

pub(crate) fn run(args: &CompareArgs, given: &ArgMatches) -> Result<Outcome, Complaint> {
    if args.program.memory_model.is_some() || args.algorithms.contains(&Algorithm::Graphs) {
        return Err(
            "`compare` compares explorers of schedules: use `check --memory-model` instead"
                .to_owned(),
        );
    }
    args.html.iter().try_for_each(|path| output::has_directory(path))?;
    let unfolding = args.unfolding.options(&args.algorithms)?;
    let sampling = args.sampling.options(&args.algorithms)?;
    let range = range(&args.program.define)?;
    interrupt::listen();
    watchdog::start(Watch { memory_limit: args.bounds.memory_limit, json: args.json });
    // The time limit holds for each explorer.
    let check = watchdog::Check {
        name: Source::new(&args.files, &args.program).name(),
        time_limit: args.bounds.time_limit,
        saves: false,
    };
    let mut compared = Vec::new();
    let values = range.as_ref().map(|range| range.values.clone().map(Some).collect());
    for value in values.unwrap_or_else(|| vec![None]) {
        let mut options = args.program.clone();
        if let (Some(value), Some(range)) = (value, &range) {
            options.define[range.index].value = Some(i64::to_string(&value));
        }
        let source = Source::new(&args.files, &options);
        watchdog::begin(check.clone());
        let open = front_end::open(&source, given);
        let program = open.inspect_err(|_| watchdog::end_if_interrupted())?;
        for &algorithm in &args.algorithms {
            if interrupt::was_pressed() {
                break;
            }
            watchdog::begin(check.clone());
            // Those that stop at the first violation cannot be compared.
            let options = args.bounds.options(algorithm, args.memory.data_races(&args.program)?);
            let memory_model = MemoryModel::Sc;
            let options =
                Options { keep_going: true, unfolding, sampling, memory_model, ..options };
            let outcome = program.check(&options, Workers::ONE, None, Duration::ZERO)?;
            if let Some(complaint) = outcome.complaint() {
                return Err(complaint);
            }
            compared.push(Compared { value, outcome });
        }
    }
    let source = Source::new(&args.files, &args.program);
    let name = range.as_ref().map(|range| range.name.as_str());
    match args.json {
        true => println!("{}", json::of_comparison(&source, name, &compared)),
        false => print!("{}", table(name, &compared)),
    }
    if let Some(path) = &args.html {
        let title = format!("{}: {}", source.name(), name.unwrap_or("explorers"));
        output::write(path, &chart::page(&title, name, &compared, &table(name, &compared)))?;
    }
    let worst = compared.iter().map(|run| Outcome::of(&run.outcome.verdict)).max();
    Ok(worst.unwrap_or(Outcome::Stopped))
}

/// One explorer on one program.
pub(crate) struct Compared {
    /// The value of the parameter, if there is a range.
    pub(crate) value: Option<i64>,
    pub(crate) outcome: front_end::Outcome,
}

/// A macro with a range of values.
struct Range {
    index: usize,
    name: String,
    values: std::ops::RangeInclusive<i64>,
}

/// Returns the macro that has a range as its value, such as `N=2..9`.
fn range(defines: &[Definition]) -> Result<Option<Range>, Complaint> {
    let mut found = None;
    for (index, define) in defines.iter().enumerate() {
        let Some(value) = define.value.as_deref().filter(|value| value.contains("..")) else {
            continue;
        };
        let (low, high) = values::range(value).map_err(|error| format!("-D {define}: {error}"))?;
        let range = Range { index, name: define.name.clone(), values: low..=high };
        if found.replace(range).is_some() {
            return Err("only one macro may have a range of values".to_owned());
        }
    }
    Ok(found)
}

const HEADING: [&str; 8] =
    ["explorer", "executions", "blocked", "events", "time", "per second", "growth", "result"];

/// Returns a table with one row for each run. `parameter` is the name of the macro with a range.
fn table(parameter: Option<&str>, compared: &[Compared]) -> String {
    let mut rows = vec![HEADING.map(str::to_owned).to_vec()];
    for (index, run) in compared.iter().enumerate() {
        let mut row = row(&run.outcome.verdict).to_vec();
        row.insert(6, growth(&compared[..index], run).unwrap_or_default());
        rows.push(row);
    }
    match parameter {
        Some(name) => {
            let values = compared.iter().map(|run| run.value.unwrap_or_default().to_string());
            let cells = std::iter::once(name.to_owned()).chain(values);
            rows.iter_mut().zip(cells).for_each(|(row, cell)| row.insert(1, cell));
        }
        // Without a range, nothing grows.
        None => rows.iter_mut().for_each(|row| drop(row.remove(6))),
    }
    let columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &rows {
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            // Words to the left, numbers to the right.
            match column {
                0 => text.push_str(&format!("{cell:width$}")),
                _ if column + 1 == columns => text.push_str(&format!("  {cell}")),
                _ => text.push_str(&format!("  {cell:>width$}")),
            }
        }
        text.push('\n');
    }
    text
}

/// Returns how many times more executions an explorer runs than for the previous value.
fn growth(earlier: &[Compared], run: &Compared) -> Option<String> {
    let algorithm = run.outcome.verdict.algorithm;
    let before = earlier.iter().rev().find(|run| run.outcome.verdict.algorithm == algorithm)?;
    let count = |run: &Compared| run.outcome.verdict.executions + run.outcome.verdict.blocked;
    Some(format!("×{:.2}", count(run) as f64 / count(before).max(1) as f64))
}

fn row(verdict: &Verdict) -> [String; 7] {
    let mut kinds: Vec<_> = verdict.violations.iter().map(|v| v.kind.to_string()).collect();
    kinds.sort();
    kinds.dedup();
    let found = match kinds.is_empty() {
        true => "fine".to_owned(),
        false => kinds.join(", "),
    };
    let result = match verdict.stopped {
        None => found,
        Some(bound) if kinds.is_empty() => format!("incomplete: {bound}"),
        Some(bound) => format!("{found}; incomplete: {bound}"),
    };
    [
        verdict.algorithm.name().to_owned(),
        thousands(verdict.executions),
        thousands(verdict.blocked),
        thousands(verdict.events),
        format!("{:.3} s", verdict.elapsed.as_secs_f64()),
        thousands(verdict.rate() as u64),
        result,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_core::search::Algorithm;
    use mazurka_core::verdict::Bound;

    #[test]
    fn numbers_are_in_columns() {
        let compared = |value, verdict| Compared {
            value,
            outcome: front_end::Outcome {
                verdict,
                cpu_time: None,
                reports: Vec::new(),
                warnings: Vec::new(),
                cut_loops: Vec::new(),
            },
        };
        let verdict = Verdict {
            algorithm: Algorithm::Optimal,
            executions: 218_243,
            events: 5_000_000,
            elapsed: Duration::from_millis(1250),
            ..Verdict::default()
        };
        let other = Verdict {
            algorithm: Algorithm::Observers,
            executions: 12,
            blocked: 1,
            elapsed: Duration::from_secs(1),
            stopped: Some(Bound::Time),
            ..Verdict::default()
        };
        assert_eq!(
            table(None, &[compared(None, verdict.clone()), compared(None, other)]),
            "\
explorer   executions  blocked     events     time  per second  result
optimal       218,243        0  5,000,000  1.250 s     174,594  fine
observers          12        1          0  1.000 s          13  incomplete: the time limit was reached
"
        );

        let more = Verdict { executions: 436_486, ..verdict.clone() };
        let both = [compared(Some(3), verdict), compared(Some(4), more)];
        assert_eq!(
            table(Some("N"), &both),
            "\
explorer  N  executions  blocked     events     time  per second  growth  result
optimal   3     218,243        0  5,000,000  1.250 s     174,594          fine
optimal   4     436,486        0  5,000,000  1.250 s     349,188   ×2.00  fine
"
        );
    }

    #[test]
    fn one_macro_may_have_a_range() {
        let define = |text| values::definition(text).unwrap();
        let found = range(&[define("M=1"), define("N=2..4")]).unwrap().unwrap();
        assert_eq!((found.index, found.name.as_str(), found.values), (1, "N", 2..=4));
        assert!(range(&[define("N=5"), define("NDEBUG")]).unwrap().is_none());
        assert!(range(&[define("N=1..2"), define("M=1..2")]).is_err());
        assert!(range(&[define("N=4..2")]).is_err());
    }
}

//! `mazurka compare`.

use clap::ArgMatches;
use mazurka_core::memory::MemoryModel;
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::Verdict;
use mazurka_report::thousands;

use crate::args::CompareArgs;
use crate::front_end::{self, Source, Workers};
use crate::{Complaint, Outcome, interrupt, json};

pub(crate) fn run(args: &CompareArgs, given: &ArgMatches) -> Result<Outcome, Complaint> {
    let source = Source { files: &args.files, options: &args.program };
    if args.program.memory_model.is_some() || args.algorithms.contains(&Algorithm::Graphs) {
        return Err(
            "`compare` compares explorers of schedules: use `check --memory-model` instead"
                .to_owned(),
        );
    }
    let unfolding = args.unfolding.options(&args.algorithms)?;
    let program = front_end::open(&source, given)?;
    interrupt::listen();
    let mut outcomes = Vec::new();
    for &algorithm in &args.algorithms {
        if interrupt::was_pressed() {
            break;
        }
        // Those that stop at the first violation cannot be compared.
        let options = args.bounds.options(algorithm, args.memory.races);
        let memory_model = MemoryModel::Sc;
        let options = Options { keep_going: true, unfolding, memory_model, ..options };
        let outcome = program.check(&options, Workers::ONE, None)?;
        if let Some(complaint) = outcome.complaint() {
            return Err(complaint);
        }
        outcomes.push(outcome);
    }
    match args.json {
        true => println!("{}", json::of_comparison(&source, &outcomes)),
        false => print!("{}", table(outcomes.iter().map(|outcome| &outcome.verdict))),
    }
    let worst = outcomes.iter().map(|outcome| Outcome::of(&outcome.verdict)).max();
    Ok(worst.unwrap_or(Outcome::Stopped))
}

const HEADING: [&str; 7] =
    ["explorer", "executions", "blocked", "events", "time", "per second", "result"];

fn table<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> String {
    let mut rows = vec![HEADING.map(str::to_owned)];
    rows.extend(verdicts.map(row));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..HEADING.len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &rows {
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            // Words to the left, numbers to the right.
            match column {
                0 => text.push_str(&format!("{cell:width$}")),
                6 => text.push_str(&format!("  {cell}")),
                _ => text.push_str(&format!("  {cell:>width$}")),
            }
        }
        text.push('\n');
    }
    text
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
    use std::time::Duration;

    #[test]
    fn numbers_are_in_columns() {
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
            table([&verdict, &other].into_iter()),
            "\
explorer   executions  blocked     events     time  per second  result
optimal       218,243        0  5,000,000  1.250 s     174,594  fine
observers          12        1          0  1.000 s          13  incomplete: the time limit was reached
"
        );
    }
}

//! How results are shown: a table with a line as soon as a run has ended, or JSON in the end.

use mazurka_report::thousands;
use serde_json::{Value, json};

use crate::style::duration;
use crate::targets::{Judgement, Met, Target};
use crate::tools::{Outcome, Row};
use crate::{alone, awaits, c, weak};

/// The head of the table.
pub(crate) fn header() -> String {
    let head = format!(
        "{:16} {:>3}  {:>9}  {:8} {:>14}  {:>12}  {:>14}",
        "program", "n", "traces", "tool", "executions", "time", "executions/s"
    );
    let rule = "-".repeat(head.len());
    format!("{head}\n{rule}")
}

/// A line of the table.
pub(crate) fn line(row: &Row) -> String {
    let (program, n) = (row.case.program, row.case.n);
    let head = format!(
        "{:16} {n:>3}  {:>9}  {:8}",
        program.name(),
        thousands(program.traces(n)),
        row.tool.name()
    );
    match &row.outcome {
        Outcome::Ran(run) => {
            let above = if run.exhausted { "" } else { "> " };
            let executions = format!("{above}{}", thousands(run.executions));
            let time = format!("{above}{}", duration(run.elapsed));
            format!("{head} {executions:>14}  {time:>12}  {:>14}", thousands(run.rate() as u64))
        }
        Outcome::Skipped(why) => format!("{head} cannot: {why}"),
        Outcome::Failed(why) => format!("{head} FAILED: {why}"),
    }
}

/// The targets: a line each, and a summary.
pub(crate) fn judgements(judgements: &[Judgement]) -> String {
    let mut text = String::new();
    for judgement in judgements {
        text.push_str(&format!("{judgement}\n"));
    }
    text.push('\n');
    for target in Target::ALL {
        let of = |met| judgements.iter().filter(|j| j.target == target && j.met == met).count();
        let (yes, no, open) = (of(Met::Yes), of(Met::No), of(Met::Open));
        let verdict = if no == 0 { "reached" } else { "MISSED" };
        let open = if open == 0 { String::new() } else { format!(", {open} open") };
        text.push_str(&format!(
            "{:5}  {verdict}: {} on {yes} of {} programs{open}\n",
            target.name(),
            target.summary(),
            yes + no
        ));
    }
    text
}

/// Everything, as one JSON object.
pub(crate) fn json(
    seconds: f64,
    rows: &[Row],
    judgements: &[Judgement],
    alone: &[alone::Row],
    (c, awaits, weak): (&[c::Row], &[awaits::Row], &[weak::Row]),
) -> Value {
    json!({
        "seconds_limit": seconds,
        "runs": rows.iter().map(json_row).collect::<Vec<_>>(),
        "targets": judgements.iter().map(json_judgement).collect::<Vec<_>>(),
        "alone": alone.iter().map(alone::json).collect::<Vec<_>>(),
        "c": c.iter().map(c::json).collect::<Vec<_>>(),
        "loops": awaits.iter().map(awaits::json).collect::<Vec<_>>(),
        "rc11": weak.iter().map(weak::json).collect::<Vec<_>>(),
    })
}

fn json_row(row: &Row) -> Value {
    let (program, n) = (row.case.program, row.case.n);
    let (name, traces, tool) = (program.name(), program.traces(n), row.tool.name());
    match &row.outcome {
        Outcome::Ran(run) => json!({
            "program": name, "n": n, "traces": traces, "tool": tool,
            "executions": run.executions, "complete": run.exhausted,
            "seconds": run.elapsed.as_secs_f64(), "rate": run.rate(),
        }),
        Outcome::Skipped(why) => {
            json!({ "program": name, "n": n, "traces": traces, "tool": tool, "skipped": why })
        }
        Outcome::Failed(why) => {
            json!({ "program": name, "n": n, "traces": traces, "tool": tool, "failed": why })
        }
    }
}

fn json_judgement(judgement: &Judgement) -> Value {
    let reached = match judgement.met {
        Met::Yes => Some(true),
        Met::No => Some(false),
        Met::Open => None,
    };
    json!({
        "target": judgement.target.name(),
        "program": judgement.case.program.name(), "n": judgement.case.n,
        "reached": reached, "why": judgement.why,
    })
}

//! How results are shown: a table with a line as soon as a run has ended, or JSON in the end.

use std::time::Duration;

use crate::targets::{Judgement, Met, Target};
use crate::tools::Outcome;
use crate::{Row, alone, c};

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
    c: &[c::Row],
) -> String {
    let runs: Vec<_> = rows.iter().map(json_row).collect();
    let targets: Vec<_> = judgements.iter().map(json_judgement).collect();
    let alone: Vec<_> = alone.iter().map(alone::json).collect();
    let c: Vec<_> = c.iter().map(c::json).collect();
    format!(
        "{{\n  \"seconds_limit\": {seconds},\n  \"runs\": [\n    {}\n  ],\n  \"targets\": [\n    {}\n  ],\n  \"alone\": [\n    {}\n  ],\n  \"c\": [\n    {}\n  ]\n}}",
        runs.join(",\n    "),
        targets.join(",\n    "),
        alone.join(",\n    "),
        c.join(",\n    ")
    )
}

fn json_row(row: &Row) -> String {
    let (program, n) = (row.case.program, row.case.n);
    let head = format!(
        "{{\"program\": {}, \"n\": {n}, \"traces\": {}, \"tool\": {}",
        quoted(program.name()),
        program.traces(n),
        quoted(row.tool.name())
    );
    match &row.outcome {
        Outcome::Ran(run) => format!(
            "{head}, \"executions\": {}, \"complete\": {}, \"seconds\": {:.9}, \"rate\": {:.1}}}",
            run.executions,
            run.exhausted,
            run.elapsed.as_secs_f64(),
            run.rate()
        ),
        Outcome::Skipped(why) => format!("{head}, \"skipped\": {}}}", quoted(why)),
        Outcome::Failed(why) => format!("{head}, \"failed\": {}}}", quoted(why)),
    }
}

fn json_judgement(judgement: &Judgement) -> String {
    format!(
        "{{\"target\": {}, \"program\": {}, \"n\": {}, \"reached\": {}, \"why\": {}}}",
        quoted(judgement.target.name()),
        quoted(judgement.case.program.name()),
        judgement.case.n,
        match judgement.met {
            Met::Yes => "true",
            Met::No => "false",
            Met::Open => "null",
        },
        quoted(&judgement.why)
    )
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// `1234567` as `1,234,567`.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time with three digits or so.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds >= 1.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 1e-3 {
        format!("{:.2} ms", seconds * 1e3)
    } else {
        format!("{:.1} µs", seconds * 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(6_812_345), "6,812,345");
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(quoted("a \"b\"\n\\"), "\"a \\\"b\\\"\\u000a\\\\\"");
    }
}

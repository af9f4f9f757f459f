//! The tables as Markdown.

use crate::measure::{Line, Measured, Outcome, Setting, statistics};
use crate::published::{Published, Row, Statistics};

const HEAD: &str = "\
| program | explorer | published | Mazurka | ratio | published time | Mazurka's time | remark |
|---|---|--:|--:|--:|--:|--:|---|
";

/// Returns a table of runs.
pub(crate) fn runs(lines: &[Line<'_>]) -> String {
    let mut text = HEAD.to_owned();
    let mut last = "";
    for line in lines {
        let name = match line.row.name == last {
            true => String::new(),
            false => line.row.name.replace('*', "\\*"),
        };
        last = &line.row.name;
        let (measured, time) = match &line.outcome {
            Outcome::Ran(measured) => {
                (counted(line, measured), measured.seconds.map(seconds).unwrap_or_default())
            }
            Outcome::Absent(_) | Outcome::Failed(_) => (String::new(), String::new()),
        };
        let cells = [
            name,
            explorer(&line.published),
            published(&line.published),
            measured,
            ratio(line).map(decimal).unwrap_or_default(),
            published_time(&line.published),
            time,
            remark(line),
        ];
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text
}

/// Returns the explorer of a line, with the arguments that matter.
pub(crate) fn explorer(published: &Published) -> String {
    match published.arguments.is_empty() {
        true => format!("`{}`", published.explorer),
        false => format!("`{} {}`", published.explorer, published.arguments.join(" ")),
    }
}

/// Returns the published executions, and what else was published.
fn published(published: &Published) -> String {
    let Some(executions) = published.executions else {
        return match (published.finds, published.unfinished) {
            (true, _) => "finds the bug".to_owned(),
            (_, true) => "not finished".to_owned(),
            _ => String::new(),
        };
    };
    let mut text = sum(executions, published.blocked);
    if published.killed {
        text = format!("> {text}");
    }
    let mut more = Vec::new();
    more.extend(published.transitions.map(|number| format!("{} transitions", grouped(number))));
    more.extend(published.events.map(|number| format!("{} events", grouped(number))));
    more.extend(published.below_events.map(|number| format!("< {} events", grouped(number))));
    more.extend(published.cut_offs.map(|number| format!("{} cut-offs", grouped(number))));
    with(text, &more)
}

/// Returns the measured executions, and whatever else was published.
fn counted(line: &Line<'_>, measured: &Measured) -> String {
    let mut text = sum(measured.executions, measured.blocked);
    if !measured.complete {
        text = format!("> {text}");
    }
    let wanted = &line.published;
    let is_extra = wanted.executions.is_none() && !wanted.unfinished;
    let mut more = Vec::new();
    if wanted.transitions.is_some() || is_extra {
        more.push(format!("{} transitions", grouped(measured.transitions)));
    }
    if let (Some(events), true) = (measured.events, measured.complete) {
        more.push(format!("{} events", grouped(events)));
    }
    if let (Some(cut_offs), Some(_)) = (measured.cut_offs, wanted.cut_offs) {
        more.push(format!("{} cut-offs", grouped(cut_offs)));
    }
    with(text, &more)
}

fn with(text: String, more: &[String]) -> String {
    match more.is_empty() {
        true => text,
        false => format!("{text} ({})", more.join(", ")),
    }
}

/// Returns the executions, and those that ended early.
fn sum(executions: u64, blocked: u64) -> String {
    match blocked {
        0 => grouped(executions),
        blocked => format!("{} + {}", grouped(executions), grouped(blocked)),
    }
}

/// Returns how many times the published executions Mazurka runs, if both are known.
pub(crate) fn ratio(line: &Line<'_>) -> Option<f64> {
    let Outcome::Ran(measured) = &line.outcome else { return None };
    let published = line.published.executions? + line.published.blocked;
    let is_known = measured.complete && !line.published.killed;
    is_known.then(|| (measured.executions + measured.blocked) as f64 / published as f64)
}

fn remark(line: &Line<'_>) -> String {
    match &line.outcome {
        Outcome::Absent(why) => why.clone(),
        Outcome::Failed(why) => format!("FAILED: {}", why.replace(['\n', '|'], " ")),
        Outcome::Ran(measured) if !measured.complete => "stopped by the time limit".to_owned(),
        Outcome::Ran(_) => match ratio(line) {
            Some(1.0) if same_details(line) => String::new(),
            _ if line.published.unfinished || line.published.executions.is_none() => String::new(),
            _ => line.row.remark.clone(),
        },
    }
}

/// Returns whether transitions, events and cut-offs are the published ones, too.
fn same_details(line: &Line<'_>) -> bool {
    let Outcome::Ran(measured) = &line.outcome else { return false };
    let same = |published: Option<u64>, own: Option<u64>| published.is_none() || published == own;
    same(line.published.transitions, Some(measured.transitions))
        && same(line.published.events, measured.events)
        && same(line.published.cut_offs, measured.cut_offs)
}

/// Returns a table of recordings.
pub(crate) fn recordings(setting: &Setting, rows: &[Row]) -> String {
    let mut text = "\
| recording | operations | Mazurka | threads | Mazurka | events | Mazurka | locations | Mazurka | remark |
|---|--:|--:|--:|--:|--:|--:|--:|--:|---|
"
    .to_owned();
    for row in rows {
        let Some(published) = row.statistics else { continue };
        let (own, remark) = match (&row.program, &setting.recordings) {
            (None, _) => (None, row.absent.clone().unwrap_or_default()),
            (Some(_), None) => (None, "needs the option --recordings".to_owned()),
            (Some(program), Some(directory)) => match statistics(&directory.join(program)) {
                Ok(own) if own == published => (Some(own), String::new()),
                Ok(own) => (Some(own), row.remark.clone()),
                Err(error) => (None, error),
            },
        };
        let mut cells = vec![row.name.clone()];
        let columns: [fn(&Statistics) -> usize; 4] =
            [|s| s.operations, |s| s.threads, |s| s.events, |s| s.locations];
        for column in columns {
            cells.push(column(&published).to_string());
            cells.push(own.map(|own| column(&own).to_string()).unwrap_or_default());
        }
        cells.push(remark);
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text
}

fn published_time(published: &Published) -> String {
    match (published.seconds, published.below_seconds) {
        (Some(time), _) if published.killed => format!("> {}", seconds(time)),
        (Some(time), _) => seconds(time),
        (None, Some(time)) => format!("< {}", seconds(time)),
        (None, None) => String::new(),
    }
}

/// Returns a time in the unit that people would use.
fn seconds(seconds: f64) -> String {
    match seconds {
        0.0..0.01 => "< 0.01 s".to_owned(),
        0.01..10.0 => format!("{seconds:.2} s"),
        10.0..600.0 => format!("{seconds:.0} s"),
        600.0..18_000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.0} h", seconds / 3600.0),
    }
}

/// Returns a ratio with two significant digits.
fn decimal(ratio: f64) -> String {
    match ratio {
        1.0 => "1".to_owned(),
        0.995..1.005 => format!("{ratio:.5}"),
        0.095..9.5 => format!("{ratio:.2}"),
        9.5.. => format!("{ratio:.0}"),
        _ => format!("{ratio:.4}"),
    }
}

/// Returns a number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

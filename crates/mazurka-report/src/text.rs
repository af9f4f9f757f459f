//! The text of reports.

use std::fmt::Write;

use crate::recording::{Line, LineKind};
use crate::report::Origin;
use crate::rows::rows;
use crate::style::{Paint, Style, count};
use crate::table::{self, Shown};
use crate::{Explanation, Report};
use mazurka_core::verdict::{Violation, ViolationKind};

/// The maximum number of lines of the program's output that are shown; the last ones are.
const MOST_OUTPUT: usize = 20;

/// Returns the whole text, and whether a part of the schedule is folded. `whole` says where the
/// whole report is.
pub(crate) fn render(report: &Report, style: &Style, whole: Option<&str>) -> Shown {
    let mut text = style.paint(Paint::Wrong, &headline(report));
    text.push('\n');
    if let Some(violation) = &report.violation {
        if !report.refuses_replay() {
            text.push_str(&explanation(violation, style));
        }
        if let Some(accesses) = accesses(report, violation) {
            text.push_str(&accesses);
        }
    }
    if let Some(explanation) = &report.explanation
        && !explanation.sentences.is_empty()
    {
        text.push('\n');
        for line in wrap(&explanation.text(), style.width) {
            let _ = writeln!(text, "{line}");
        }
    }
    let mut folded = false;
    if report.has_schedule() {
        let mut rows = rows(&report.recording, report.violation.as_ref());
        let decisive = report.explanation.as_ref().map(Explanation::decisive).unwrap_or_default();
        for row in &mut rows {
            row.decisive = row.step.is_some_and(|step| decisive.contains(&(step - 1)));
        }
        let shown = table::show(&rows, &report.threads, &report.recording.words, style);
        let _ = write!(text, "\n{}\n", shown.text);
        folded = shown.folded;
        if let Some(whole) = whole {
            let _ = writeln!(text, "\n{whole}");
        }
    }
    text.push_str(&output(report));
    text.push_str(&footer(report));
    Shown { text, folded }
}

/// Returns a one-line summary.
pub(crate) fn headline(report: &Report) -> String {
    let Some(violation) = &report.violation else {
        return format!(
            "Mazurka replayed a schedule of {}: it does not fail",
            count(report.schedule.steps().len() as u64, "step")
        );
    };
    if let (Origin::Replay { steps }, Some(misfit)) = (report.origin, &report.recording.misfit) {
        let step = misfit.step;
        let asked = report.asked.steps().get(step).map(|step| step.to_string()).unwrap_or_default();
        return format!(
            "Mazurka cannot replay this schedule: it does not fit the program.\n\
             Its step {} of {steps} is `{asked}`, but {}.\n\
             Was the program changed since the schedule was printed?",
            step + 1,
            misfit.instead
        );
    }
    let kind = violation.kind.to_string();
    let article = if kind.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    match report.origin {
        Origin::Search => {
            let executions = count(violation.execution, "execution");
            format!("Mazurka found {article} {kind} after {executions}:")
        }
        Origin::Replay { .. } => {
            format!("Mazurka replayed a schedule, and found {article} {kind}:")
        }
    }
}

/// Returns the message of a violation.
fn explanation(violation: &Violation, style: &Style) -> String {
    let mut text = String::new();
    // Keep the program's own text as it is. Only Mazurka's text after it is laid out.
    let mut is_ours = !violation.kind.quotes_program();
    for line in violation.message.lines() {
        match wait(line).filter(|_| is_ours) {
            Some(wait) => text.push_str(&wait),
            None if is_ours => {
                for line in wrap(line, style.width) {
                    let _ = writeln!(text, "{}", style.paint(Paint::Strong, &line));
                }
            }
            None => {
                let _ = writeln!(text, "{}", style.paint(Paint::Strong, line));
            }
        }
        is_ours |= line == "and then no thread could go on:";
    }
    text
}

/// Breaks a line between words, and indents the following lines like the first.
fn wrap(line: &str, width: usize) -> Vec<String> {
    let words = line.trim_start();
    let indent = &line[..line.len() - words.len()];
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        let length = |text: &str| text.chars().count();
        match lines.last_mut() {
            Some(last) if length(last) + 1 + length(word) <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(format!("{indent}{word}")),
        }
    }
    lines
}

/// Lays out a line such as `  'a' waits for lock `b`, held by 'c' since x.rs:1:2, at x.rs:3:4`.
fn wait(line: &str) -> Option<String> {
    let line = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
    let verb = ["waits for ", "spins "].iter().find_map(|verb| line.find(&format!(" {verb}")))?;
    let (thread, what) = (&line[..verb], &line[verb + 1..]);
    let (what, place) = what.rsplit_once(", at ")?;
    let (what, holder) = match what.split_once(", held by ") {
        Some((what, holder)) => (what, Some(holder)),
        None => (what, None),
    };
    let mut text = format!("  {thread} {what}\n      at       {place}\n");
    if let Some(holder) = holder {
        let _ = writeln!(text, "      held by  {holder}");
    }
    Some(text)
}

/// Returns both accesses of a data race, and where the memory was created.
pub(crate) fn accesses(report: &Report, violation: &Violation) -> Option<String> {
    let (first, second) = racing_lines(report, violation)?;
    let who = |line: &Line| format!("'{}'", report.threads[line.process.index()]);
    let longest = |a: &str, b: &str| a.chars().count().max(b.chars().count());
    let names = longest(&who(first), &who(second));
    let texts = longest(&first.text, &second.text);
    let mut text = String::new();
    if let Some(object) = second.object.as_ref().or(first.object.as_ref()) {
        let _ = writeln!(text, "  the memory     {object}");
    }
    for (name, line) in [("first access ", first), ("second access", second)] {
        let place = line.place.as_ref().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "  {name}  {:names$}  {:texts$}  at {place}", who(line), line.text);
    }
    if let Some(missing) = missing(report, violation) {
        let _ = writeln!(text, "  {missing}");
    }
    Some(text)
}

/// Returns which ordering would make the accesses of a data race happen one after the other.
fn missing(report: &Report, violation: &Violation) -> Option<String> {
    let missing = violation.missing?;
    let place = |step: usize| {
        let mut lines = report.recording.lines.iter();
        let line = lines.find(|line| line.step == step && line.kind == LineKind::Operation)?;
        line.place.as_ref().map(ToString::to_string)
    };
    let (store, load) = (place(missing.store)?, place(missing.load)?);
    Some(match (missing.is_store_weak, missing.is_load_weak) {
        (true, false) => format!(
            "the store at {store} does not release: with release, the load at {load} would happen \
             after it"
        ),
        (false, _) => format!(
            "the load at {load} does not acquire: with acquire, it would happen after the store at \
             {store}"
        ),
        (true, true) => format!(
            "the store at {store} does not release, and the load at {load} does not acquire: with \
             release and acquire, the load would happen after the store"
        ),
    })
}

/// Returns the lines of the two accesses of a data race.
pub(crate) fn racing_lines<'a>(
    report: &'a Report,
    violation: &Violation,
) -> Option<(&'a Line, &'a Line)> {
    let (first, second) = violation.accesses?;
    let lines = &report.recording.lines;
    let of_step =
        |step| lines.iter().find(|line| line.step == step && line.kind == LineKind::Operation);
    Some((of_step(first)?, of_step(second)?))
}

/// Returns the output of the program.
fn output(report: &Report) -> String {
    let output = &report.recording.output;
    if output.is_empty() {
        return String::new();
    }
    let lines: Vec<&str> = output.lines().collect();
    let mut text = String::from("\nThe program printed:\n");
    let left_out = lines.len().saturating_sub(MOST_OUTPUT);
    if left_out > 0 {
        let _ = writeln!(text, "  … {} …", count(left_out as u64, "more line"));
    }
    for line in &lines[left_out..] {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// Returns advice on what to do next.
fn footer(report: &Report) -> String {
    let mut text = String::new();
    let steps = report.schedule.steps().len();
    if let Origin::Replay { steps: asked } = report.origin
        && steps > asked
        && report.recording.misfit.is_none()
    {
        let _ = write!(
            text,
            "\nThe schedule has {} only; Mazurka chose the steps after them.\n",
            count(asked as u64, "step")
        );
    }
    let Some(violation) = &report.violation else { return text };
    if report.is_elusive() {
        text.push_str(
            "\nThe violation did not occur again when Mazurka replayed the schedule: does the \
             program depend on anything but its schedule?\n",
        );
    }
    if report.recording.misfit.is_some() || violation.kind == ViolationKind::Nondeterminism {
        return text;
    }
    if report.origin == Origin::Search && !report.replay_command.is_empty() {
        let _ = write!(text, "\nTo see it again:\n  {}\n", report.replay_command);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn long_lines_keep_their_indentation() {
        assert_eq!(wrap("  one two three", 9), ["  one two", "  three"]);
        assert_eq!(wrap("    'a'  load  (x.rs:1)", 80), ["    'a'  load  (x.rs:1)"]);
        assert_eq!(wrap("", 80), [""]);
        assert_eq!(wrap("unbreakable", 5), ["unbreakable"]);
    }
}

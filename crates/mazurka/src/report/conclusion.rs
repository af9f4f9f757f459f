//! How a check ends, for those who run it as a test.

use std::io::Write;
use std::panic::resume_unwind;

use mazurka_core::verdict::{Bound, Verdict};

use super::style::{Style, count};
use super::{Report, file, text};

/// So many other violations are listed.
const MOST_OTHERS: usize = 10;

/// Says what a check has found, and panics if that is a violation.
#[track_caller]
pub(crate) fn conclude(name: &str, verdict: &Verdict, reports: &[Report]) {
    let Some(first) = reports.iter().find(|report| report.violation.is_some()) else {
        match reports.first() {
            Some(replayed) => show_replay(replayed),
            None => incomplete(name, verdict),
        }
        return;
    };
    let (plain, whole) = render(first, &Style::plain());
    let after = others(verdict, reports);
    let payload = format!("{plain}{after}").trim_end().to_owned();
    match Style::terminal() {
        // The payload stays plain, as it may end up anywhere. The panic hook would print it once
        // more, so it is not asked.
        Some(style) => {
            let coloured = text::render(first, &style, whole.as_deref()).text;
            eprintln!("{}", format!("{coloured}{after}").trim_end());
            resume_unwind(Box::new(payload));
        }
        None => panic!("{payload}"),
    }
}

/// Shows a schedule that was asked for.
pub(crate) fn show_replay(report: &Report) {
    let style = Style::terminal().unwrap_or_else(Style::plain);
    say(&render(report, &style).0);
}

/// The text of a report, and where the whole is if that is not all.
fn render(report: &Report, style: &Style) -> (String, Option<String>) {
    let shown = text::render(report, style, None);
    if !shown.folded {
        return (shown.text, None);
    }
    let whole = file::write(&report.name, &format!("{report:#}\n"));
    (text::render(report, style, Some(&whole)).text, Some(whole))
}

/// What else there is, or how to look for it.
fn others(verdict: &Verdict, reports: &[Report]) -> String {
    if reports.len() < 2 {
        return match verdict.stopped {
            Some(Bound::Violation) if reports.iter().all(Report::may_have_others) => {
                "To look for other violations too, set MAZURKA_KEEP_GOING=1.\n".to_owned()
            }
            _ => String::new(),
        };
    }
    let more = reports.len() - 1;
    let mut text = format!("\nAnd {}:\n", count(more as u64, "other violation"));
    for report in reports[1..].iter().take(MOST_OTHERS) {
        let Some(violation) = &report.violation else { continue };
        let message = violation.message.lines().next().unwrap_or_default();
        text.push_str(&format!("  {}: {message}\n", violation.kind));
        text.push_str(&format!("    {}\n", report.replay_command()));
    }
    if more > MOST_OTHERS {
        text.push_str(&format!("  … {} more …\n", more - MOST_OTHERS));
    }
    text
}

/// Says that a check has not seen everything.
fn incomplete(name: &str, verdict: &Verdict) {
    if let Some(bound) = verdict.stopped {
        say(&incompleteness(name, verdict.executions + verdict.blocked, bound));
    }
}

fn incompleteness(name: &str, executions: u64, bound: Bound) -> String {
    let verb = match bound {
        Bound::Depth | Bound::Preemptions => "incomplete",
        _ => "stopped",
    };
    format!(
        "mazurka: {name}: {verb} after {}: {bound}; what was not explored may still fail\n",
        count(executions, "execution")
    )
}

/// Writes to standard error, past a test harness that would hide what a test says which passes.
fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_said_with_what_it_means() {
        assert_eq!(
            incompleteness("bank", 1000, Bound::Executions),
            "mazurka: bank: stopped after 1,000 executions: the limit on executions was reached; \
             what was not explored may still fail\n"
        );
        let depth = incompleteness("bank", 1, Bound::Depth);
        assert!(depth.starts_with("mazurka: bank: incomplete after 1 execution: some"), "{depth}");
    }
}

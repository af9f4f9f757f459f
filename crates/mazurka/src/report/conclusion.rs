//! How a check ends, for those who run it as a test.

use std::io::Write;
use std::panic::resume_unwind;

use mazurka_core::verdict::Verdict;
use mazurka_report::{Report, Style};

/// Says what a check has found, and panics if that is a violation.
#[track_caller]
pub(crate) fn conclude(name: &str, verdict: &Verdict, reports: &[Report]) {
    let Some(first) = reports.iter().find(|report| report.violation().is_some()) else {
        match reports.first() {
            Some(replayed) => show_replay(replayed),
            None => incomplete(name, verdict),
        }
        return;
    };
    let (plain, whole) = first.render(&Style::plain());
    let after = Report::others(verdict, reports, "set MAZURKA_KEEP_GOING=1");
    let payload = format!("{plain}{after}").trim_end().to_owned();
    match Style::terminal() {
        // The payload stays plain, as it may end up anywhere. The panic hook would print it once
        // more, so it is not asked.
        Some(style) => {
            let coloured = first.render_beside(&style, whole.as_deref());
            eprintln!("{}", format!("{coloured}{after}").trim_end());
            resume_unwind(Box::new(payload));
        }
        None => panic!("{payload}"),
    }
}

/// Shows a schedule that was asked for.
pub(crate) fn show_replay(report: &Report) {
    let style = Style::terminal().unwrap_or_else(Style::plain);
    say(&report.render(&style).0);
}

/// Says that a check has not seen everything, or not as it was asked to.
fn incomplete(name: &str, verdict: &Verdict) {
    if let Some(text) = Report::incompleteness(name, verdict) {
        say(&text);
    }
    for note in &verdict.notes {
        say(&format!("mazurka: {name}: {note}\n"));
    }
}

/// Writes to standard error, past a test harness that would hide what a test says which passes.
fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

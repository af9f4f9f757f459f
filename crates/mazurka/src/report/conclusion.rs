//! How a check ends that is run as a test.

use std::io::Write;
use std::panic::resume_unwind;

use mazurka_core::verdict::{Bound, Note, Verdict};
use mazurka_report::{Report, Style};

/// Says what a check has found. Panics if that is a violation, or if a bound has kept the check from being
/// complete at which it `fails`.
#[track_caller]
pub(crate) fn conclude(
    name: &str,
    verdict: &Verdict,
    reports: &[Report],
    fails_at: impl FnOnce(Bound) -> bool,
) {
    let Some(first) = reports.iter().find(|report| report.violation().is_some()) else {
        match reports.first() {
            Some(replayed) => show_replay(replayed),
            None => conclude_without_violation(name, verdict, fails_at),
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

/// What else may be the matter with an execution that does not end.
const POLLING: &str = "  If a thread polls in a loop, let it load an atomic, or wait on a `Condvar`: a loop that locks \
                       a `Mutex` in each round is not recognised.\n";

/// Says what a check that has found no violation has not explored, and panics if the test must not pass.
#[track_caller]
fn conclude_without_violation(name: &str, verdict: &Verdict, fails_at: impl FnOnce(Bound) -> bool) {
    // A test that passes need not say that it asks for interchangeable threads.
    for note in verdict.notes.iter().filter(|note| !matches!(note, Note::Symmetry(_))) {
        say(&format!("mazurka: {name}: {note}\n"));
    }
    if let Some(weak) = &verdict.weak_access {
        say(&format!("mazurka: {name}: {weak}\n"));
    }
    if let Some(mut text) = Report::incompleteness(name, verdict) {
        if verdict.stopped == Some(Bound::Depth) {
            text.push_str(POLLING);
        }
        if verdict.stopped.is_some_and(fails_at) {
            panic!(
                "{}\nTo let the test pass all the same, set the bound yourself, or \
                 MAZURKA_INCOMPLETE=warn.",
                text.trim_end()
            );
        }
        say(&text);
        for restart in &verdict.restarts {
            say(&format!("mazurka: {name}: {restart}\n"));
        }
    } else if verdict.executions == 0 {
        panic!(
            "mazurka: {name}: a failed assumption blocks every execution, so that nothing is checked"
        );
    } else if verdict.max_depth == 0 {
        say(&format!(
            "mazurka: {name}: no thread performs an operation of Mazurka, so that nothing is explored: \
             use the types of `mazurka::sync` and `mazurka::thread`\n"
        ));
    }
}

/// Writes to standard error, past a test harness that would hide what a test says which passes.
fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

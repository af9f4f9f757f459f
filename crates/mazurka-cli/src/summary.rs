//! The verdict for people, on standard error.

use std::collections::HashSet;
use std::io::Write;

use mazurka_core::model::Lesson;
use mazurka_core::verdict::{Restart, Verdict};
use mazurka_report::{Paint, Report, Style, count, thousands};

use crate::front_end::Outcome;
use crate::watchdog;

/// So many warnings are shown.
const MOST_WARNINGS: usize = 3;

pub(crate) fn say(name: &str, outcome: &Outcome) {
    let style = Style::stderr();
    let mut text = String::new();
    if let Some(first) = outcome.reports.first() {
        text.push_str(&first.render(&style).0);
        text.push_str(&Report::others(&outcome.verdict, &outcome.reports, "add --keep-going"));
        text.push('\n');
    }
    text.push_str(&warnings(&outcome.warnings, &style));
    if !outcome.cut_loops.is_empty() {
        text.push_str(&format!(
            "mazurka: {name}: incomplete: --unroll cut executions in the {} at {}; what was not explored \
             may still fail\n",
            if outcome.cut_loops.len() == 1 { "loop" } else { "loops" },
            outcome.cut_loops.join(", ")
        ));
    } else if let Some(incomplete) = Report::incompleteness(name, &outcome.verdict) {
        text.push_str(&incomplete);
    }
    if watchdog::is_over_memory() {
        let limit = thousands(watchdog::memory_limit() >> 20);
        text.push_str(&format!(
            "note: the check was stopped because it used more than {limit} MiB of memory; \
             --memory-limit sets another limit\n"
        ));
    }
    // The note on the weak access says why.
    let is_told = |restart: &&Restart| restart.lesson == Lesson::WeakOrderings;
    for restart in outcome.verdict.restarts.iter().filter(|restart| !is_told(restart)) {
        text.push_str(&format!("note: {restart}\n"));
    }
    if let Some(weak) = &outcome.verdict.weak_access {
        text.push_str(&format!("note: {weak}\n"));
    }
    for note in &outcome.verdict.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text.push_str(&conclusion(name, outcome));
    text.push_str(&unfolding(&outcome.verdict));
    text.push_str(&Report::sampling(&outcome.verdict).unwrap_or_default());
    text.push_str(&Report::preemptions(&outcome.verdict).unwrap_or_default());
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Returns the verdict in one line.
pub(crate) fn conclusion(name: &str, outcome: &Outcome) -> String {
    let verdict = &outcome.verdict;
    let mut line = format!("{name}: {}", count(verdict.executions, "execution"));
    if verdict.blocked > 0 {
        line.push_str(&format!(" and {} blocked", thousands(verdict.blocked)));
    }
    if verdict.scouts > 0 {
        line.push_str(&format!(" and {}", count(verdict.scouts, "scout")));
    }
    line.push_str(match (outcome.reports.len(), verdict.is_complete()) {
        (0, true) if verdict.executions == 0 => ", and nothing is proved",
        (0, true) if verdict.executions == 1 => ", and it is fine",
        (0, true) => ", and all are fine",
        (0, false) => ", no violation so far",
        (1, _) => ", 1 violation",
        _ => "",
    });
    if outcome.reports.len() > 1 {
        line.push_str(&format!(", {} violations", outcome.reports.len()));
    }
    let seconds = verdict.elapsed.as_secs_f64();
    let (algorithm, rate) = (verdict.algorithm, thousands(verdict.rate() as u64));
    line + &format!(" ({algorithm}, {seconds:.3} s, {rate}/s)\n")
}

/// What there is to say of the unfolding.
fn unfolding(verdict: &Verdict) -> String {
    let Some(unfolding) = &verdict.unfolding else { return String::new() };
    let mut text = format!("  the unfolding: {}", count(unfolding.events, "event"));
    if unfolding.has_cut_offs {
        text.push_str(&format!(", {}", count(unfolding.cut_offs, "cut-off")));
    }
    let most = thousands(unfolding.most_events as u64);
    text + &format!(", at most {most} events in memory\n")
}

/// Data races that may be meant. Those between the same two places are one.
fn warnings(warnings: &[Report], style: &Style) -> String {
    let mut seen = HashSet::new();
    let distinct: Vec<&Report> =
        warnings.iter().filter(|w| seen.insert(w.racing_places())).collect();
    let mut text = String::new();
    for warning in distinct.iter().take(MOST_WARNINGS) {
        text.push_str(&style.paint(Paint::Strong, "warning: a data race"));
        text.push('\n');
        text.push_str(&warning.accesses().unwrap_or_default());
        text.push_str(&format!("  to see it      {}\n\n", warning.replay_command()));
    }
    if distinct.len() > MOST_WARNINGS {
        let more = count((distinct.len() - MOST_WARNINGS) as u64, "other data race");
        text.push_str(&format!("warning: and {more}; --json has them all\n\n"));
    }
    if !distinct.is_empty() {
        text.push_str(
            "Races on plain memory may be meant: --races error makes them violations, --races off \
             hides them.\n\n",
        );
    }
    text
}

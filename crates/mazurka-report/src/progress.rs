//! A line that shows the progress of a check.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use mazurka_core::search::{Estimate, Monitor, Progress};
use mazurka_core::verdict::Schedule;

use crate::style::{columns, count, thousands};

/// The time before the line is shown first. Faster checks show nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time between two updates on a terminal. Elsewhere, it is [`INTERVAL_OF_LOG`].
const INTERVAL: Duration = Duration::from_millis(200);
const INTERVAL_OF_LOG: Duration = Duration::from_secs(10);
/// The maximum number of steps of the position that are shown.
const MOST_STEPS: usize = 40;
/// The maximum length of the name. The end of a long name is shown, because its beginning is a path
/// of modules.
const MOST_OF_NAME: usize = 24;
/// An estimate whose bounds differ by more than this factor is vague.
const VAGUE: f64 = 20.0;

/// Whether some check owns the line. Other checks show none.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Shows the progress of a check. On a terminal, it is updated in place and removed at the end.
pub struct ProgressLine {
    name: String,
    output: Option<Output>,
    next: Duration,
    /// Whether this check owns the line.
    owns: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Output {
    Nowhere,
    /// A line that is updated in place.
    InPlace,
    /// A line every ten seconds.
    Log,
}

impl ProgressLine {
    /// Creates a progress line on standard error. On a terminal, it is updated in place. Elsewhere,
    /// a line is added every ten seconds: from the first second on if `MAZURKA_PROGRESS` is `1`,
    /// and otherwise after ten seconds. If it is `0`, there is no line.
    pub fn new(name: &str) -> Self {
        ProgressLine { name: name.to_owned(), output: None, next: PATIENCE, owns: false }
    }

    /// Returns the output. It is computed only once a check is slow enough to show the line.
    fn output(&mut self) -> Output {
        if let Some(output) = self.output {
            return output;
        }
        let asked = std::env::var("MAZURKA_PROGRESS").unwrap_or_default();
        let (output, first) = output(&asked, std::io::stderr().is_terminal());
        self.next = first;
        *self.output.insert(output)
    }

    fn write(&self, text: &str) {
        // Write to the lock directly, because a test harness would capture `eprint!`.
        let mut stderr = std::io::stderr().lock();
        let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
    }
}

impl<M: ?Sized> Monitor<M> for ProgressLine {
    fn hears_of_ends(&self) -> bool {
        false
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        // The output decides when the line is due.
        let is_due = |line: &Self| progress.elapsed >= line.next;
        if !is_due(self) || self.output() == Output::Nowhere || !is_due(self) {
            return;
        }
        self.owns = self.owns || !TAKEN.swap(true, Relaxed);
        if !self.owns {
            return;
        }
        // Leave one column free: some terminals wrap as soon as the last one is filled.
        let width = match self.output() {
            Output::InPlace => columns().unwrap_or(80) - 1,
            _ => 120,
        };
        let line = line(&self.name, progress, width);
        match self.output() {
            Output::InPlace => {
                self.next = progress.elapsed + INTERVAL;
                self.write(&format!("\r\x1b[2K{line}"));
            }
            _ => {
                self.next = progress.elapsed + INTERVAL_OF_LOG;
                self.write(&format!("{line}\n"));
            }
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.owns {
            if self.output() == Output::InPlace {
                self.write("\r\x1b[2K");
            }
            TAKEN.store(false, Relaxed);
        }
    }
}

/// Returns the output, and the time at which the line is first due.
fn output(asked: &str, is_terminal: bool) -> (Output, Duration) {
    match asked.trim().to_ascii_lowercase().as_str() {
        "0" | "false" | "no" | "off" => (Output::Nowhere, PATIENCE),
        _ if is_terminal => (Output::InPlace, PATIENCE),
        "" => (Output::Log, INTERVAL_OF_LOG),
        _ => (Output::Log, PATIENCE),
    }
}

/// Returns the line. If it is wider than `width`, it has no position, and then no rate.
fn line(name: &str, progress: &Progress<'_>, width: usize) -> String {
    let executions = progress.executions + progress.blocked;
    let rate = executions as f64 / progress.elapsed.as_secs_f64().max(1e-9);
    let start = name.char_indices().rev().nth(MOST_OF_NAME - 1).map_or(0, |(start, _)| start);
    let counted = format!("mazurka: {}: {}", &name[start..], count(executions, "execution"));
    let rate = format!(", {}/s", thousands(rate as u64));
    let left = progress.estimate.map_or_else(String::new, |estimate| left(progress, estimate));
    let mut line = format!("{counted}{rate}{left}");
    if line.chars().count() > width {
        line = format!("{counted}{left}");
    }
    let start: Schedule = progress.position.iter().take(MOST_STEPS).copied().collect();
    // On a cluster, there is no current execution.
    let position = match progress.position {
        [] => String::new(),
        _ => format!(", at {start}"),
    };
    let cut = progress.position.len() > MOST_STEPS;
    let room = width.saturating_sub(line.chars().count());
    if position.len() <= room && !cut {
        line.push_str(&position);
    } else if room > 12 {
        let end = position[..position.len().min(room - 2)].rfind('-').unwrap_or(0);
        if end > 0 {
            line.push_str(&position[..=end]);
            line.push('…');
        }
    }
    line.chars().take(width).collect()
}

/// Returns the explored part and the time left, as ranges: `, 2 to 4 %, 3 to 7 min left`. `progress` has
/// the number of executions and the time so far.
pub fn left(progress: &Progress<'_>, estimate: Estimate) -> String {
    let runs = ((progress.executions + progress.blocked) as f64).max(1.0);
    let elapsed = progress.elapsed.as_secs_f64();
    let seconds = |total: f64| elapsed * (total / runs - 1.0).max(0.0);
    let percent = |total: f64| 100.0 * runs / total.max(runs);
    let Estimate { low, likely, high } = estimate;
    let (least, most) = (percent(high), percent(low));
    // Long before the end, only bounds make sense.
    if high > VAGUE * low || least < 0.05 {
        return match percent(likely.max(low)) {
            most if most < 0.1 => format!(", under 0.1 %, over {} left", roughly(seconds(low))),
            _ => format!(", under {} %, over {} left", digits(most), roughly(seconds(low))),
        };
    }
    let percentages = range(digits(least), digits(most), "%");
    let ((low, unit), (high, larger)) = (in_units(seconds(low)), in_units(seconds(high)));
    let times = match unit == larger {
        true => range(low, high, unit),
        false => format!("{low} {unit} to {high} {larger}"),
    };
    format!(", {percentages}, {times} left")
}

fn range(low: String, high: String, unit: &str) -> String {
    match low == high {
        true => format!("{low} {unit}"),
        false => format!("{low} to {high} {unit}"),
    }
}

/// Returns a percentage without its unit.
fn digits(percent: f64) -> String {
    match percent {
        percent if percent < 9.95 => format!("{percent:.1}"),
        // Never show "100 %" before the end.
        percent => format!("{:.0}", percent.min(99.0)),
    }
}

fn roughly(seconds: f64) -> String {
    let (number, unit) = in_units(seconds);
    format!("{number} {unit}")
}

/// Returns a duration as a number and its unit.
fn in_units(seconds: f64) -> (String, &'static str) {
    let (number, unit) = match seconds {
        s if s < 90.0 => (s, "s"),
        s if s < 90.0 * 60.0 => (s / 60.0, "min"),
        s if s < 36.0 * 3600.0 => (s / 3600.0, "h"),
        s if s < 1000.0 * 86400.0 => (s / 86400.0, "days"),
        // No user waits for so long: the exact number does not matter.
        s => ((s / (365.25 * 86400.0)).min(1000.0), "years"),
    };
    (thousands(number.ceil().max(1.0) as u64), unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress((low, likely, high): (f64, f64, f64), position: &str, width: usize) -> String {
        let schedule: Schedule = position.parse().unwrap();
        let progress = Progress {
            executions: 120_000,
            blocked: 3_456,
            elapsed: Duration::from_secs(10),
            estimate: (high > 0.0).then_some(Estimate { low, likely, high }),
            position: schedule.steps(),
        };
        line("bank", &progress, width)
    }

    /// Multiples of the explored executions.
    const fn times(low: f64, likely: f64, high: f64) -> (f64, f64, f64) {
        (123_456.0 * low, 123_456.0 * likely, 123_456.0 * high)
    }

    #[test]
    fn a_cluster_has_no_position() {
        let elapsed = Duration::from_secs(1);
        let progress =
            Progress { executions: 5, blocked: 0, elapsed, estimate: None, position: &[] };
        assert_eq!(line("bank", &progress, 80), "mazurka: bank: 5 executions, 5/s");
    }

    #[test]
    fn the_line_has_an_estimate_when_there_is_one() {
        assert_eq!(
            progress(times(4.0, 4.0, 4.0), "0x2-1", 99),
            "mazurka: bank: 123,456 executions, 12,345/s, 25 %, 30 s left, at 0x2-1"
        );
        assert_eq!(
            progress(times(2.0, 4.0, 20.0), "0x2-1", 80),
            "mazurka: bank: 123,456 executions, 12,345/s, 5.0 to 50 %, 10 s to 4 min left"
        );
        assert_eq!(
            progress(times(1440.0, 2000.0, 2880.0), "0", 76),
            "mazurka: bank: 123,456 executions, 12,345/s, under 0.1 %, over 4 h left"
        );
        assert_eq!(
            progress(times(1e300, 1e300, 1e301), "0", 80),
            "mazurka: bank: 123,456 executions, 12,345/s, under 0.1 %, over 1,000 years left"
        );
        assert_eq!(
            progress(times(20.0, 100.0, 1000.0), "0", 70),
            "mazurka: bank: 123,456 executions, under 5.0 %, over 4 min left, at 0"
        );
        assert_eq!(
            progress((0.0, 0.0, 0.0), "0x2-1", 99),
            "mazurka: bank: 123,456 executions, 12,345/s, at 0x2-1"
        );
    }

    #[test]
    fn the_end_is_not_announced_early() {
        let line = progress(times(0.5, 1.0, 1.0), "0", 99);
        assert!(line.contains(", 99 %, 1 s left"), "{line}");
    }

    #[test]
    fn there_is_a_line_without_a_terminal() {
        assert_eq!(output("", true), (Output::InPlace, PATIENCE));
        assert_eq!(output("", false), (Output::Log, INTERVAL_OF_LOG));
        assert_eq!(output("1", false), (Output::Log, PATIENCE));
        assert_eq!(output("0", true).0, Output::Nowhere);
        assert_eq!(output("off", false).0, Output::Nowhere);
    }

    #[test]
    fn the_line_never_wraps() {
        for width in 20..100 {
            let line = progress(times(1.9, 2.0, 2.1), "0x2-1-2-1-2-1-2-1-2-1-2-1-2-1-2-1-2", width);
            assert!(line.chars().count() <= width, "{line}");
        }
        let line =
            progress((0.0, 0.0, 0.0), "0x2-1-2-1-2-1-2-1-2-1-2-1-2-1-2-1-2-1-2-1-2-1-2-1-2", 70);
        assert!(line.ends_with("-2-…"), "{line}");
    }
}

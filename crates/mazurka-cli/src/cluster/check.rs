//! `check --cluster`: publishes a job and reports on it.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use clap::ArgMatches;
use mazurka_cluster::{Cluster, Crew, File, Flow, Job, NewJob, Progress};
use mazurka_core::search::{self, Options};
use mazurka_core::verdict::{Bound, ViolationKind};
use mazurka_report::{left, thousands};

use super::shipped_words;
use crate::args::CheckArgs;
use crate::check::{Ran, Shown};
use crate::front_end::{self, Checked, Source};
use crate::{Complaint, interrupt, json, replay, trace_file, watchdog};

/// The options that workers do not need: what is done with the verdict, how the program is compiled, and
/// when to stop.
pub(super) const STAYS: [&str; 30] = [
    "annotations",
    "clang",
    "cluster",
    "code_path",
    "define",
    "dependence",
    "dot",
    "explain",
    "files",
    "flags",
    "format",
    "html",
    "include",
    "json",
    "junit",
    "link",
    "max_executions",
    "memory_limit",
    "no_scout",
    "nats_ca",
    "nats_cert",
    "nats_creds",
    "nats_key",
    "nats_nkey",
    "nats_replicas",
    "sarif",
    "std",
    "svg",
    "time_limit",
    "trace",
];

/// Checks a program on a cluster.
pub(crate) fn check(
    args: &CheckArgs,
    given: &ArgMatches,
    program: &dyn Checked,
    options: &Options<'static>,
    wants_page: bool,
) -> Result<Ran, Complaint> {
    let source = Source::new(&args.files, &args.program);
    let shipped = front_end::ship(&source, given)?;
    let options_words = shipped_words(args, given)?;
    program.must_divide(options).map_err(|reason| format!("on a cluster, {reason}"))?;
    let cluster = args.nats.connect(args.cluster.as_deref().unwrap_or_default())?;
    let files = shipped.files.into_iter().map(|(name, bytes)| File { name, bytes });
    let job = NewJob {
        id: None,
        crew: Crew::Command,
        name: source.name(),
        options: options_words,
        opens: shipped.opens,
        files: files.collect(),
        digest: program.program_digest(),
        memory: watchdog::program_memory(),
        replay: replay::template(&source, given),
    };
    let job = cluster.publish(job).map_err(|error| error.to_string())?;
    eprintln!(
        "{}: job {} is on the cluster; workers join with `mazurka worker --cluster URL`",
        job.name, job.id
    );
    follow(&cluster, &job, args, program, options, wants_page)
}

/// Follows a job to its end, and reports on it.
pub(super) fn follow(
    cluster: &Cluster,
    job: &Job,
    args: &CheckArgs,
    program: &dyn Checked,
    options: &Options<'static>,
    wants_page: bool,
) -> Result<Ran, Complaint> {
    let mut line = Line::new(&job.name);
    let ended = cluster.coordinate(job, options, &mut |progress| {
        line.show(progress);
        let runs = progress.verdict.executions + progress.verdict.blocked;
        match () {
            () if watchdog::is_over_memory() || interrupt::was_pressed() => {
                Flow::Stop(Bound::Interrupted)
            }
            () if args.bounds.max_executions.is_some_and(|max| runs >= max) => {
                Flow::Stop(Bound::Executions)
            }
            () if args.bounds.time_limit.is_some_and(|limit| line.started.elapsed() >= limit) => {
                Flow::Stop(Bound::Time)
            }
            () => Flow::Continue,
        }
    });
    drop(line);
    let ended = ended.map_err(|error| {
        format!("{error}\nTo continue the job: `mazurka jobs --cluster URL resume {}`", job.id)
    })?;
    if let Some(lessons) = &ended.lessons {
        // Without the lessons, the schedules of violations do not fit the program.
        let options = Options { max_executions: Some(1), ..options.clone() };
        let _ = program.explore_part(lessons, &options);
    }
    let mut outcome = program.conclude(ended.verdict, args.output.explain);
    for report in outcome.reports.iter_mut().chain(&mut outcome.warnings) {
        let is_race =
            report.violation().is_some_and(|violation| violation.kind == ViolationKind::DataRace);
        let races = if is_race { " --races error" } else { "" };
        let command = |schedule: &mazurka_core::verdict::Schedule| {
            job.replay.replacen(
                "SCHEDULE",
                &format!("{}{races}", replay::quoted(&schedule.to_string())),
                1,
            )
        };
        *report = report.clone().with_replay_command(command);
    }
    if let Some(complaint) = outcome.complaint() {
        return Err(complaint);
    }
    let advice = match ended.is_stopped {
        true => format!(
            "The job is stopped. `mazurka jobs --cluster URL resume {0}` continues it, and `cancel {0}` \
             removes it.\n",
            job.id
        ),
        false => String::new(),
    };
    if let (Some(path), Some(report)) = (&args.trace, outcome.reports.first()) {
        trace_file::write(path, report)?;
    }
    let pages = match wants_page {
        true => outcome.all().map(|report| Shown::of(program, report)).collect(),
        false => Vec::new(),
    };
    let source = Source { title: Some(&job.name), ..Source::new(&args.files, &args.program) };
    let json = json::of_check(&source, &outcome);
    Ok(Ran { name: job.name.clone(), json, outcome, pages, advice, trouble: None })
}

/// The maximum width of the line. One column stays free: some terminals wrap when the last one is filled.
const WIDTH: usize = 79;
/// The minimum number of characters of the name that are shown.
const LEAST_OF_NAME: usize = 12;

/// Returns the line. If it is wider than [`WIDTH`], it has fewer details.
fn line(name: &str, progress: &Progress<'_>) -> String {
    let Progress { verdict, open, busy, idle, elapsed, estimate, trouble } = *progress;
    let (executions, blocked) = (verdict.executions, verdict.blocked);
    let runs = executions + blocked;
    let rate = runs as f64 / elapsed.as_secs_f64().max(0.001);
    let counted = format!("{} executions", thousands(runs));
    let rate = format!(", {}/s", thousands(rate as u64));
    let so_far = search::Progress { executions, blocked, elapsed, estimate, position: &[] };
    let left = estimate.map_or_else(String::new, |estimate| left(&so_far, estimate));
    let workers = format!(", {busy} workers busy, {idle} idle");
    let texts = match trouble {
        Some(trouble) => vec![format!("{trouble}; trying again")],
        None if busy + idle == 0 => vec![format!("{counted}{left}; waiting for workers")],
        None => vec![
            format!("{counted}{rate}{left}, {open} parts{workers}"),
            format!("{counted}{rate}{left}{workers}"),
            format!("{counted}{rate}{left}, {busy} busy"),
            format!("{counted}{rate}{left}"),
            format!("{counted}{left}"),
        ],
    };
    let room = |text: &String| WIDTH.saturating_sub(text.chars().count() + 2);
    let needed = name.chars().count().min(LEAST_OF_NAME);
    let fits = |text: &&String| room(text) >= needed;
    let text = texts.iter().find(fits).or(texts.last()).cloned().unwrap_or_default();
    let name: String = name.chars().take(room(&text)).collect();
    format!("{name}: {text}")
}

/// The line that shows how far a job has come.
struct Line {
    name: String,
    started: Instant,
    next: Duration,
    /// Whether it is updated in place.
    is_terminal: bool,
    is_shown: bool,
}

impl Line {
    fn new(name: &str) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let next = Duration::from_secs(if is_terminal { 1 } else { 10 });
        Line { name: name.to_owned(), started: Instant::now(), next, is_terminal, is_shown: false }
    }

    fn show(&mut self, progress: &Progress<'_>) {
        if std::env::var_os("MAZURKA_PROGRESS").is_some_and(|asked| asked == "0")
            || self.started.elapsed() < self.next
        {
            return;
        }
        let interval =
            if self.is_terminal { Duration::from_millis(200) } else { Duration::from_secs(10) };
        self.next = self.started.elapsed() + interval;
        let text = line(&self.name, progress);
        let mut stderr = std::io::stderr().lock();
        let _ = match self.is_terminal {
            true => write!(stderr, "\r\x1b[K{}", text.chars().take(WIDTH).collect::<String>()),
            false => writeln!(stderr, "{text}"),
        };
        let _ = stderr.flush();
        self.is_shown = true;
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.is_shown && self.is_terminal {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use mazurka_core::search::Estimate;
    use mazurka_core::verdict::Verdict;

    use super::*;

    fn shown(name: &str, executions: u64, estimate: Option<(f64, f64)>) -> String {
        let verdict = Verdict { executions, ..Verdict::default() };
        let size = |times: f64| times * executions as f64;
        let estimate = estimate.map(|(low, high)| Estimate {
            low: size(low),
            likely: size((low * high).sqrt()),
            high: size(high),
        });
        let elapsed = Duration::from_secs(60);
        let (open, busy, idle) = (12, 40, 0);
        let progress =
            Progress { verdict: &verdict, open, busy, idle, elapsed, estimate, trouble: None };
        line(name, &progress)
    }

    #[test]
    fn the_line_has_the_estimate_and_never_wraps() {
        assert_eq!(
            shown("bank.c", 60_000, None),
            "bank.c: 60,000 executions, 1,000/s, 12 parts, 40 workers busy, 0 idle"
        );
        assert_eq!(
            shown("bank.c", 60_000, Some((4.0, 20.0))),
            "bank.c: 60,000 executions, 1,000/s, 5.0 to 25 %, 3 to 19 min left, 40 busy"
        );
        let long = shown("a/long/path/of/a/program.c", 123_456_789_000, Some((2.0, 30.0)));
        assert_eq!(
            long,
            "a/long/path/of/a/: 123,456,789,000 executions, 3.3 to 50 %, 60 s to 29 min left"
        );
        for executions in [1, 1_000_000_000_000] {
            for range in [None, Some((1.0, 9.0)), Some((99.0, 999.0)), Some((1e30, 1e31))] {
                let line = shown("a/long/path/of/a/program.c", executions, range);
                assert!(line.chars().count() <= WIDTH, "{line}");
            }
        }
    }
}

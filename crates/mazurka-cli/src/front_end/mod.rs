//! The front ends: one module for each, chosen by the kind of the file.
//!
//! A front end makes a [`Subject`]; the commands see it as [`Checked`]. To add a front end, write a
//! module with a [`FrontEnd`] and add a line to [`ALL`].

mod erlang;
mod llvm;
mod petri;
mod then;
mod trace;

pub(crate) use llvm::is_source;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use mazurka_core::explore::{Explored, Part, PartError, Sharing};
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::{Note, Schedule, Verdict, ViolationKind};
use mazurka_report::page::Details;
use mazurka_report::{CheckpointFile, ProgressLine, Report, Run, Subject, Tree};

use crate::Complaint;
use crate::args::ProgramOptions;
use crate::{interrupt, resources, watchdog};

/// One way to turn files into a program.
pub(crate) struct FrontEnd {
    /// What it reads, for people: `C (.c)`.
    pub(crate) reads: &'static str,
    /// Whether a file is its own.
    pub(crate) takes_file: fn(&Path) -> bool,
    /// The names of those [`ProgramOptions`] that it takes; others are refused.
    pub(crate) takes: &'static [&'static str],
    /// Reads the files.
    pub(crate) open: fn(&Source<'_>) -> Result<Box<dyn Checked>, Complaint>,
    /// Collects what other machines need to open the program.
    pub(crate) ship: fn(&Source<'_>) -> Result<Shipped, Complaint>,
}

/// All of them.
const ALL: &[FrontEnd] = &[llvm::FRONT_END, petri::FRONT_END, trace::FRONT_END, erlang::FRONT_END];

/// What a program is made of.
pub(crate) struct Source<'a> {
    pub(crate) files: &'a [PathBuf],
    pub(crate) options: &'a ProgramOptions,
    /// What the program is called, if its files are copies.
    pub(crate) title: Option<&'a str>,
}

/// The files that another machine needs to open a program.
pub(crate) struct Shipped {
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// The files to open, or the directory that has them, as `.`.
    pub(crate) opens: Vec<String>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(files: &'a [PathBuf], options: &'a ProgramOptions) -> Self {
        Source { files, options, title: None }
    }

    /// What the program is called: its files, as they were given, or else the call that starts it.
    pub(crate) fn name(&self) -> String {
        if let Some(title) = self.title {
            return title.to_owned();
        }
        let options = self.options;
        let starts = [&options.call, &options.eunit, &options.exunit];
        if let (true, Some(start)) = (self.files.is_empty(), starts.into_iter().flatten().next()) {
            return start.clone();
        }
        let files: Vec<_> = self.files.iter().map(|file| file.display().to_string()).collect();
        files.join(" ")
    }
}

/// A check of a program, or a replay, that has been run.
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    /// How long the processor worked on it, if the system tells.
    pub(crate) cpu_time: Option<Duration>,
    /// On each violation; of a replay, on that.
    pub(crate) reports: Vec<Report>,
    /// On each warning.
    pub(crate) warnings: Vec<Report>,
    /// The loops that were cut at the bound on their iterations.
    pub(crate) cut_loops: Vec<String>,
}

/// The workers of a check.
#[derive(Clone, Copy)]
pub(crate) struct Workers {
    count: NonZeroUsize,
    /// Whether the user gave the number: then the verdict says if they could not share the work.
    are_asked_for: bool,
}

impl Workers {
    pub(crate) const ONE: Workers = Workers { count: NonZeroUsize::MIN, are_asked_for: false };

    /// Returns the number that the user gave, or one for each processor core.
    pub(crate) fn of(asked: Option<NonZeroUsize>) -> Self {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Workers { count: asked.unwrap_or_else(cores), are_asked_for: asked.is_some() }
    }
}

/// A program that the commands can run, whatever its front end.
pub(crate) trait Checked {
    /// Explores it, and shows how far that has come. Then looks for explanations of the violations, for
    /// at most this time.
    ///
    /// # Errors
    ///
    /// If the search cannot be saved or continued as the user asks.
    fn check(
        &self,
        options: &Options<'_>,
        workers: Workers,
        checkpoint: Option<&mut CheckpointFile>,
        explain: Duration,
    ) -> Result<Outcome, Complaint>;
    /// Runs one schedule.
    fn replay(&self, schedule: &Schedule, options: &Options<'_>) -> Outcome;
    /// Returns the effects of the steps of a schedule.
    fn details(&self, schedule: &Schedule) -> Details;
    /// Returns a report on a schedule that does not fail.
    fn passing(&self, schedule: &Schedule) -> Report;
    /// Explores it again, and returns a page with the search tree.
    fn tree(&self, options: &Options<'_>) -> String;
    /// Returns a number that differs between programs with different executions.
    fn program_digest(&self) -> u64;
    /// Returns an error unless its search can be divided into parts.
    fn must_divide(&self, options: &Options<'_>) -> Result<(), Complaint>;
    /// Explores a part of its search. See [`Run::explore_part`].
    fn explore_part(
        &self,
        part: &Part,
        options: &Options<'_>,
    ) -> Result<(Explored, Vec<String>), PartError>;
    /// Reports on a search whose parts have been explored elsewhere. Looks for explanations of the
    /// violations, for at most this time.
    fn conclude(&self, verdict: Verdict, explain: Duration) -> Outcome;
}

impl<S: Subject> Checked for S {
    fn check(
        &self,
        options: &Options<'_>,
        workers: Workers,
        checkpoint: Option<&mut CheckpointFile>,
        explain: Duration,
    ) -> Result<Outcome, Complaint> {
        let before = resources::cpu_time();
        let mut progress = ProgressLine::new(&self.name());
        let mut run = match checkpoint {
            None => {
                let crew = (workers.count, Sharing::OnDemand);
                Run::check_by(crew, self, options, &mut progress)
            }
            Some(checkpoint) => checkpoint
                .during(self.digest(), |checkpoints| {
                    Run::check_saved(workers.count, self, options, &mut progress, checkpoints)
                })?
                .map_err(|error| error.to_string())?,
        };
        if !workers.are_asked_for {
            run.verdict.notes.retain(|note| *note != Note::WorksAlone);
        }
        // The explanation has a time limit of its own.
        watchdog::decide();
        let taken = resources::cpu_time().zip(before).map(|(after, before)| after - before);
        let run = run.explained_until(self, explain, interrupt::flag());
        Ok(Outcome { cpu_time: taken, ..outcome(self, run) })
    }

    fn replay(&self, schedule: &Schedule, options: &Options<'_>) -> Outcome {
        outcome(self, Run::replay(self, schedule, options))
    }

    fn details(&self, schedule: &Schedule) -> Details {
        Details::of(self, schedule)
    }

    fn passing(&self, schedule: &Schedule) -> Report {
        Report::on_nothing(&self.name(), schedule.clone(), self.record(schedule))
    }

    fn tree(&self, options: &Options<'_>) -> String {
        Tree::of(self, options).page()
    }

    fn program_digest(&self) -> u64 {
        self.digest()
    }

    fn must_divide(&self, options: &Options<'_>) -> Result<(), Complaint> {
        Run::whole(self, options).map(|_| ()).map_err(|error| error.to_string())
    }

    fn explore_part(
        &self,
        part: &Part,
        options: &Options<'_>,
    ) -> Result<(Explored, Vec<String>), PartError> {
        Run::explore_part(self, part, options)
    }

    fn conclude(&self, verdict: Verdict, explain: Duration) -> Outcome {
        let run = Run::of_parts(self, verdict);
        watchdog::decide();
        outcome(self, run.explained_until(self, explain, interrupt::flag()))
    }
}

impl Outcome {
    /// Returns the reports on all violations and then on all warnings.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Report> {
        self.reports.iter().chain(&self.warnings)
    }

    /// Returns the error if the front end cannot run the program: that is bad input and no verdict.
    pub(crate) fn complaint(&self) -> Option<Complaint> {
        let is_one = |report: &&Report| {
            report.violation().is_some_and(|v| v.kind == ViolationKind::Unsupported)
        };
        let report = self.reports.iter().find(is_one)?;
        let violation = report.violation()?;
        let mut text = violation.message.clone();
        // An option that the explorer does not support is refused before the first step.
        let has_steps = !violation.schedule.steps().is_empty();
        if has_steps && !report.replay_command().is_empty() {
            text.push_str(&format!(
                "\nTo see the execution up to there:\n  {}",
                report.replay_command()
            ));
        }
        Some(text)
    }
}

fn outcome<S: Subject>(subject: &S, run: Run) -> Outcome {
    let (reports, warnings) = (run.reports(subject), run.warnings(subject));
    Outcome { verdict: run.verdict, cpu_time: None, reports, warnings, cut_loops: Vec::new() }
}

/// Reads a program; `given` says which options there are.
pub(crate) fn open(source: &Source<'_>, given: &ArgMatches) -> Result<Box<dyn Checked>, Complaint> {
    (choose(source, given)?.open)(source)
}

/// Collects what other machines need to open a program.
pub(crate) fn ship(source: &Source<'_>, given: &ArgMatches) -> Result<Shipped, Complaint> {
    (choose(source, given)?.ship)(source)
}

/// Returns the explorer for a program on a cluster, unless the user asks for another one: `graphs` for
/// programs with memory orderings, and otherwise `optimal`.
pub(crate) fn default_on_cluster(files: &[PathBuf]) -> Algorithm {
    match files.iter().any(|file| (llvm::FRONT_END.takes_file)(file)) {
        true => Algorithm::Graphs,
        false => Algorithm::Optimal,
    }
}

/// Returns the front end that reads a program.
fn choose(source: &Source<'_>, given: &ArgMatches) -> Result<&'static FrontEnd, Complaint> {
    let mut chosen: Option<&'static FrontEnd> = None;
    for file in source.files {
        if !file.exists() {
            return Err(format!("the file `{}` does not exist", file.display()));
        }
        let Some(front_end) = ALL.iter().find(|front_end| (front_end.takes_file)(file)) else {
            let known: Vec<_> = ALL.iter().map(|front_end| front_end.reads).collect();
            return Err(format!(
                "`{}` is {} that Mazurka cannot read; it reads {}",
                file.display(),
                if file.is_dir() { "a directory" } else { "a kind of file" },
                known.join("; ")
            ));
        };
        if chosen.is_some_and(|chosen| !std::ptr::eq(chosen, front_end)) {
            return Err(format!(
                "`{}` and `{}` are for different front ends; one program has files of one kind",
                source.files[0].display(),
                file.display()
            ));
        }
        chosen = Some(front_end);
    }
    // Only Erlang programs can be found without a file.
    let is_found = source.options.call.is_some()
        || source.options.eunit.is_some()
        || source.options.exunit.is_some();
    let chosen = chosen.or(is_found.then_some(&erlang::FRONT_END));
    let Some(front_end) = chosen else { return Err("name the file of a program".to_owned()) };
    for option in options() {
        let id = option.get_id().as_str();
        let is_given = given.value_source(id) == Some(ValueSource::CommandLine);
        if is_given && !front_end.takes.contains(&id) {
            return Err(format!(
                "the option `{}` does not apply to {}; leave it out",
                spelling(&option),
                front_end.reads
            ));
        }
    }
    Ok(front_end)
}

/// The options that say what the program is.
fn options() -> Vec<clap::Arg> {
    ProgramOptions::augment_args(clap::Command::new("")).get_arguments().cloned().collect()
}

/// How an option is written.
pub(crate) fn spelling(option: &clap::Arg) -> String {
    match (option.get_long(), option.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => "--".to_owned(),
    }
}

/// The options that make the program what it is, as they were given, to be given again.
pub(crate) fn given_again(given: &ArgMatches) -> Vec<String> {
    let mut words = Vec::new();
    for option in options() {
        let id = option.get_id().as_str();
        if given.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let values = given.get_raw(id).into_iter().flatten();
        let values = values.map(|value| value.to_string_lossy().into_owned());
        match option.is_last_set() {
            true => words.extend(std::iter::once("--".to_owned()).chain(values)),
            false if !option.get_action().takes_values() => words.push(spelling(&option)),
            false => words.extend(values.flat_map(|value| [spelling(&option), value])),
        }
    }
    words
}

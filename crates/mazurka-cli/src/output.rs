//! What a check prints and writes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use mazurka_report::formats::{self, Finished};
use mazurka_report::page::{Entry, dot, page, svg};

use crate::check::{Failed, Ran};
use crate::{Complaint, doctor, summary, values};

/// How the verdict is reported.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Reports")]
pub(crate) struct OutputArgs {
    /// Print the verdict as one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// How to print what was found
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Full)]
    pub(crate) format: Format,
    /// Look for a simpler schedule and for the orders that decide, for at most this time after a
    /// violation is found; 0 turns it off
    #[arg(long, value_name = "TIME", value_parser = values::duration, default_value = "1s")]
    pub(crate) explain: Duration,
    /// Print violations and warnings as annotations of GitHub Actions on standard output
    #[arg(long, conflicts_with = "json")]
    pub(crate) annotations: bool,
    /// Write the verdict to a file as JUnit XML
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) junit: Option<PathBuf>,
    /// Write violations and warnings to a file as SARIF 2.1.0
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) sarif: Option<PathBuf>,
    /// Write violations and warnings to a page that shows their executions step by step
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
    /// Write the first failing execution to a file as a graph for Graphviz
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) dot: Option<PathBuf>,
    /// Write the first failing execution to a file as an SVG drawing, with one lane for each thread
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
    /// Write the search tree to a page: the first 200 executions, what they reverse and what they
    /// skip
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) tree: Option<PathBuf>,
}

/// How to print what was found.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Format {
    /// A report with the failing schedule, on standard error
    Full,
    /// One line for each violation, `file:line:column: kind: message`, on standard output
    Short,
}

impl OutputArgs {
    /// Returns an error if the options do not go together, or if a file cannot be written later.
    pub(crate) fn validate(&self) -> Result<(), Complaint> {
        if self.json && self.format == Format::Short {
            return Err(
                "`--format short` and `--json` both print on standard output: choose one".into()
            );
        }
        let files = [&self.junit, &self.sarif, &self.html, &self.dot, &self.svg, &self.tree];
        files.into_iter().flatten().try_for_each(|path| has_directory(path))
    }

    /// Returns whether the effects of the steps are needed.
    pub(crate) fn wants_details(&self) -> bool {
        self.html.is_some() || self.dot.is_some() || self.svg.is_some()
    }

    /// Prints what a check found.
    pub(crate) fn say(&self, ran: &Ran) {
        if self.format == Format::Full {
            summary::say(&ran.name, &ran.outcome);
        }
        self.say_lines(&ran.finished());
        eprint!("{}", ran.advice);
    }

    /// Prints why a check could not run.
    pub(crate) fn say_failed(&self, failed: &Failed) {
        eprintln!("error: check `{}`: {}", failed.name, failed.complaint.trim_end());
        self.say_lines(&failed.finished());
    }

    /// Prints the lines for editors and for GitHub.
    fn say_lines(&self, finished: &Finished<'_>) {
        if self.format == Format::Short {
            print!("{}", formats::short(finished));
        }
        if self.annotations {
            print!("{}", formats::annotations(finished));
        }
    }

    /// Writes the files that were asked for.
    pub(crate) fn write(&self, checks: &[Result<Ran, Failed>]) -> Result<(), Complaint> {
        let finished = checks.iter().map(|check| match check {
            Ok(ran) => ran.finished(),
            Err(failed) => failed.finished(),
        });
        let finished: Vec<Finished<'_>> = finished.collect();
        if let Some(path) = &self.junit {
            write(path, &formats::junit(&finished))?;
        }
        if let Some(path) = &self.sarif {
            write(path, &formats::sarif(&finished, &doctor::version()))?;
        }
        if let Some(path) = &self.html {
            write(path, &page_on(checks))?;
        }
        let ran = checks.iter().flatten();
        let first = ran.flat_map(|ran| ran.outcome.all().zip(&ran.pages)).next();
        if let (Some(path), Some((report, shown))) = (&self.dot, first) {
            write(path, &dot(report, &shown.details))?;
        }
        if let (Some(path), Some((report, shown))) = (&self.svg, first) {
            write(path, &svg(report, &shown.details))?;
        }
        Ok(())
    }
}

/// Returns a page on the violations and warnings of some checks.
fn page_on(checks: &[Result<Ran, Failed>]) -> String {
    let summary = |check: &Result<Ran, Failed>| match check {
        Ok(ran) => summary::conclusion(&ran.name, &ran.outcome),
        Err(failed) => format!("{}: error: {}\n", failed.name, failed.complaint.trim_end()),
    };
    let entries: Vec<Entry<'_>> = checks.iter().flatten().flat_map(Ran::entries).collect();
    let names = checks.iter().map(|check| match check {
        Ok(Ran { name, .. }) | Err(Failed { name, .. }) => name.as_str(),
    });
    let names: Vec<&str> = names.collect();
    page(&names.join(", "), &checks.iter().map(summary).collect::<String>(), &entries)
}

impl Ran {
    /// Returns the entries of a page.
    fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let violations = self.outcome.reports.len();
        let reports = self.outcome.all().zip(&self.pages).enumerate();
        reports.map(move |(index, (report, shown))| shown.entry(report, index >= violations))
    }

    fn finished(&self) -> Finished<'_> {
        Finished {
            name: &self.name,
            verdict: Ok(&self.outcome.verdict),
            violations: &self.outcome.reports,
            warnings: &self.outcome.warnings,
        }
    }
}

impl Failed {
    fn finished(&self) -> Finished<'_> {
        let error = self.complaint.trim_end();
        Finished { name: &self.name, verdict: Err(error), violations: &[], warnings: &[] }
    }
}

/// Returns an error if the directory of a file does not exist. A check may take hours before it writes
/// the file.
pub(crate) fn has_directory(path: &Path) -> Result<(), Complaint> {
    match path.parent() {
        Some(directory) if !directory.as_os_str().is_empty() && !directory.is_dir() => {
            Err(format!(
                "{} cannot be written, because there is no directory {}: create it, or name another file",
                path.display(),
                directory.display()
            ))
        }
        _ => Ok(()),
    }
}

/// Writes a file, or says why it cannot.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Complaint> {
    std::fs::write(path, text)
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

//! What a check prints and writes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use mazurka_report::formats::{self, Finished};
use mazurka_report::page::{Entry, dot, page, svg};

use crate::check::Ran;
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
    /// Returns whether the effects of the steps are needed.
    pub(crate) fn wants_details(&self) -> bool {
        self.html.is_some() || self.dot.is_some() || self.svg.is_some()
    }

    /// Prints what a check found.
    pub(crate) fn say(&self, ran: &Ran) {
        let finished = finished(ran);
        match self.format {
            Format::Full => summary::say(&ran.name, &ran.outcome),
            Format::Short => print!("{}", formats::short(&finished)),
        }
        if self.annotations {
            print!("{}", formats::annotations(&finished));
        }
        eprint!("{}", ran.advice);
    }

    /// Writes the files that were asked for.
    pub(crate) fn write(&self, checks: &[Ran]) -> Result<(), Complaint> {
        let finished: Vec<Finished<'_>> = checks.iter().map(finished).collect();
        if let Some(path) = &self.junit {
            write(path, &formats::junit(&finished))?;
        }
        if let Some(path) = &self.sarif {
            write(path, &formats::sarif(&finished, &doctor::version()))?;
        }
        if let Some(path) = &self.html {
            write(path, &page_on(checks))?;
        }
        let first = checks.iter().find_map(|ran| ran.outcome.all().zip(&ran.pages).next());
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
fn page_on(checks: &[Ran]) -> String {
    let entries: Vec<Entry<'_>> = checks.iter().flat_map(entries).collect();
    let names: Vec<&str> = checks.iter().map(|ran| ran.name.as_str()).collect();
    let summaries: Vec<String> =
        checks.iter().map(|ran| summary::conclusion(&ran.name, &ran.outcome)).collect();
    page(&names.join(", "), &summaries.concat(), &entries)
}

/// Returns the entries of a check.
fn entries(ran: &Ran) -> impl Iterator<Item = Entry<'_>> {
    let violations = ran.outcome.reports.len();
    let reports = ran.outcome.all().zip(&ran.pages).enumerate();
    reports.map(move |(index, (report, shown))| shown.entry(report, index >= violations))
}

fn finished(ran: &Ran) -> Finished<'_> {
    Finished {
        name: &ran.name,
        verdict: &ran.outcome.verdict,
        violations: &ran.outcome.reports,
        warnings: &ran.outcome.warnings,
    }
}

/// Writes a file, or says why it cannot.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Complaint> {
    std::fs::write(path, text)
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

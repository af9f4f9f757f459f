//! Pages on failing checks and on searches.

use std::path::Path;

use mazurka_core::search::Options;
use mazurka_report::page::{Details, Entry, page, write_page as write};
use mazurka_report::{Explanation, Report, Subject, Tree};

/// Writes a page on some reports, and says where it is. It says nothing if no report has a violation.
pub(crate) fn write_page<S: Subject>(
    directory: &Path,
    name: &str,
    program: &S,
    reports: &[Report],
) {
    let failing: Vec<&Report> =
        reports.iter().filter(|report| report.violation().is_some()).collect();
    let shown: Vec<Shown> = failing.iter().map(|report| Shown::of(program, report)).collect();
    let entries: Vec<Entry<'_>> =
        failing.iter().zip(&shown).map(|(report, shown)| shown.entry(report)).collect();
    let Some(first) = entries.first() else { return };
    say(directory, name, &page(name, &first.report.headline(), &entries));
}

/// What a page shows of a violation besides its report.
struct Shown {
    details: Details,
    why: String,
    decisive: Vec<usize>,
    /// A similar execution that passes.
    passing: Option<(Report, Details)>,
}

impl Shown {
    fn of<S: Subject>(program: &S, report: &Report) -> Self {
        let explanation = report.explanation();
        let passing = explanation.and_then(|explanation| explanation.passing.as_ref());
        let passing = passing.map(|schedule| {
            let recording = program.record(schedule);
            let report = Report::on_nothing(&program.name(), schedule.clone(), recording);
            (report, Details::of(program, schedule))
        });
        Shown {
            details: Details::of(program, report.schedule()),
            why: explanation.map(Explanation::text).unwrap_or_default(),
            decisive: explanation.map(Explanation::decisive).unwrap_or_default(),
            passing,
        }
    }

    /// Returns the entry of the page.
    fn entry<'a>(&'a self, report: &'a Report) -> Entry<'a> {
        Entry {
            report,
            details: &self.details,
            is_warning: false,
            why: &self.why,
            decisive: &self.decisive,
            passing: self.passing.as_ref().map(|(report, details)| (report, details)),
        }
    }
}

/// Explores a program again, writes a page with its search tree, and says where it is.
pub(crate) fn write_tree<S: Subject>(
    directory: &Path,
    name: &str,
    program: &S,
    options: &Options<'_>,
) {
    say(directory, &format!("{name}-tree"), &Tree::of(program, options).page());
}

/// Writes a page, and says where it is.
fn say(directory: &Path, name: &str, page: &str) {
    match write(directory, name, page) {
        Ok(path) => eprintln!("mazurka: {name}: the page is {}", path.display()),
        Err(error) => eprintln!(
            "mazurka: {name}: the page cannot be written to {}: {error}",
            directory.display()
        ),
    }
}

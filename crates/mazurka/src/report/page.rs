//! Pages on failing checks and on searches.

use std::path::Path;

use mazurka_core::search::Options;
use mazurka_report::page::{Details, Entry, page, write_page as write};
use mazurka_report::{Report, Subject, Tree};

/// Writes a page on some reports, and says where it is. It says nothing if no report has a violation.
pub(crate) fn write_page<S: Subject>(
    directory: &Path,
    name: &str,
    program: &S,
    reports: &[Report],
) {
    let failing = || reports.iter().filter(|report| report.violation().is_some());
    let details: Vec<Details> =
        failing().map(|report| Details::of(program, report.schedule())).collect();
    let entries: Vec<Entry<'_>> = failing()
        .zip(&details)
        .map(|(report, details)| Entry {
            report,
            details,
            is_warning: false,
            why: "",
            decisive: &[],
            passing: None,
        })
        .collect();
    let Some(first) = entries.first() else { return };
    say(directory, name, &page(name, &first.report.headline(), &entries));
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

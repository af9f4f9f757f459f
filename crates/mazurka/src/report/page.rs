//! Pages on failing checks.

use std::path::Path;

use mazurka_report::page::{Details, Entry, page, write_page as write};
use mazurka_report::{Report, Subject};

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
    let page = page(name, &first.report.headline(), &entries);
    match write(directory, name, &page) {
        Ok(path) => eprintln!("mazurka: {name}: the page is {}", path.display()),
        Err(error) => eprintln!(
            "mazurka: {name}: the page cannot be written to {}: {error}",
            directory.display()
        ),
    }
}

//! The page: violations and their executions as one HTML file that needs no network.
//!
//! `web/` has the page without data. It is plain HTML, CSS and JavaScript, so that nothing has to be
//! built. The data is JSON in a `script` element.

mod data;
mod details;
mod dot;
mod lanes;

pub use details::Details;
pub use dot::dot;
pub use lanes::svg;

use std::path::{Path, PathBuf};

use crate::{Report, file};

const HTML: &str = include_str!("../../web/page.html");
const CSS: &str = include_str!("../../web/page.css");
const SCRIPT: &str = include_str!("../../web/page.js");

/// A violation or warning on a page.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The report.
    pub report: &'a Report,
    /// The effects of the steps of its schedule.
    pub details: &'a Details,
    /// Whether it is a warning.
    pub is_warning: bool,
    /// Why the execution fails, in a few sentences; may be empty.
    pub why: &'a str,
    /// The steps whose order makes the execution fail, counted from 0.
    pub decisive: &'a [usize],
    /// A similar execution that does not fail, if one is known.
    pub passing: Option<(&'a Report, &'a Details)>,
}

/// Returns a page on some violations. `summary` is the verdict in one sentence.
pub fn page(title: &str, summary: &str, entries: &[Entry<'_>]) -> String {
    let data = data::page(title, summary, entries);
    let escaped = title.replace('&', "&amp;").replace('<', "&lt;");
    // Each placeholder occurs once, and the data comes last, so that it is never searched.
    let page = HTML.replacen("{{title}}", &escaped, 1).replacen("{{css}}", CSS, 1);
    page.replacen("{{script}}", SCRIPT, 1).replacen("{{data}}", &data, 1)
}

/// Writes a page to a new file in a directory, and returns its path.
pub fn write_page(directory: &Path, name: &str, page: &str) -> std::io::Result<PathBuf> {
    file::try_write(directory.to_owned(), name, "html", page)
}

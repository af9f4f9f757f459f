//! Drawings: small text files rendered to SVG.
//!
//! The first line of a source names its kind:
//!
//! * `graph`: boxes in rows, and edges between them;
//! * `tree`: a search tree, by indentation;
//! * `lanes`: processes as columns, events as dots, time running down.
//!
//! The module of each kind describes its syntax.
//!
//! The second line is `title` and a description for readers who cannot see the drawing. Empty lines
//! and lines that start with `#` are ignored.

mod graph;
mod lanes;
mod svg;
mod tree;

use std::fmt;

/// A line of a source that has no meaning there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    line: usize,
    message: String,
}

impl SyntaxError {
    fn new(line: usize, message: impl Into<String>) -> Self {
        SyntaxError { line, message: message.into() }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// Renders the source of a drawing.
///
/// ```
/// let svg = mazurka_book::drawing::render("tree\ntitle Two steps\nstart\n  p: x=1\n    q: x=2\n")?;
/// assert!(svg.starts_with("<svg") && svg.contains("p: x=1"));
/// # Ok::<(), mazurka_book::drawing::SyntaxError>(())
/// ```
///
/// # Errors
///
/// If a line has no meaning.
pub fn render(source: &str) -> Result<String, SyntaxError> {
    let meaningful = |(_, text): &(usize, &str)| {
        let text = text.trim();
        !text.is_empty() && !text.starts_with('#')
    };
    let mut lines = source.lines().enumerate().map(|(i, text)| (i + 1, text)).filter(meaningful);
    let missing = |what: &str| SyntaxError::new(1, format!("{what} is missing"));
    let (number, kind) = lines.next().ok_or_else(|| missing("the kind of drawing"))?;
    let (_, title) = lines.next().ok_or_else(|| missing("the title"))?;
    let title = title.strip_prefix("title ").ok_or_else(|| missing("the title"))?;
    let rest: Vec<Line<'_>> = lines.map(|(number, text)| Line { number, text }).collect();
    match kind.trim() {
        "graph" => graph::render(title, &rest),
        "tree" => tree::render(title, &rest),
        "lanes" => lanes::render(title, &rest),
        other => Err(SyntaxError::new(
            number,
            format!("there is no kind `{other}`; there are `graph`, `tree` and `lanes`"),
        )),
    }
}

/// A line of a source, with its number.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    /// Splits the line into words; text in double quotes is one word.
    fn words(self) -> Result<Vec<&'a str>, SyntaxError> {
        let mut words = Vec::new();
        let mut rest = self.text.trim();
        while !rest.is_empty() {
            let (word, after) = match rest.strip_prefix('"') {
                Some(quoted) => {
                    quoted.split_once('"').ok_or_else(|| self.error("a `\"` is missing"))?
                }
                None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
            };
            words.push(word);
            rest = after.trim_start();
        }
        Ok(words)
    }

    fn error(self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.number, message)
    }
}
